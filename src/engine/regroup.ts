import type { Settled } from './crawl-types.ts';
import type { SettleParts } from './settle-step.ts';

/** A batch whose members stand where the document controller has them now, and the committed pages that must move. */
export interface Regrouping {
  readonly batch: readonly Settled[];
  readonly replaced: ReadonlySet<number>;
  readonly restored: ReadonlySet<number>;
  readonly condemned: ReadonlySet<number>;
}

/**
 * While a page was being judged, a page preferred to it may have come in, or its text been condemned: what counts is
 * the controller's answer now. Pages committed earlier whose place changed are listed apart.
 */
export function regroup(finished: readonly Settled[], parts: SettleParts): Regrouping {
  const moves = { replaced: new Set<number>(), restored: new Set<number>(), condemned: new Set<number>() };
  for (const settled of finished) {
    if (settled.condemnedText === true)
      note(moves, parts.controller.rememberGarbage(settled.ticket.id, parts.judgedBy));
    else if (settled.index !== undefined) parts.controller.rememberKept(settled.ticket.id, parts.judgedBy);
    if (settled.regrouped !== undefined) note(moves, settled.regrouped);
  }
  const batch = finished.map((settled) => placed(settled, parts));
  for (const { ticket } of finished) for (const set of Object.values(moves)) set.delete(ticket.id);
  return { batch, ...moves };
}

interface Moves {
  readonly replaced: Set<number>;
  readonly restored: Set<number>;
  readonly condemned: Set<number>;
}

/** A later change of the same page takes back an earlier one. */
function note(
  moves: Moves,
  changes: {
    readonly replaced: readonly number[];
    readonly restored: readonly number[];
    readonly condemned: readonly number[];
  },
): void {
  for (const id of changes.replaced) {
    moves.restored.delete(id);
    moves.replaced.add(id);
  }
  for (const id of changes.restored) {
    moves.replaced.delete(id);
    moves.condemned.delete(id);
    moves.restored.add(id);
  }
  for (const id of changes.condemned) moves.condemned.add(id);
}

function placed(settled: Settled, parts: SettleParts): Settled {
  const place = parts.controller.placeOf(settled.ticket.id);
  if (place === undefined || settled.regrouped === undefined) return settled;
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
  if (settlement.state === 'duplicate' && place.relation === 'new') {
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

/** Committed pages that change places. Runs inside the batch's transaction. */
export async function applyRegrouping(moves: Regrouping, parts: RegroupingParts): Promise<void> {
  for (const id of moves.replaced) await replace(id, parts);
  for (const id of moves.restored) await restore(id, parts);
  for (const id of moves.condemned) await condemn(id, parts);
}

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
  await parts.visited.settleMany(
    [{ id, state: 'garbage', reason: 'copy-of-garbage', kinds: ['copy-of-garbage'], duplicateOf: place?.of }],
    parts.stamp(),
  );
  if (url.answer?.fetchedAt !== undefined && url.answer.fetchedAt >= parts.startedAt) {
    parts.counter.move(url.reason === 'near' ? 'near' : 'exact', 'copy-of-garbage');
  }
}
