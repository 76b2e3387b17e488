import { type ImportReport, importPages } from '../engine/import-pages.ts';
import { GARBAGE_ACTIONS, LEVELS } from '../model/lists.ts';
import type { Command } from './command.ts';
import { renderCrawlReport, total } from './crawl-text.ts';
import { wordOf } from './values.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'take in pages of a WARC file or of JSON lines, without the network',
  details: `The pages are read, compared, judged, stored and indexed as if they had just been fetched. A WARC file may come from any
crawler, compressed or not; damaged records are named and passed over. JSON lines are those of "winnow export", or
{"url", "html", "fetchedAt"} with a page's source; from plain text the headings and links are not known. What is not
newer than the capture held is left out, so the same file may be imported twice. Links of the pages are followed by a
later "winnow crawl" as far as its scope goes. Garbage on pages of a WARC file is dropped, as on hosts found by links;
JSON lines count as listed by you, so garbage among them is flagged.`,
  args: [{ name: 'FILE', help: 'a .warc, .warc.gz or .jsonl file', required: true }],
  options: [
    { name: 'level', value: 'LEVEL', choices: LEVELS, help: 'cost of judging: off, fast, standard, thorough, auto' },
    { name: 'garbage', value: 'ACTION', choices: GARBAGE_ACTIONS, help: 'drop, demote or flag instead' },
  ],
  async run({ args, options }, context) {
    const report = await importPages(
      {
        file: args[0] ?? '',
        level: wordOf(options, 'level', LEVELS),
        garbage: wordOf(options, 'garbage', GARBAGE_ACTIONS),
      },
      context,
    );
    return { kind: 'report', json: report, text: render(report), exit: exitOf(report) };
  },
};

/** 1: the file held nothing that could be taken in or is held already. */
function exitOf(report: ImportReport): 0 | 1 | 130 {
  if (report.stopped === 'interrupted') return 130;
  return report.fetched === 0 && (report.skipped['not newer than what is held'] ?? 0) === 0 ? 1 : 0;
}

function render(report: ImportReport): string {
  const lines = [`${report.records} records read from ${report.file}.`, renderCrawlReport(report)];
  if (total(report.skipped) > 0) {
    lines.push('', 'Left out:', ...Object.entries(report.skipped).map(([why, n]) => `  ${why}: ${n}`));
  }
  if (report.problemCount > 0) {
    lines.push('', `Damaged or malformed: ${report.problemCount}`);
    lines.push(...report.problems.slice(0, 20).map(({ where, detail }) => `  ${where}: ${detail}`));
  }
  return lines.join('\n');
}
