import { UsageError } from '../config/errors.ts';
import { ArffError, asDataset, parseArff } from '../evaluation/arff.ts';
import { evaluateTrees } from '../evaluation/trees.ts';
import type { Dataset } from '../learning/dataset.ts';
import type { TreesEvaluation } from '../model/reports.ts';
import type { Command } from './command.ts';
import { readFileFor } from './text-list.ts';
import { isOn, numberOf, textOf, wordOf } from './values.ts';

const LEARNERS = ['c45', 'bagging', 'boosting'] as const;

export const evaluateTreesCommand: Command = {
  name: 'trees',
  summary: 'the learners alone, on a table in ARFF',
  options: [
    { name: 'data', value: 'F.arff', help: 'the table' },
    { name: 'class', value: 'NAME', help: 'attribute to predict (default: the last)' },
    { name: 'positive', value: 'VALUE', help: 'class value that precision, recall and AUC are of (default: the last)' },
    { name: 'learner', value: 'L', choices: LEARNERS, help: 'c45 (default), bagging or boosting' },
    { name: 'iterations', value: 'N', type: 'integer', min: 1, help: 'trees of an ensemble (default 10)' },
    { name: 'unpruned', help: 'do not prune' },
    { name: 'folds', value: 'N', type: 'integer', min: 2, help: 'cross-validate' },
    { name: 'seed', value: 'N', type: 'integer', min: 0, help: 'of folds and samples (default 1)' },
    { name: 'test', value: 'F.arff', help: 'test on this table instead of folds' },
  ],
  async run({ options }) {
    const file = textOf(options, 'data');
    if (file === undefined) throw new UsageError('--data: name an ARFF file');
    const testFile = textOf(options, 'test');
    const folds = numberOf(options, 'folds');
    if ((testFile === undefined) === (folds === undefined))
      throw new UsageError('--folds: give either --folds N or --test F.arff');
    const which = { className: textOf(options, 'class'), positive: textOf(options, 'positive') };
    const data = readTable(file, '--data', which);
    const test = testFile === undefined ? undefined : readTable(testFile, '--test', which);
    const report = evaluateTrees(data, {
      learner: wordOf(options, 'learner', LEARNERS) ?? 'c45',
      iterations: numberOf(options, 'iterations') ?? 10,
      pruning: isOn(options, 'unpruned') ? 'unpruned' : 'pruned',
      seed: numberOf(options, 'seed') ?? 1,
      test: test ?? folds ?? 10,
    });
    return { kind: 'report', json: report, text: render(report) };
  },
};

interface Columns {
  readonly className: string | undefined;
  readonly positive: string | undefined;
}

function readTable(file: string, option: string, { className, positive }: Columns): Dataset {
  const text = readFileFor(file, option);
  try {
    return asDataset(parseArff(text), className, positive);
  } catch (error) {
    if (error instanceof ArffError) throw new UsageError(`${option}: ${file}: ${error.message}`);
    throw error;
  }
}

function render(report: TreesEvaluation): string {
  return [
    ...(report.tree === undefined ? [] : [report.tree, '']),
    `${report.learner}, ${report.instances} cases: accuracy ${(100 * report.accuracy).toFixed(2)} %, precision ${report.precision.toFixed(4)}, recall ${report.recall.toFixed(4)}, F1 ${report.f1.toFixed(4)}, ROC AUC ${report.rocAuc.toFixed(4)}`,
    ...report.confusion.map((row) => `  ${row.map((n) => String(n).padStart(7)).join('')}`),
    `${report.treeSize === undefined ? '' : `${report.treeSize} nodes, ${report.leaves} leaves, `}${report.seconds.toFixed(2)} s`,
  ].join('\n');
}
