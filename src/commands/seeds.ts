import { UnableError, UsageError } from '../config/errors.ts';
import { listFocusSeeds, putFocusSeeds, removeFocusSeeds } from '../engine/focus-seeds.ts';
import type { FocusSeed } from '../focused-crawling/seeds/seeds.ts';
import type { Command, CommandContext, CommandResult, OptionSpec } from './command.ts';
import { seedArgument } from './seed-argument.ts';
import { readTextList } from './text-list.ts';
import { textOf } from './values.ts';

const NOTES: readonly OptionSpec[] = [
  { name: 'note', value: 'TEXT', help: 'what the site is', mayBeEmpty: true },
  { name: 'topic', value: 'NAME', help: 'what it is a seed for', mayBeEmpty: true },
];

export const seedsCommand: Command = {
  name: 'seeds',
  summary: 'the seed database of focused crawls',
  sub: [
    {
      name: 'add',
      summary: 'add seeds, or change their note and topic',
      args: [{ name: 'URL', help: 'a page of the site, usually its start page', required: true, many: true }],
      options: NOTES,
      async run({ args, options }, context) {
        const urls = args.map((text) => seedArgument(text, '', context.config.crawl.maxUrlLength));
        return await put(urls, { note: textOf(options, 'note') ?? '', topic: textOf(options, 'topic') ?? '' }, context);
      },
    },
    {
      name: 'import',
      summary: 'add the seeds of a file, one URL a line',
      args: [{ name: 'FILE', help: 'a text list', required: true }],
      options: NOTES,
      async run({ args, options }, context) {
        const file = args[0] ?? '';
        const urls = readTextList(file, 'seeds import').map(({ text, line }) =>
          seedArgument(text, `${file}:${line}:`, context.config.crawl.maxUrlLength),
        );
        if (urls.length === 0) throw new UsageError(`seeds import: ${file} names no URL`);
        return await put(urls, { note: textOf(options, 'note') ?? '', topic: textOf(options, 'topic') ?? '' }, context);
      },
    },
    {
      name: 'list',
      summary: 'all seeds',
      run: async (_input, context) => await listed(context),
    },
    {
      name: 'remove',
      summary: 'forget seeds; what was crawled from them stays',
      args: [{ name: 'URL', help: 'as listed', required: true, many: true }],
      async run({ args }, context) {
        // One that was taken under another setting must be removable.
        const urls = args.map((text) => seedArgument(text, '', Number.POSITIVE_INFINITY));
        const removed = await removeFocusSeeds(urls, context.dataDir, context.config);
        if (removed === 0) throw new UnableError(`none of these is a seed: ${urls.join(', ')}`);
        return await listed(context);
      },
    },
  ],
};

async function put(
  urls: readonly string[],
  notes: Pick<FocusSeed, 'note' | 'topic'>,
  context: CommandContext,
): Promise<CommandResult> {
  const { dataDir, config } = context;
  await putFocusSeeds(
    urls.map((url) => ({ url, ...notes })),
    { dataDir, config, now: context.now() },
  );
  return await listed(context);
}

async function listed({ dataDir, config }: CommandContext): Promise<CommandResult> {
  const rows = (await listFocusSeeds(dataDir, config)).map(({ url, note, topic, addedAt, lastRunAt }) => ({
    ...{ url, note, topic, addedAt: new Date(addedAt).toISOString() },
    ...(lastRunAt === undefined ? {} : { lastRunAt: new Date(lastRunAt).toISOString() }),
  }));
  const text = rows.map((row) => [row.url, row.topic, row.note, row.lastRunAt ?? 'never run'].join('\t')).join('\n');
  return { kind: 'report', json: rows, text: rows.length === 0 ? 'there are no seeds' : text };
}
