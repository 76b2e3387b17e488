import { UsageError } from '../config/errors.ts';
import { runCrawl } from '../engine/crawl-run.ts';
import { GARBAGE_ACTIONS, LEVELS, SCOPES } from '../model/lists.ts';
import type { Command, CommandInput } from './command.ts';
import { exitOfCrawl, renderCrawlReport } from './crawl-text.ts';
import { seedArgument } from './seed-argument.ts';
import { readTextList } from './text-list.ts';
import { listOf, numberOf, textOf, wordOf } from './values.ts';

export const crawlCommand: Command = {
  name: 'crawl',
  summary: 'crawl sites: judge, store and index their pages; resumes what an earlier run left',
  details: `Examples:
  winnow crawl https://www.example.org/ --contact me@example.org
  winnow crawl --seeds sites.txt --scope domain --max-pages 10000 --contact me@example.org
  winnow crawl                      (goes on with what an earlier run left)`,
  args: [{ name: 'URL', help: 'where to begin', many: true }],
  options: [
    { name: 'seeds', value: 'FILE', help: 'more seeds, one URL a line' },
    {
      name: 'scope',
      value: 'SCOPE',
      choices: SCOPES,
      help: 'how far from the seeds links are followed (default host)',
    },
    { name: 'include', value: 'GLOB', repeatable: true, help: 'only URLs whose key matches one of these' },
    { name: 'exclude', value: 'GLOB', repeatable: true, help: 'no URLs whose key matches one of these (wins)' },
    { name: 'max-pages', value: 'N', type: 'integer', min: 1, help: 'end after N answers' },
    { name: 'max-depth', value: 'N', type: 'integer', min: 0, help: 'links from a seed (default 50)' },
    { name: 'for', value: 'DURATION', type: 'duration', help: 'end after a time such as 10m or 2h' },
    { name: 'level', value: 'LEVEL', choices: LEVELS, help: 'cost of judging: off, fast, standard, thorough, auto' },
    { name: 'garbage', value: 'ACTION', choices: GARBAGE_ACTIONS, help: 'drop (default), demote or flag' },
  ],
  fetches: true,
  async run(input, context) {
    const report = await runCrawl(
      {
        seeds: seedsOf(input, context.config.crawl.maxUrlLength),
        scope: wordOf(input.options, 'scope', SCOPES),
        include: listOf(input.options, 'include'),
        exclude: listOf(input.options, 'exclude'),
        maxPages: numberOf(input.options, 'max-pages'),
        maxDepth: numberOf(input.options, 'max-depth'),
        seconds: numberOf(input.options, 'for'),
        level: wordOf(input.options, 'level', LEVELS),
        garbage: wordOf(input.options, 'garbage', GARBAGE_ACTIONS),
      },
      context,
    );
    return { kind: 'report', json: report, text: renderCrawlReport(report), exit: exitOfCrawl(report) };
  },
};

/** URLs of the arguments and of the seeds file; the first bad one is an error that names where it stands. */
function seedsOf(input: CommandInput, maxLength: number): readonly string[] {
  const given = input.args.map((text) => seedArgument(text, 'the URL argument', maxLength));
  const file = textOf(input.options, 'seeds');
  if (file === undefined) return given;
  const lines = readTextList(file, '--seeds').map(({ text, line }) =>
    seedArgument(text, `${file}:${line}:`, maxLength),
  );
  if (lines.length === 0) throw new UsageError(`--seeds: ${file} names no URL`);
  return [...given, ...lines];
}
