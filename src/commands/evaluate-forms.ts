import { UsageError } from '../config/errors.ts';
import { readAnnotatedPages } from '../evaluation/form-pages.ts';
import { evaluateForms, type FormsEvaluation, judgedForms } from '../evaluation/forms.ts';
import type { Command } from './command.ts';
import { readFileFor } from './text-list.ts';
import { numberOf, textOf } from './values.ts';

export const evaluateFormsCommand: Command = {
  name: 'forms',
  summary: 'search-form detection on judged forms',
  options: [
    { name: 'pages', value: 'DIR', help: 'folder that the file names of --forms start from' },
    { name: 'forms', value: 'F.jsonl', help: 'lines { file, url, forms: [letter, …] }' },
    {
      name: 'folds',
      value: 'N',
      type: 'integer',
      min: 2,
      help: 'rules and model, retrained for each fold; without: the rules',
    },
    { name: 'seed', value: 'N', type: 'integer', min: 0, help: 'of the folds (default 1)' },
  ],
  async run({ options }) {
    const folder = textOf(options, 'pages');
    const file = textOf(options, 'forms');
    if (folder === undefined) throw new UsageError('--pages: name the folder of the pages');
    if (file === undefined) throw new UsageError('--forms: name the file of judged forms');
    const { pages, skipped } = readAnnotatedPages(readFileFor(file, '--forms'), { file, folder }, judgedForms);
    const report: FormsEvaluation = {
      ...evaluateForms(pages.flat(), { folds: numberOf(options, 'folds'), seed: numberOf(options, 'seed') ?? 1 }),
      pages: pages.length,
      skipped,
    };
    return { kind: 'report', json: report, text: render(report) };
  },
};

function render(report: FormsEvaluation): string {
  const line = (name: string, { precision, recall, f1 }: FormsEvaluation['rule']): string =>
    `  ${name.padEnd(18)} precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}, F1 ${f1.toFixed(4)}`;
  return [
    `${report.forms} judged forms on ${report.pages} pages, ${report.searchForms} of them for searching; ${report.skipped.length} pages left out.`,
    ...(report.folds === undefined ? [] : [line(`rules and model`, report)]),
    line('rules alone', report.rule),
    `  type right by the rules: ${(100 * report.typeAccuracy).toFixed(1)} %`,
  ].join('\n');
}
