import type { SignalSource } from '../model/changes.ts';
import type { PageSignal } from '../updating/page-checks.ts';
import type { CrawlMachine } from './crawl-machine.ts';

/** A page that is said to have changed at a time (milliseconds since 1970). */
export interface ToldChange {
  readonly key: string;
  readonly host: string;
  readonly at: number;
}

/**
 * Word from elsewhere that pages changed. Counts for pages in the index whose copy is older than the change; the same
 * word a second time changes nothing. Returns the ids of these pages.
 */
export async function noteTold(
  source: SignalSource,
  changes: readonly ToldChange[],
  { visited, checks }: Pick<CrawlMachine, 'visited' | 'checks'>,
): Promise<readonly number[]> {
  const signals: PageSignal[] = [];
  for (const { key, host, at } of changes) {
    const url = await visited.find(key, host);
    if (url?.state === 'kept' && (url.answer?.fetchedAt ?? at) < at) signals.push({ id: url.id, source, at });
  }
  await checks.signalMany(signals);
  return signals.map(({ id }) => id);
}
