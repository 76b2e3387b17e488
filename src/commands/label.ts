import { writeFileSync } from 'node:fs';
import { messageOf, UnableError, UsageError } from '../config/errors.ts';
import { type ExportedLabel, exportLabels } from '../engine/label-export.ts';
import { keyOf, labelQueue, type PageLabel, putLabels, type QueueRow, readLabels } from '../engine/labels.ts';
import { formatLabels, parseLabels } from '../garbage-detector/supervised-analyser/label-file.ts';
import { LABELS } from '../model/lists.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';
import { readFileFor } from './text-list.ts';
import { numberOf, textOf } from './values.ts';

export const labelCommand: Command = {
  name: 'label',
  summary: 'manual labels of pages, and the pages most worth labelling',
  details: `Labels: ${LABELS.join(', ')}. A label does not change what is in the index ("hide" and "pin" do): it teaches, and
measures, the detectors: "label export FILE.csv --pages DIR" writes labels and pages as "train" and "evaluate garbage"
read them.`,
  sub: [
    {
      name: 'add',
      summary: 'label one page; a later label replaces an earlier one',
      args: [
        { name: 'URL', help: 'the page', required: true },
        { name: 'LABEL', help: LABELS.join(', '), required: true },
      ],
      run: async ({ args }, context) => add(args, context),
    },
    {
      name: 'import',
      summary: 'take in a CSV with a header and the columns url, label, and perhaps kind, language, site, status',
      args: [{ name: 'FILE.csv', help: 'labels by URL', required: true }],
      run: async ({ args }, context) => importFile(args[0] ?? '', context),
    },
    {
      name: 'export',
      summary: 'write all labels to a CSV',
      args: [{ name: 'FILE.csv', help: 'replaced when it exists', required: true }],
      options: [{ name: 'pages', value: 'DIR', help: 'write the labelled pages there too, as "train" wants them' }],
      run: async ({ args, options }, context) => exportFile(args[0] ?? '', textOf(options, 'pages'), context),
    },
    {
      name: 'queue',
      summary: 'pages without a label about which the detectors are least sure',
      options: [{ name: 'limit', value: 'N', type: 'integer', min: 1, help: 'pages to list (default 20)' }],
      async run({ options }, { dataDir, config }) {
        const rows = await labelQueue(numberOf(options, 'limit') ?? 20, { dataDir, config });
        const text = rows.length === 0 ? 'no judged page is without a label' : rows.map(renderQueued).join('\n');
        return { kind: 'report', json: rows, text };
      },
    },
  ],
};

function add([url = '', word = '']: readonly string[], context: CommandContext): CommandResult {
  const label = LABELS.find((known) => known === word);
  if (label === undefined) throw new UsageError(`label add: "${word}" is no label; known: ${LABELS.join(', ')}`);
  return store([checked({ url, label }, 'label add', context)], context);
}

function importFile(file: string, context: CommandContext): CommandResult {
  const { lines, problems } = parseLabels(readFileFor(file, 'label import'));
  const [problem] = problems;
  if (problem !== undefined)
    throw new UsageError(`label import: ${file}:${problem.line}: ${problem.problem}. Nothing was taken in.`);
  const labels = lines.map(({ line, url, label, kind, language, site, status }) => {
    if (url === undefined)
      throw new UsageError(`label import: ${file}:${line}: no url (labels by file are for "train")`);
    return checked({ url, label, kind, language, site, status }, `label import: ${file}:${line}`, context);
  });
  if (labels.length === 0) throw new UsageError(`label import: ${file} holds no label`);
  return store(labels, context);
}

function checked(label: PageLabel, where: string, { config }: CommandContext): PageLabel {
  if (keyOf(label.url, config) === undefined)
    throw new UsageError(`${where}: "${label.url}" is not an http or https URL`);
  return label;
}

function store(labels: readonly PageLabel[], context: CommandContext): CommandResult {
  const { dataDir, config } = context;
  // Reads first: a folder without a collection must not become one by a label.
  readLabels({ dataDir, config });
  putLabels(labels, { dataDir, config, now: context.now() });
  const text = labels.length === 1 ? `labelled: ${labels[0]?.url}` : `${labels.length} labels taken in`;
  return { kind: 'report', json: labels, text };
}

async function exportFile(
  file: string,
  pages: string | undefined,
  { dataDir, config }: CommandContext,
): Promise<CommandResult> {
  const all: readonly ExportedLabel[] =
    pages === undefined ? readLabels({ dataDir, config }) : await exportLabels(pages, { dataDir, config });
  // `train` takes pages by file only.
  const labels = pages === undefined ? all : all.filter((label) => label.file !== undefined);
  const lost = all.length - labels.length;
  try {
    writeFileSync(file, formatLabels(labels));
  } catch (error) {
    throw new UnableError(`label export: cannot write ${file}: ${messageOf(error)}`);
  }
  const left = lost === 0 ? '' : `; ${lost} left out, since their pages are not held`;
  const next =
    pages === undefined ? '' : `\nwinnow train --pages ${pages} --labels ${file} (with all other labelled folders)`;
  return { kind: 'report', json: labels, text: `${labels.length} labels written to ${file}${left}${next}` };
}

function renderQueued(row: QueueRow): string {
  const shown = row.title === '' ? '' : `\n        ${row.title}`;
  return `${row.probability[row.detector].toFixed(3).padStart(6)}  ${row.detector.padEnd(8)} ${row.state.padEnd(8)} ${row.url}${shown}`;
}
