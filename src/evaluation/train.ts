import { levelRecipes, TRAINING, teachingAids } from '../garbage-detector/recipes.ts';
import { buildModel } from '../garbage-detector/supervised-analyser/build-model.ts';
import { buildCorpus, isPositive } from '../garbage-detector/supervised-analyser/corpus.ts';
import { type DetectorModel, unpackHashes } from '../garbage-detector/supervised-analyser/detector-model.ts';
import { seededRandom } from '../kit/random.ts';
import type { DetectorName } from '../model/lists.ts';
import type { GarbageEvaluation, TrainReport } from '../model/reports.ts';
import type { PageOptions } from '../page/page-options.ts';
import { evaluateGarbage, requireBoth } from './garbage.ts';
import { type LabelledFolder, type MeasuredPage, measureFolders } from './garbage-pages.ts';

export interface TrainRun {
  readonly folders: readonly LabelledFolder[];
  readonly detector: DetectorName;
  /** Name of the new model, e.g. '2'. */
  readonly version: string;
  readonly page: PageOptions;
  /** Models in use; undefined when there are none yet. */
  readonly models: Readonly<Record<DetectorName, DetectorModel>> | undefined;
  readonly folds: number;
  readonly seed: number;
  readonly progress: (line: string) => void;
}

export interface TrainResult {
  readonly report: TrainReport;
  /** Not saved anywhere yet. */
  readonly model: DetectorModel;
}

/** Fewer pages than these that are new to the model in use compare nothing. */
const LEAST_POSITIVES = 10;
const LEAST_NEGATIVES = 50;

/**
 * `train`: learns a model from all labelled pages. When a model is in use, the two are compared by the pages that are
 * new to it: it judges them as it is, and the new recipe judges each with what it learned from other owners' pages.
 * `promoted` says whether the new one is better (the caller saves and promotes it); with too few new pages it is not.
 * @throws UsageError for bad labels or unreadable pages
 */
export function trainGarbage(run: TrainRun): TrainResult {
  const started = performance.now();
  const pages = measureFolders(run.folders, { page: run.page, group: 'owner' });
  requireBoth(run.detector, pages);
  const corpus = buildCorpus(run.detector, [...pages, ...teachingAids(run.detector, run.page)]);
  const model = buildModel(corpus, {
    detector: run.detector,
    version: run.version,
    levels: levelRecipes(run.detector),
    training: TRAINING[run.detector],
    random: seededRandom(run.seed),
  });
  const comparison = compare(run, pages, model);
  const report: TrainReport = {
    detector: run.detector,
    level: 'standard',
    labels: model.training.labels,
    ...comparison,
    seconds: (performance.now() - started) / 1000,
  };
  return { report, model };
}

type Comparison = Pick<TrainReport, 'old' | 'new' | 'promoted' | 'why'>;

function compare(run: TrainRun, pages: readonly MeasuredPage[], model: DetectorModel): Comparison {
  const common = { ...run, level: 'standard', group: 'owner', repeat: 1, withoutWords: 0 } as const;
  const withNew = modelsWith(model, run.models);
  if (run.models === undefined) {
    const fresh = evaluateGarbage({ ...common, models: withNew });
    return { old: null, new: fresh, promoted: true, why: 'no model was in use' };
  }
  const inUse = run.models[run.detector];
  const few = tooFew(run.detector, pages, inUse);
  if (few !== undefined) {
    const fresh = evaluateGarbage({ ...common, models: withNew });
    return { old: null, new: fresh, promoted: false, why: few };
  }
  const old = evaluateGarbage({ ...common, models: run.models, folds: undefined });
  const fresh = evaluateGarbage({ ...common, models: withNew, unseenBy: inUse });
  return { old, new: fresh, ...verdict(old, fresh) };
}

function tooFew(detector: DetectorName, pages: readonly MeasuredPage[], inUse: DetectorModel): string | undefined {
  const seen = unpackHashes(inUse.training.hashes);
  const unseen = pages.filter((page) => !seen.has(page.id)).map((page) => isPositive(detector, page.label));
  const positives = unseen.filter((positive) => positive === true).length;
  const negatives = unseen.filter((positive) => positive === false).length;
  if (positives >= LEAST_POSITIVES && negatives >= LEAST_NEGATIVES) return undefined;
  return `only ${positives} garbage and ${negatives} good pages are new to the model in use (${inUse.version}), and a comparison needs ${LEAST_POSITIVES} and ${LEAST_NEGATIVES}. The new one knows the pages given here and nothing else; if that is meant, "winnow model promote" uses it`;
}

function verdict(old: GarbageEvaluation, fresh: GarbageEvaluation): { promoted: boolean; why: string } {
  const recall = (figures: GarbageEvaluation) => figures.recallAtFalseAlarms['0.005'] ?? 0;
  const better = recall(fresh) > recall(old) && fresh.rocAuc >= old.rocAuc - 0.005;
  const figures = `on ${old.pages} pages new to it, recall at 0.5 % false alarms ${recall(fresh).toFixed(3)} against ${recall(old).toFixed(3)}, ROC AUC ${fresh.rocAuc.toFixed(3)} against ${old.rocAuc.toFixed(3)}`;
  return { promoted: better, why: `${better ? 'better' : 'not better'} than the model in use: ${figures}` };
}

function modelsWith(
  model: DetectorModel,
  models: Readonly<Record<DetectorName, DetectorModel>> | undefined,
): Readonly<Record<DetectorName, DetectorModel>> {
  const others = models ?? { spam: model, 'soft-404': model };
  return { ...others, [model.detector]: model };
}
