import type { VisitedUrl, VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import type { Changes } from '../document-controller/document-controller.ts';
import type { GarbageKind, UrlState } from '../model/lists.ts';
import { registrableDomain } from '../url/url.ts';
import type { Settled } from './crawl-types.ts';
import type { SettleParts } from './settle-step.ts';

/**
 * Changes of place that the document controller has told and that are not committed yet. The controller writes what it
 * knows as a whole, so these must be applied in the very transaction that flushes it: a page admitted but not settled
 * may have taken the place of one that is.
 */
export class PendingMoves {
  readonly #replaced = new Set<number>();
  readonly #restored = new Set<number>();
  readonly #condemned = new Set<number>();

  /** A later change of the same page takes back an earlier one. */
  note(changes: Changes): void {
    for (const id of changes.replaced) {
      this.#restored.delete(id);
      this.#replaced.add(id);
    }
    for (const id of changes.restored) {
      this.#replaced.delete(id);
      this.#condemned.delete(id);
      this.#restored.add(id);
    }
    for (const id of changes.condemned) this.#condemned.add(id);
  }

  /** The changes noted so far, which are forgotten; undefined when there are none. */
  take(): Changes | undefined {
    if (this.#replaced.size + this.#restored.size + this.#condemned.size === 0) return undefined;
    const changes = { replaced: [...this.#replaced], restored: [...this.#restored], condemned: [...this.#condemned] };
    for (const set of [this.#replaced, this.#restored, this.#condemned]) set.clear();
    return changes;
  }
}

/**
 * A batch whose members stand where the document controller has them now: while a page was being judged, a page
 * preferred to it may have come in, or its text been condemned. Verdicts are told to the controller, and pages that have
 * ceased to be pages leave it.
 */
export async function regroup(finished: readonly Settled[], parts: SettleParts): Promise<readonly Settled[]> {
  const { controller, judgedBy, moves } = parts;
  for (const settled of finished) {
    const { id } = settled.ticket;
    if (settled.condemnedText === true) moves.note(controller.rememberGarbage(id, judgedBy));
    else if (settled.index !== undefined) moves.note(ofOthers(controller.rememberKept(id, judgedBy), id));
    else if (NO_LONGER_PAGES.has(settled.settlement.state)) moves.note(controller.remove([id]));
  }
  const batch = [];
  for (const settled of finished) batch.push(await placed(settled, parts));
  return batch;
}

/** The page itself is being settled. */
function ofOthers({ replaced, restored, condemned }: Changes, id: number): Changes {
  const others = (ids: readonly number[]) => ids.filter((page) => page !== id);
  return { replaced: others(replaced), restored: others(restored), condemned: others(condemned) };
}

/**
 * Whether a copy takes the verdict of the page judged garbage. Only on the same domain: a verdict may rest on what is no
 * part of the text compared (hidden links, the host's other pages), and whoever copies a good page must not take it out
 * of the index.
 */
export async function inheritsGarbage(
  page: { readonly id: number; readonly host: string },
  of: number | undefined,
  visited: Pick<VisitedUrls, 'get'>,
): Promise<boolean> {
  if (of === undefined || of === page.id) return false;
  const judged = await visited.get(of);
  return judged !== undefined && registrableDomain(judged.host) === registrableDomain(page.host);
}

/** States in which a URL has no text that others could be copies of. */
const NO_LONGER_PAGES: ReadonlySet<UrlState> = new Set(['redirect', 'gone', 'not-html', 'noindex', 'refused']);

/** Inside a transaction: applies what is pending until nothing is, then lets the controller write: nothing may come between. */
export async function commitMoves(moves: PendingMoves, parts: RegroupingParts): Promise<void> {
  for (let changes = moves.take(); changes !== undefined; changes = moves.take()) {
    for (const id of changes.replaced) await replace(id, parts);
    for (const id of changes.restored) await restore(id, parts);
    for (const id of changes.condemned) await condemn(id, parts);
  }
  parts.controller.flush();
}

async function placed(settled: Settled, parts: SettleParts): Promise<Settled> {
  const place = parts.controller.placeOf(settled.ticket.id);
  if (place === undefined || settled.admitted !== true) return settled;
  const { ticket, settlement, counted } = settled;
  if (settled.index !== undefined && (place.relation === 'near' || place.relation === 'exact')) {
    return {
      ticket,
      settlement: { ...settlement, state: 'duplicate', reason: place.relation, duplicateOf: place.of },
      counted: { ...counted, state: 'duplicate', copy: place.relation },
      links: settled.links,
      judged: settled.judged,
      unindex: ticket.known.wasKept,
    };
  }
  const isGarbageCopy = settlement.state === 'duplicate' && place.relation === 'garbage-copy';
  if (isGarbageCopy && (await inheritsGarbage(ticket, place.of, parts.visited))) {
    const kinds: readonly GarbageKind[] = ['copy-of-garbage'];
    return {
      ...settled,
      settlement: { ...settlement, state: 'garbage', reason: 'copy-of-garbage', kinds, duplicateOf: place.of },
      counted: { ...counted, state: 'garbage', copy: undefined, kinds },
    };
  }
  if (isGarbageCopy || (settlement.state === 'duplicate' && place.relation === 'new')) {
    const state = ticket.deferred ? 'deferred' : 'queued';
    return {
      ...settled,
      settlement: { id: ticket.id, state, fetched: settlement.fetched },
      counted: { ...counted, state, copy: undefined },
      again: { notBefore: undefined, deferred: ticket.deferred },
    };
  }
  if (settlement.state === 'duplicate' && place.of !== settlement.duplicateOf) {
    return { ...settled, settlement: { ...settlement, duplicateOf: place.of } };
  }
  return settled;
}

/** What moving committed pages takes. */
export type RegroupingParts = Pick<
  SettleParts,
  'visited' | 'frontier' | 'index' | 'repository' | 'controller' | 'counter' | 'startedAt' | 'stamp'
>;

/** Was the representative of its text; a preferred page took its place. */
async function replace(id: number, parts: RegroupingParts): Promise<void> {
  const url = await parts.visited.get(id);
  if (url?.state !== 'kept') return;
  const place = parts.controller.placeOf(id);
  const copy = place?.relation === 'near' ? 'near' : 'exact';
  await parts.index.removeMany([id]);
  await parts.repository.setState(id, 'duplicate', undefined);
  await parts.visited.settleMany([{ id, state: 'duplicate', reason: copy, duplicateOf: place?.of }], parts.stamp());
  if (url.answer?.fetchedAt !== undefined && url.answer.fetchedAt >= parts.startedAt) parts.counter.move('kept', copy);
}

/** Was a copy; what it was a copy of no longer stands for it. It is fetched again, since copies were never judged. */
async function restore(id: number, parts: RegroupingParts): Promise<void> {
  const url = await parts.visited.get(id);
  if (url === undefined || (url.state !== 'duplicate' && url.state !== 'garbage')) return;
  await fetchAgain(url, parts);
}

async function fetchAgain(url: VisitedUrl, parts: RegroupingParts): Promise<void> {
  const { id } = url;
  await parts.visited.settleMany([{ id, state: 'queued' }], parts.stamp());
  await parts.frontier.putMany([{ urlId: id, hostId: url.hostId, priority: url.priority }]);
  if (url.state === 'duplicate' && url.answer?.fetchedAt !== undefined && url.answer.fetchedAt >= parts.startedAt) {
    parts.counter.move(url.reason === 'near' ? 'near' : 'exact', 'none');
  }
}

/** Was a copy of a page that has now been judged garbage. */
async function condemn(id: number, parts: RegroupingParts): Promise<void> {
  const url = await parts.visited.get(id);
  if (url?.state !== 'duplicate') return;
  const place = parts.controller.placeOf(id);
  // Of another site: it is judged by itself.
  if (!(await inheritsGarbage(url, place?.of, parts.visited))) return await fetchAgain(url, parts);
  await parts.visited.settleMany(
    [{ id, state: 'garbage', reason: 'copy-of-garbage', kinds: ['copy-of-garbage'], duplicateOf: place?.of }],
    parts.stamp(),
  );
  if (url.answer?.fetchedAt !== undefined && url.answer.fetchedAt >= parts.startedAt) {
    parts.counter.move(url.reason === 'near' ? 'near' : 'exact', 'copy-of-garbage');
  }
}
