import { join } from 'node:path';
import { UsageError } from '../config/errors.ts';
import { loadModels } from '../engine/judging.ts';
import { pageOptionsOf } from '../engine/options.ts';
import { evaluateGarbage } from '../evaluation/garbage.ts';
import type { LabelledFolder } from '../evaluation/garbage-pages.ts';
import { DETECTORS } from '../model/lists.ts';
import type { GarbageEvaluation } from '../model/reports.ts';
import type { Command, OptionSpec, OptionValues } from './command.ts';
import { listOf, numberOf, wordOf } from './values.ts';

/** Folders of labelled pages, each `--pages` with the `--labels` in the same place. */
export const FOLDER_OPTIONS: readonly OptionSpec[] = [
  { name: 'pages', value: 'DIR', repeatable: true, help: 'folder that the file names of the labels start from' },
  {
    name: 'labels',
    value: 'FILE.csv',
    repeatable: true,
    help: 'labels of that folder: file,label[,kind,language,site,url,status]',
  },
];

export function foldersOf(options: OptionValues): readonly LabelledFolder[] {
  const pages = listOf(options, 'pages');
  const labels = listOf(options, 'labels');
  if (pages.length === 0) throw new UsageError('--pages: name at least one folder of pages, each with its --labels');
  if (pages.length !== labels.length)
    throw new UsageError(`--labels: every --pages needs its own (${pages.length} and ${labels.length} were given)`);
  return pages.map((folder, i) => ({ pages: folder, labels: labels[i] ?? '' }));
}

const EVALUATED_LEVELS = ['fast', 'standard', 'thorough', 'auto'] as const;
const GROUPS = ['site', 'owner'] as const;

export const evaluateGarbageCommand: Command = {
  name: 'garbage',
  endsAtOnce: true,
  summary: 'a garbage detector on labelled pages',
  details: `With --folds the detector is trained anew for each fold on the other groups' pages, and the figures are of pages
it has not seen. Without, the model in use judges, and pages it was trained on are left out.`,
  options: [
    ...FOLDER_OPTIONS,
    { name: 'detector', value: 'NAME', choices: DETECTORS, help: 'spam or soft-404' },
    { name: 'level', value: 'L', choices: EVALUATED_LEVELS, help: 'cost of judging (default standard)' },
    { name: 'folds', value: 'N', type: 'integer', min: 2, help: 'cross-validate with this many folds' },
    {
      name: 'group',
      value: 'BY',
      choices: GROUPS,
      help: 'pages of one site or owner stay in one fold (default owner)',
    },
    { name: 'repeat', value: 'R', type: 'integer', min: 1, help: 'draw the folds so many times (default 1)' },
    { name: 'seed', value: 'S', type: 'integer', min: 0, help: 'of the drawing (default 1)' },
    {
      name: 'without-words',
      value: 'N',
      type: 'integer',
      min: 0,
      help: 'leave out the N words of largest log-odds: how far does a word list carry?',
    },
  ],
  async run({ options }, context) {
    const detector = wordOf(options, 'detector', DETECTORS);
    if (detector === undefined) throw new UsageError('--detector: name spam or soft-404');
    const folds = numberOf(options, 'folds');
    if (folds === undefined && numberOf(options, 'repeat') !== undefined)
      throw new UsageError('--repeat: what is repeated is the drawing of folds, so --folds N is needed');
    const withoutWords = numberOf(options, 'without-words') ?? 0;
    if (withoutWords > 0 && folds === undefined)
      throw new UsageError('--without-words: the words are those of the training folds, so --folds N is needed');
    const report = evaluateGarbage({
      folders: foldersOf(options),
      detector,
      level: wordOf(options, 'level', EVALUATED_LEVELS) ?? 'standard',
      page: pageOptionsOf(context.config),
      models: loadModels(join(context.dataDir, 'models')),
      group: wordOf(options, 'group', GROUPS) ?? 'owner',
      folds,
      repeat: numberOf(options, 'repeat') ?? 1,
      seed: numberOf(options, 'seed') ?? 1,
      withoutWords,
      progress: (line) => context.progress(line),
    });
    return { kind: 'report', json: report, text: renderGarbage(report) };
  },
};

export function renderGarbage(report: GarbageEvaluation): string {
  if (report.pages === 0) {
    return `${report.detector}: nothing to measure: all ${report.excluded} pages were in the training list of the model in use; --folds N trains anew on parts of them`;
  }
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const alarms = Object.entries(report.recallAtFalseAlarms).map(
    ([rate, found]) => `${percent(found)} at ${percent(Number(rate))}`,
  );
  return [
    `${report.detector}, level ${report.level}, ${report.pages} pages${report.folds === undefined ? `, ${report.excluded} left out (trained on)` : `, ${report.folds} folds`}`,
    `  ${report.truePositives + report.falseNegatives} are to be found, ${report.trueNegatives + report.falsePositives} are not; by kind and language, and which were missed: --json`,
    `  recall at false alarms   ${alarms.join(', ')}`,
    `  ROC AUC ${report.rocAuc.toFixed(4)}   PR AUC ${report.prAuc.toFixed(4)}`,
    `  at threshold ${report.threshold.toFixed(3)}: precision ${percent(report.precision)}, recall ${percent(report.recall)}, F1 ${report.f1.toFixed(3)}, false alarms ${report.falsePositives}`,
    `  milliseconds a page: parse ${report.millisecondsPerPage.parse.toFixed(2)}, judge ${report.millisecondsPerPage.judge.toFixed(2)}, p99 ${report.millisecondsPerPage.p99.toFixed(2)}`,
  ].join('\n');
}
