import { UsageError } from '../config/errors.ts';
import { createDetector, type Detector, OWN_SPAM } from '../garbage-detector/detect-garbage.ts';
import { HOSTS_REMEMBERED, HostLeanings } from '../garbage-detector/host-leanings.ts';
import { levelRecipes, TRAINING, teachingAids } from '../garbage-detector/recipes.ts';
import { buildCorpus, type Corpus, isPositive, selectPages } from '../garbage-detector/supervised-analyser/corpus.ts';
import type { DetectorModel } from '../garbage-detector/supervised-analyser/detector-model.ts';
import { partOf, unpackHashes } from '../garbage-detector/supervised-analyser/detector-model.ts';
import { hasInjectedLinks } from '../garbage-detector/supervised-analyser/spam-evidence.ts';
import { strongestWords } from '../garbage-detector/supervised-analyser/term-model.ts';
import {
  type TrainedDetector,
  type TrainOptions,
  trainDetector,
} from '../garbage-detector/supervised-analyser/train-detector.ts';
import type { JudgingLevel } from '../garbage-detector/system-configurator/system-configurator.ts';
import { groupedFolds, splitFold } from '../kit/folds.ts';
import { seededRandom } from '../kit/random.ts';
import { type Calibration, calibrate, logOdds } from '../learning/calibration.ts';
import type { DetectorName } from '../model/lists.ts';
import type { Page } from '../model/page.ts';
import type { GarbageEvaluation } from '../model/reports.ts';
import type { PageOptions } from '../page/page-options.ts';
import { garbageFigures, median, type ScoredPages, spreadOf } from './garbage-figures.ts';
import { type LabelledFolder, type MeasuredPage, measureFolders } from './garbage-pages.ts';

export interface GarbageEvaluationOptions {
  readonly folders: readonly LabelledFolder[];
  readonly detector: DetectorName;
  readonly level: JudgingLevel | 'auto';
  readonly page: PageOptions;
  /** Models in use: their speed is measured, and without `folds` their judgement. */
  readonly models: Readonly<Record<DetectorName, DetectorModel>>;
  readonly group: 'site' | 'owner';
  /** Retrained per fold when given. */
  readonly folds?: number | undefined;
  readonly repeat: number;
  readonly seed: number;
  /** Words of strongest log-odds on the training folds left out of training and test: how far does a list carry? */
  readonly withoutWords: number;
  /** Figures only of pages this model was not trained on; with folds the others still teach. */
  readonly unseenBy?: DetectorModel | undefined;
  readonly progress: (line: string) => void;
}

/**
 * `evaluate garbage`. With folds: everything that looks at labels is learned anew on the other folds' groups, and the
 * pooled scores of the first repeat are reported, the spread over all repeats. Without: the models in use judge, pages
 * of their training lists left out.
 * @throws UsageError for bad labels or unreadable pages
 */
export function evaluateGarbage(options: GarbageEvaluationOptions): GarbageEvaluation {
  const sure = { sureHam: 0.02, sureGarbage: 0.98 };
  const detector = createDetector({ models: options.models, ...sure });
  const timings: Timing[] = [];
  const inUse = new Map<MeasuredPage, number>();
  const leanings = new HostLeanings(HOSTS_REMEMBERED);
  const pages = measureFolders(options.folders, options, (page, measured) => {
    const judged = timeJudgement(page, measured, { detector, level: options.level, leanings });
    timings.push({ parse: measured.parse, judge: judged.milliseconds });
    inUse.set(measured, judged.probability[options.detector]);
  });
  const isRelevant = (page: MeasuredPage): boolean => isPositive(options.detector, page.label) !== undefined;
  const relevant = pages.filter(isRelevant);
  requireBoth(options.detector, relevant);
  const head = { detector: options.detector, level: options.level };
  if (options.folds === undefined) {
    const { scored, excluded } = scoreWithModel(relevant, inUse, options);
    return { ...head, excluded, ...garbageFigures(scored), millisecondsPerPage: summarise(timings) };
  }
  const hidden = options.unseenBy === undefined ? new Set<string>() : unpackHashes(options.unseenBy.training.hashes);
  const all = crossValidate(relevant, {
    ...options,
    folds: options.folds,
    measureWithout: (without) => measureFolders(options.folders, { ...options, without }).filter(isRelevant),
  });
  const repeats = all.map((scored) => pickScored(scored, (page) => !hidden.has(page.id)));
  const first = repeats[0];
  if (first === undefined) throw new Error('at least one repeat');
  return {
    ...head,
    excluded: relevant.length - first.pages.length,
    folds: options.folds,
    ...garbageFigures(first),
    spread: spreadOf(repeats),
    millisecondsPerPage: summarise(timings),
  };
}

/** @throws UsageError when there is nothing to tell apart. */
export function requireBoth(detector: DetectorName, pages: readonly MeasuredPage[]): void {
  const positive = pages.filter(({ label }) => isPositive(detector, label) === true).length;
  const negative = pages.filter(({ label }) => isPositive(detector, label) === false).length;
  if (Math.min(positive, negative) > 0) return;
  throw new UsageError(
    `the labels hold ${positive} pages that ${detector} is to find and ${negative} that it is not: both are needed (see the labels of each detector in docs/contract.md)`,
  );
}

/** Settings with which a level's full trees are trained. */
export function trainOptions(detector: DetectorName, level: JudgingLevel | 'auto', seed: string): TrainOptions {
  const recipe = levelRecipes(detector)[level === 'fast' ? 'fast' : 'standard'];
  return {
    ...TRAINING[detector],
    detector,
    learner: recipe.learner,
    features: recipe.full,
    random: seededRandom(seed),
  };
}

interface FoldOptions {
  readonly page: PageOptions;
  readonly detector: DetectorName;
  readonly level: JudgingLevel | 'auto';
  readonly folds: number;
  readonly repeat: number;
  readonly seed: number;
  /** Words of largest log-odds on the training folds to take out of the pages; needs `measureWithout`. */
  readonly withoutWords: number;
  /** The same pages in the same order, without these words. */
  readonly measureWithout?: (words: ReadonlySet<string>) => readonly MeasuredPage[];
  readonly progress: (line: string) => void;
}

function pickScored(scored: ScoredMeasured, picks: (page: MeasuredPage) => boolean): ScoredMeasured {
  const rows = Array.from(scored.pages.keys()).filter((row) => {
    const page = scored.pages[row];
    return page !== undefined && picks(page);
  });
  return {
    threshold: scored.threshold,
    probabilities: Float64Array.from(rows, (row) => scored.probabilities[row] ?? 0),
    margins: Float64Array.from(rows, (row) => scored.margins[row] ?? 0),
    positive: rows.map((row) => scored.positive[row] ?? false),
    pages: rows.flatMap((row) => scored.pages[row] ?? []),
  };
}

interface ScoredMeasured extends ScoredPages {
  readonly pages: readonly MeasuredPage[];
}

/** Out-of-fold scores, one set a repeat. */
export function crossValidate(pages: readonly MeasuredPage[], options: FoldOptions): ScoredMeasured[] {
  const corpus = buildCorpus(options.detector, [...pages, ...teachingAids(options.detector, options.page)]);
  return Array.from({ length: options.repeat }, (_, repeat) => scoreRepeat(corpus, pages, repeat, options));
}

function scoreRepeat(
  corpus: Corpus,
  pages: readonly MeasuredPage[],
  repeat: number,
  options: FoldOptions,
): ScoredMeasured {
  const random = seededRandom(options.seed).stream(`repeat ${repeat}`);
  const foldOf = groupedFolds({
    classes: pages.map((_, row) => Number(corpus.positive[row])),
    groups: pages.map((page) => page.group),
    folds: options.folds,
    random: random.stream('folds'),
  });
  const scores = new Float64Array(pages.length);
  const margins = new Float64Array(pages.length);
  const parts: { readonly calibration: Calibration; readonly scoreThreshold: number }[] = [];
  for (let fold = 0; fold < options.folds; fold++) {
    options.progress(`repeat ${repeat + 1} of ${options.repeat}, fold ${fold + 1} of ${options.folds}`);
    const { train: real, test } = splitFold(foldOf, fold);
    // Aids, in the rows behind the pages, are in every training part.
    const train = [...real, ...Array.from(corpus.ids.keys()).slice(pages.length)];
    const settings = trainOptions(options.detector, options.level, `${options.seed} ${repeat} ${fold}`);
    const used = corpusWithout(corpus, train, options);
    const trained = trainDetector(selectPages(used, train), settings);
    parts.push({ calibration: trained.part.calibration, scoreThreshold: trained.scoreThreshold });
    scoreInOrder(test, pages, scores, { trained, corpus: used, usesHost: usesHost(options) });
    for (const row of test) margins[row] = (scores[row] ?? 0) - trained.scoreThreshold;
  }
  const positive = corpus.positive.slice(0, pages.length);
  return { ...pool(scores, parts), margins, positive, pages };
}

/** The corpus as it is, or measured anew without the strongest words of the training rows. */
function corpusWithout(corpus: Corpus, train: readonly number[], options: FoldOptions): Corpus {
  if (options.withoutWords === 0 || options.measureWithout === undefined) return corpus;
  const words = strongestWords(selectPages(corpus, train), options.withoutWords);
  const pages = options.measureWithout(words);
  return buildCorpus(options.detector, [...pages, ...teachingAids(options.detector, options.page)]);
}

/** Spam is judged with what the host's other pages say, at every level but `fast`, as in `engine/judging.ts`. */
function usesHost({ detector, level }: Pick<FoldOptions, 'detector' | 'level'>): boolean {
  return detector === 'spam' && level !== 'fast';
}

/** As a crawl meets them: a page of a site is judged with what the site's pages before it were judged. */
function scoreInOrder(
  rows: ArrayLike<number>,
  pages: readonly MeasuredPage[],
  scores: Float64Array,
  by: { readonly trained: TrainedDetector; readonly corpus: Corpus; readonly usesHost: boolean },
): void {
  const leanings = new HostLeanings(HOSTS_REMEMBERED);
  for (const row of Array.from(rows).sort((a, b) => a - b)) {
    const page = pages[row];
    const own = by.trained.score(by.corpus, row);
    scores[row] = own;
    if (page === undefined || page.site === '' || !by.usesHost) continue;
    scores[row] = own + leanings.leaningOf(page.site, page.file);
    const probability = calibrate(by.trained.part.calibration, own);
    leanings.note(page.site, page.file, hasInjectedLinks(by.corpus.features[row] ?? {}) ? 0 : logOdds(probability));
  }
}

/**
 * Scores of several folds on one scale: all are mapped to probabilities by the middle one of the folds' calibrations,
 * since a product has one calibration and its noise from fold to fold would shuffle the order between folds.
 */
function pool(
  scores: Float64Array,
  parts: readonly { readonly calibration: Calibration; readonly scoreThreshold: number }[],
): { probabilities: Float64Array; threshold: number } {
  // No score reaches an infinite threshold: a fold in which calling nothing is cheapest.
  const at = (score: number) =>
    Number.isFinite(score) ? median(parts.map(({ calibration }) => calibrate(calibration, score))) : 1;
  return { probabilities: scores.map(at), threshold: at(median(parts.map(({ scoreThreshold }) => scoreThreshold))) };
}

function scoreWithModel(
  pages: readonly MeasuredPage[],
  inUse: ReadonlyMap<MeasuredPage, number>,
  options: GarbageEvaluationOptions,
): { scored: ScoredPages; excluded: number } {
  const model = options.models[options.detector];
  const trainedOn = unpackHashes(model.training.hashes);
  const unseen = pages.filter((page) => !trainedOn.has(page.id));
  const { threshold } = partOf(model, options.level === 'fast' ? 'fast' : 'standard', 'full');
  const probabilities = Float64Array.from(unseen, (page) => inUse.get(page) ?? 0);
  const scored = {
    probabilities,
    margins: probabilities.map((probability) => probability - threshold),
    threshold,
    positive: unseen.map((page) => isPositive(options.detector, page.label) ?? false),
    pages: unseen,
  };
  return { scored, excluded: pages.length - unseen.length };
}

interface Timing {
  readonly parse: number;
  readonly judge: number;
}

function timeJudgement(
  page: Page,
  { site, file, context }: MeasuredPage,
  by: { readonly detector: Detector; readonly level: JudgingLevel | 'auto'; readonly leanings: HostLeanings },
) {
  const isAlone = site === '' || by.level === 'fast';
  const host = isAlone ? {} : { spamLeaning: by.leanings.leaningOf(site, file) };
  const started = performance.now();
  const { probability, kinds, features } = by.detector.judge(page, context, { level: by.level, host, size: 'full' });
  const milliseconds = performance.now() - started;
  if (!isAlone) by.leanings.note(site, file, kinds.includes('injected') ? 0 : (features[OWN_SPAM] ?? 0));
  return { milliseconds, probability };
}

/** Means, and the 99th percentile of judging. The first pages, on which the program warms up, are left out where there are enough. */
function summarise(timings: readonly Timing[]): GarbageEvaluation['millisecondsPerPage'] {
  const warm = timings.length > 200 ? timings.slice(100) : timings;
  const mean = (pick: (timing: Timing) => number) =>
    warm.reduce((sum, timing) => sum + pick(timing), 0) / Math.max(1, warm.length);
  const judged = warm.map(({ judge }) => judge).sort((a, b) => a - b);
  return {
    parse: mean(({ parse }) => parse),
    judge: mean(({ judge }) => judge),
    p99: judged[Math.min(judged.length - 1, Math.floor(judged.length * 0.99))] ?? 0,
  };
}
