import { hash64 } from '../../kit/hash.ts';
import type { Database } from '../../kit/sqlite.ts';
import type { RefusedReason } from '../../model/lists.ts';
import { CountChanges } from './counts.ts';
import type { Hosts } from './hosts.ts';
import { STATE_CODES } from './schema.ts';
import type { SeenCache } from './seen-cache.ts';
import { settle } from './settle.ts';
import type { Stamp } from './transitions.ts';

/** A link as the URL validator leaves it. */
export interface Candidate {
  readonly url: string;
  readonly key: string;
  /** Host name of the key, without port. */
  readonly host: string;
  readonly depth: number;
  readonly priority: number;
  /** Id of the page it was found on; undefined for seeds and sitemaps. */
  readonly foundFrom?: number | undefined;
  readonly state: 'queued' | 'deferred' | 'refused' | 'avoided';
  /** Why it is refused. */
  readonly reason?: RefusedReason | undefined;
}

export interface SeenUrl {
  readonly id: number;
  readonly hostId: number;
  /**
   * `new`: seen for the first time. `reopened`: was refused or avoided when found earlier, and this candidate is to be
   * requested. `known`: nothing to do. New and reopened candidates that are queued or deferred belong in the frontier.
   */
  readonly news: 'new' | 'reopened' | 'known';
}

export interface Seeing {
  readonly database: Database;
  readonly hosts: Hosts;
  readonly cache: SeenCache;
  readonly stamp: Stamp;
}

/** One batch of candidates against the seen-set. Runs inside a transaction. */
export function see(candidates: readonly Candidate[], seeing: Seeing): SeenUrl[] {
  const sightings = candidates.map((candidate, place) => sight(candidate, place, seeing));
  // Sorted by (host, hash) the key table is read and written leaf by leaf, and equal keys stand side by side.
  const groups = groupByKey(sightings.filter((sighting) => sighting.id === 0));
  const fresh = groups.filter((group) => !lookUp(group, seeing));
  enter(fresh, seeing);
  for (const { leader, members } of groups) {
    for (const member of members) member.id = leader.id;
    if (isWanted(leader.candidate)) seeing.cache.set(leader.hostId, leader.hash, leader.id);
  }
  return sightings.map(({ id, hostId, news }) => ({ id, hostId, news }));
}

interface Sighting {
  readonly candidate: Candidate;
  readonly hostId: number;
  readonly hash: bigint;
  /** Position in the batch. */
  readonly place: number;
  /** 0 until known. */
  id: number;
  news: SeenUrl['news'];
}

/** Candidates of one batch with the same key. */
interface KeyGroup {
  /** The first that is to be requested, else the first. */
  leader: Sighting;
  readonly members: Sighting[];
}

function isWanted(candidate: Candidate): boolean {
  return candidate.state === 'queued' || candidate.state === 'deferred';
}

function sight(candidate: Candidate, place: number, { hosts, cache, stamp }: Seeing): Sighting {
  const hostId = hosts.idOf(candidate.host, stamp.now);
  const hash = hash64(candidate.key);
  return { candidate, hostId, hash, place, id: cache.get(hostId, hash) ?? 0, news: 'known' };
}

function groupByKey(sightings: Sighting[]): KeyGroup[] {
  sightings.sort(byKeyOrder);
  const groups: KeyGroup[] = [];
  let group: KeyGroup | undefined;
  for (const sighting of sightings) {
    if (group === undefined || byKeyOrder(group.leader, sighting) !== 0) {
      groups.push((group = { leader: sighting, members: [] }));
    }
    group.members.push(sighting);
    if (!isWanted(group.leader.candidate) && isWanted(sighting.candidate)) group.leader = sighting;
  }
  return groups;
}

function byKeyOrder(a: Sighting, b: Sighting): number {
  if (a.hostId !== b.hostId) return a.hostId - b.hostId;
  return a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0;
}

/** False when the key was never seen. A URL that was not to be requested is opened by a candidate that is. */
function lookUp({ leader }: KeyGroup, seeing: Seeing): boolean {
  const row = seeing.database.get<{ url_id: number; shut: number }>(
    'SELECT url_id, shut FROM url_keys WHERE host_id = ? AND hash = ?',
    leader.hostId,
    leader.hash,
  );
  if (row === undefined) return false;
  leader.id = row.url_id;
  if (row.shut === 1 && isWanted(leader.candidate)) reopen(leader, seeing);
  return true;
}

function reopen(sighting: Sighting, { database, hosts, stamp }: Seeing): void {
  const { id, hostId, hash, candidate } = sighting;
  sighting.news = 'reopened';
  database.run('UPDATE url_keys SET shut = 0 WHERE host_id = ? AND hash = ?', hostId, hash);
  database.run(
    'UPDATE urls SET depth = ?, priority = ?, found_from = ? WHERE id = ?',
    candidate.depth,
    candidate.priority,
    candidate.foundFrom ?? null,
    id,
  );
  settle([{ id, state: candidate.state }], { database, hosts, stamp });
}

/** Rows in the order in which the links were found, then keys in the order of their table. */
function enter(groups: readonly KeyGroup[], { database, stamp }: Seeing): void {
  const counts = new CountChanges();
  const leaders = groups.map((group) => group.leader);
  for (const leader of leaders.toSorted((a, b) => a.place - b.place)) {
    const { candidate, hostId } = leader;
    leader.news = 'new';
    leader.id = database.insert(
      INSERT_URL,
      hostId,
      candidate.key,
      candidate.url === candidate.key ? null : candidate.url,
      STATE_CODES[candidate.state],
      candidate.reason ?? null,
      candidate.depth,
      candidate.priority,
      candidate.foundFrom ?? null,
      stamp.now,
      stamp.run,
    );
    counts.add({ hostId, state: candidate.state, reason: candidate.reason, change: 1 });
  }
  const insertKey = database.prepare('INSERT INTO url_keys (host_id, hash, url_id, shut) VALUES (?, ?, ?, ?)');
  for (const { hostId, hash, id, candidate } of leaders) insertKey.run(hostId, hash, id, isWanted(candidate) ? 0 : 1);
  counts.write(database);
}

const INSERT_URL = `INSERT INTO urls
  (host_id, key, url, state, reason, depth, priority, found_from, found_at, found_run, transitions)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`;
