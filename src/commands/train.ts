import { join } from 'node:path';
import { loadModelsIfAny, nextVersion, openModelStore } from '../engine/judging.ts';
import { pageOptionsOf } from '../engine/options.ts';
import { trainGarbage } from '../evaluation/train.ts';
import { DETECTORS, type DetectorName } from '../model/lists.ts';
import type { TrainReport } from '../model/reports.ts';
import type { Command } from './command.ts';
import { FOLDER_OPTIONS, foldersOf, renderGarbage } from './evaluate-garbage.ts';
import { isOn, numberOf, textOf, wordOf } from './values.ts';

const TRAINED = [...DETECTORS, 'all'] as const;

export const trainCommand: Command = {
  name: 'train',
  endsAtOnce: true,
  summary: 'learn the detectors anew from labelled pages; the new model is used only if it is better',
  details: `A model is learned from the pages given here and from nothing else, so give all there are. Labels made by hand
("winnow label") come along when "winnow label export LABELS.csv --pages DIR" has written them with their pages. Example:
  winnow train --detector all --pages spam --labels spam/labels.csv --pages mine --labels mine/labels.csv
How the shipped models were made is in docs/garbage.md.`,
  options: [
    { name: 'detector', value: 'NAME', choices: TRAINED, help: 'spam, soft-404 or all (default)' },
    ...FOLDER_OPTIONS,
    { name: 'output', value: 'DIR', help: 'write the models here instead of into the data folder' },
    { name: 'folds', value: 'N', type: 'integer', min: 2, help: 'folds of the comparison (default 5)' },
    { name: 'seed', value: 'S', type: 'integer', min: 0, help: 'of folds and samples (default 1)' },
    { name: 'dry-run', help: 'compare only, keep the model in use' },
  ],
  async run({ options }, context) {
    const wanted = wordOf(options, 'detector', TRAINED) ?? 'all';
    const detectors: readonly DetectorName[] = wanted === 'all' ? DETECTORS : [wanted];
    const store = openModelStore(textOf(options, 'output') ?? join(context.dataDir, 'models'));
    const folders = foldersOf(options);
    const reports: TrainReport[] = [];
    for (const detector of detectors) {
      const { report, model } = trainGarbage({
        folders,
        detector,
        version: nextVersion(store, detector),
        page: pageOptionsOf(context.config),
        models: loadModelsIfAny(join(context.dataDir, 'models')),
        folds: numberOf(options, 'folds') ?? 5,
        seed: numberOf(options, 'seed') ?? 1,
        progress: (line) => context.progress(`${detector}: ${line}`),
      });
      reports.push(report);
      if (isOn(options, 'dry-run')) continue;
      store.save(model);
      if (report.promoted && textOf(options, 'output') === undefined) store.promote(detector, model.version);
    }
    return {
      kind: 'report',
      json: reports.length === 1 ? reports[0] : reports,
      text: reports.map(render).join('\n\n'),
    };
  },
};

function render(report: TrainReport): string {
  const labels = Object.entries(report.labels).map(([label, n]) => `${label} ${n}`);
  return [
    `${report.detector}: ${report.promoted ? 'the new model is used from now on' : 'the model in use stays'}: ${report.why}`,
    `  labels: ${labels.join(', ')}`,
    `new ${renderGarbage(report.new)}`,
    ...(report.old === null ? [] : [`old ${renderGarbage(report.old)}`]),
  ].join('\n');
}
