import { unpackText } from '../repository/page-row.ts';
import type { StoredPages } from '../repository/stored-pages.ts';
import type { PageCheck } from '../updating/page-checks.ts';
import type { Settled } from './crawl-types.ts';

/**
 * What fetching known pages again told of them: of pages that were in the index and gave an answer that says whether
 * they changed. To be asked before the new versions are stored, since the changed parts are told from the old ones.
 */
export async function checksOf(
  batch: readonly Settled[],
  by: { readonly pages: StoredPages; readonly now: number },
): Promise<readonly Omit<PageCheck, 'signals'>[]> {
  const checks = [];
  for (const settled of batch) {
    const { ticket, settlement, page } = settled;
    const since = ticket.known.fetchedAt;
    const changed = hasChanged(settled);
    if (!ticket.known.wasKept || since === undefined || changed === undefined) continue;
    // A signal that comes after the request was sent is not answered by it.
    const at = settled.touched ?? page?.fetchedAt ?? by.now;
    if (at <= since) continue;
    const parts = changed && page !== undefined ? await changedParts(ticket.id, page.content.parts, by.pages) : [];
    checks.push({ id: settlement.id, since, at, changed, parts });
  }
  return checks;
}

/** undefined: the answer does not tell (a failure, a bot wall, a rule). */
function hasChanged({ touched, settlement, ticket }: Settled): boolean | undefined {
  if (touched !== undefined) return false;
  switch (settlement.state) {
    case 'gone':
    case 'redirect':
    case 'not-html':
    case 'noindex':
      return true;
    case 'kept':
    case 'hidden':
    case 'garbage':
    case 'duplicate':
      return settlement.textHash !== undefined && settlement.textHash !== ticket.known.textHash;
    default:
      return undefined;
  }
}

async function changedParts(id: number, packed: Uint8Array, pages: StoredPages): Promise<readonly string[]> {
  const [before] = await pages.detailsOf([id]);
  if (before === undefined) return [];
  const now = JSON.parse(unpackText(packed)) as Readonly<Record<string, string>>;
  return Object.keys(now).filter((part) => now[part] !== before.parts[part]);
}
