import { levelRecipes, TRAINING, teachingAids } from '../garbage-detector/recipes.ts';
import { buildModel } from '../garbage-detector/supervised-analyser/build-model.ts';
import { buildCorpus, isPositive } from '../garbage-detector/supervised-analyser/corpus.ts';
import { type DetectorModel, unpackHashes } from '../garbage-detector/supervised-analyser/detector-model.ts';
import { seededRandom } from '../kit/random.ts';
import type { DetectorName } from '../model/lists.ts';
import type { GarbageEvaluation, TrainReport } from '../model/reports.ts';
import type { PageOptions } from '../page/page-options.ts';
import { evaluateGarbage } from './garbage.ts';
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

/** A model is worth promoting only over pages enough to tell: fewer unseen ones than these compare nothing. */
const LEAST_POSITIVES = 10;
const LEAST_NEGATIVES = 50;

/**
 * `train`: learns a model from all labelled pages and compares it, by pages neither was trained on, with the one in
 * use. `promoted` says whether it is better: the caller saves and promotes it.
 * @throws UsageError for bad labels or unreadable pages
 */
export function trainGarbage(run: TrainRun): TrainResult {
  const started = performance.now();
  const pages = measureFolders(run.folders, { page: run.page, group: 'owner' });
  const corpus = buildCorpus(run.detector, [...pages, ...teachingAids(run.detector, run.page)]);
  const model = buildModel(corpus, {
    detector: run.detector,
    version: run.version,
    levels: levelRecipes(run.detector),
    training: TRAINING[run.detector],
    random: seededRandom(run.seed),
  });
  const withNew = modelsWith(model, run.models);
  const common = { ...run, level: 'standard', group: 'owner', repeat: 1, withoutWords: 0 } as const;
  const fresh = evaluateGarbage({ ...common, models: withNew });
  const old = run.models === undefined ? null : evaluateOld(pages, run, run.models);
  const { promoted, why } = compare(old, fresh);
  const report: TrainReport = {
    detector: run.detector,
    level: 'standard',
    labels: model.training.labels,
    old,
    new: fresh,
    promoted,
    why,
    seconds: (performance.now() - started) / 1000,
  };
  return { report, model };
}

/** Null when too few of the pages are new to the model in use. */
function evaluateOld(
  pages: readonly MeasuredPage[],
  run: TrainRun,
  models: Readonly<Record<DetectorName, DetectorModel>>,
): GarbageEvaluation | null {
  const seen = unpackHashes(models[run.detector].training.hashes);
  const unseen = pages.filter((page) => !seen.has(page.id));
  const positives = unseen.filter((page) => isPositive(run.detector, page.label) === true).length;
  const negatives = unseen.filter((page) => isPositive(run.detector, page.label) === false).length;
  if (positives < LEAST_POSITIVES || negatives < LEAST_NEGATIVES) return null;
  return evaluateGarbage({
    ...run,
    models,
    folds: undefined,
    level: 'standard',
    group: 'owner',
    repeat: 1,
    withoutWords: 0,
  });
}

function compare(old: GarbageEvaluation | null, fresh: GarbageEvaluation): { promoted: boolean; why: string } {
  const recall = (figures: GarbageEvaluation) => figures.recallAtFalseAlarms['0.005'] ?? 0;
  if (old === null) {
    return {
      promoted: true,
      why: 'there is no model in use, or it was trained on these very pages: nothing to compare with',
    };
  }
  const better = recall(fresh) > recall(old) && fresh.rocAuc >= old.rocAuc - 0.005;
  const figures = `recall at 0.5 % false alarms ${recall(fresh).toFixed(3)} against ${recall(old).toFixed(3)}, ROC AUC ${fresh.rocAuc.toFixed(3)} against ${old.rocAuc.toFixed(3)}`;
  return { promoted: better, why: `${better ? 'better' : 'not better'} than the model in use: ${figures}` };
}

function modelsWith(
  model: DetectorModel,
  models: Readonly<Record<DetectorName, DetectorModel>> | undefined,
): Readonly<Record<DetectorName, DetectorModel>> {
  const others = models ?? { spam: model, 'soft-404': model };
  return { ...others, [model.detector]: model };
}
