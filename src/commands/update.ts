import { UsageError } from '../config/errors.ts';
import { runUpdate } from '../engine/update-run.ts';
import type { Command } from './command.ts';
import { exitOfCrawl, renderCrawlReport } from './crawl-text.ts';
import { isOn, numberOf } from './values.ts';

export const updateCommand: Command = {
  name: 'update',
  summary: 'crawl pages again: what is worth most by change rates, importance and word of changes',
  details: `Without --once and --for it goes on until it is interrupted. Examples:
  winnow update --once --contact me@example.org
  winnow update --for 8h --rate 600/h --contact me@example.org`,
  options: [
    { name: 'once', help: 'end when nothing is due' },
    { name: 'for', value: 'DURATION', type: 'duration', help: 'end after a time such as 10m or 2h' },
    { name: 'rate', value: 'N/h', help: 'pages an hour over all hosts and runs (default 3600/h)' },
  ],
  fetches: true,
  async run({ options }, context) {
    const seconds = numberOf(options, 'for');
    const isOnce = isOn(options, 'once');
    if (isOnce && seconds !== undefined) throw new UsageError('--once and --for exclude each other');
    const rate = options['rate'];
    const ratePerHour = typeof rate === 'string' ? parseRate(rate) : undefined;
    const report = await runUpdate({ mode: isOnce ? 'once' : 'always', seconds, ratePerHour }, context);
    return { kind: 'report', json: report, text: renderCrawlReport(report), exit: exitOfCrawl(report) };
  },
};

/** '600/h', or the number alone. Throws {@link UsageError}. */
export function parseRate(text: string): number {
  const rate = Number(/^(\d{1,9})(?:\/h)?$/.exec(text)?.[1]);
  if (!(rate >= 1)) throw new UsageError(`--rate takes pages an hour such as 600/h, 1 or more, not "${text}"`);
  return rate;
}
