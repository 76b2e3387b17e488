import { UsageError } from '../config/errors.ts';
import { inspectPages } from '../engine/inspect.ts';
import { LEVELS } from '../model/lists.ts';
import type { PageContext } from '../model/page.ts';
import type { Inspection } from '../model/reports.ts';
import type { Command, OptionValues } from './command.ts';
import { readTextList } from './text-list.ts';
import { numberOf, textOf, wordOf } from './values.ts';

export const inspectCommand: Command = {
  name: 'inspect',
  summary: 'judge pages without storing them, and say why',
  details: `Examples:
  winnow inspect page.html --url https://www.example.org/page --status 200
  winnow inspect https://www.example.org/ --contact me@example.org --json`,
  args: [{ name: 'FILE|URL', help: 'what to look at', required: true, many: true }],
  options: [
    { name: 'level', value: 'L', choices: LEVELS, help: 'cost of judging (default auto)' },
    { name: 'url', value: 'U', help: 'with one FILE: where it was found' },
    { name: 'status', value: 'N', type: 'integer', min: 100, help: 'with one FILE: status of its answer' },
    { name: 'headers', value: 'FILE', help: 'with one FILE: header lines of its answer' },
  ],
  fetches: true,
  async run({ args, options }, { config, dataDir, now }) {
    const given = ['url', 'status', 'headers'].filter((name) => options[name] !== undefined);
    if (given.length > 0 && args.length !== 1) throw new UsageError(`--${given[0]} goes with exactly one file`);
    const inspections = await inspectPages({
      inputs: args,
      level: wordOf(options, 'level', LEVELS) ?? config.crawl.level,
      context: contextOf(options),
      config,
      dataDir,
      now,
    });
    return { kind: 'report', json: inspections, text: inspections.map(render).join('\n\n') };
  },
};

function contextOf(options: OptionValues): PageContext {
  const url = textOf(options, 'url');
  if (url !== undefined && URL.parse(url) === null) throw new UsageError(`--url: "${url}" is not an absolute URL`);
  const file = textOf(options, 'headers');
  return { url, status: numberOf(options, 'status'), headers: file === undefined ? undefined : readHeaders(file) };
}

function readHeaders(file: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { text, line } of readTextList(file, '--headers')) {
    if (/^HTTP\/[\d.]+ \d{3}/.test(text)) continue;
    const colon = text.indexOf(':');
    if (colon <= 0) throw new UsageError(`${file}:${line}: not a header line "Name: value"`);
    const name = text.slice(0, colon).trim().toLowerCase();
    const value = text.slice(colon + 1).trim();
    const known = headers[name];
    headers[name] =
      known === undefined ? value : `${known}${name === 'set-cookie' || name === 'x-robots-tag' ? '\n' : ', '}${value}`;
  }
  return headers;
}

function render(inspection: Inspection): string {
  const { page, probability, threshold } = inspection;
  const lines = [
    `${inspection.input}: ${inspection.verdict}${inspection.kinds.length > 0 ? ` (${inspection.kinds.join(', ')})` : ''}`,
    `  ${page.title === '' ? '(no title)' : page.title}`,
    `  ${page.charset}, language ${page.language}, ${page.mainText.length} characters of main text, ${page.links} links, ${page.forms.length} forms`,
    `  spam ${probability.spam.toFixed(3)} of ${threshold.spam.toFixed(3)}, soft-404 ${probability['soft-404'].toFixed(3)} of ${threshold['soft-404'].toFixed(3)}`,
  ];
  if (!page.robots.index) lines.push('  asks not to be indexed');
  if (page.redirect !== undefined) lines.push(`  redirects (${page.redirect.by}) to ${page.redirect.target}`);
  for (const form of page.forms)
    lines.push(
      `  form: ${form.type}, ${form.method} ${form.action}${form.field === undefined ? '' : `, field ${form.field}`}`,
    );
  for (const reason of inspection.reasons) lines.push(`  because ${reason}`);
  for (const problem of page.problems) lines.push(`  odd: ${problem}`);
  return lines.join('\n');
}
