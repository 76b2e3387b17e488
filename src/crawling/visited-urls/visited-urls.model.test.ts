import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDatabase } from '../../kit/sqlite.ts';
import type { UrlState } from '../../model/lists.ts';
import { type Candidate, type Settlement, type Stamp, type UrlTransition, VisitedUrls } from './visited-urls.ts';

/** The visited-URL controller against a map, under random operations and interruptions. */
interface ModelUrl {
  readonly id: number;
  readonly candidate: Candidate;
  state: UrlState;
  reason: string | undefined;
  /** A candidate that is to be requested opens it again. */
  shut: boolean;
  readonly history: UrlTransition[];
}

const isWanted = (candidate: Candidate) => candidate.state === 'queued' || candidate.state === 'deferred';

class Model {
  readonly byKey = new Map<string, ModelUrl>();

  see(candidates: readonly Candidate[], stamp: Stamp): { id: number; news: string }[] {
    const before = new Set(this.byKey.keys());
    const decided = new Map<string, Candidate>();
    for (const candidate of candidates) {
      const known = decided.get(candidate.key);
      if (known === undefined || (!isWanted(known) && isWanted(candidate))) decided.set(candidate.key, candidate);
    }
    for (const candidate of candidates) {
      if (decided.get(candidate.key) === candidate && !before.has(candidate.key)) this.#enter(candidate, stamp);
    }
    return candidates.map((candidate) => {
      const url = this.byKey.get(candidate.key);
      if (url === undefined) throw new Error('not entered');
      if (decided.get(candidate.key) !== candidate) return { id: url.id, news: 'known' };
      if (!before.has(candidate.key)) return { id: url.id, news: 'new' };
      if (!url.shut || !isWanted(candidate)) return { id: url.id, news: 'known' };
      url.shut = false;
      this.settle({ id: url.id, state: candidate.state }, stamp);
      return { id: url.id, news: 'reopened' };
    });
  }

  settle({ id, state, reason }: Settlement, { now, run }: Stamp): void {
    const url = this.byId(id);
    if (url.state === state && url.reason === reason) return;
    url.history.push({ at: now, from: url.state, to: state, reason, run });
    url.state = state;
    url.reason = reason;
    if (state === 'avoided') url.shut = true;
  }

  resume(stamp: Stamp): number[] {
    const flying = [...this.byKey.values()].filter((url) => url.state === 'in-flight');
    for (const url of flying) {
      const state = url.history.at(-1)?.from === 'deferred' ? 'deferred' : 'queued';
      this.settle({ id: url.id, state }, stamp);
    }
    return flying.map((url) => url.id).sort((a, b) => a - b);
  }

  byId(id: number): ModelUrl {
    const url = [...this.byKey.values()].find((found) => found.id === id);
    if (url === undefined) throw new Error(`no URL ${id}`);
    return url;
  }

  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { state, reason } of this.byKey.values()) {
      const name = `${state} ${reason ?? ''}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  #enter(candidate: Candidate, { now, run }: Stamp): void {
    const { state, reason, key } = candidate;
    const history = [{ at: now, from: undefined, to: state, reason, run }];
    this.byKey.set(key, { id: this.byKey.size + 1, candidate, state, reason, shut: !isWanted(candidate), history });
  }
}

const candidate: fc.Arbitrary<Candidate> = fc
  .record({
    host: fc.constantFrom('a.example', 'b.example', 'c.example'),
    path: fc.integer({ min: 0, max: 9 }),
    depth: fc.nat(5),
    fate: fc.constantFrom('queued', 'queued', 'queued', 'deferred', 'avoided', 'scope', 'nofollow'),
  })
  .map(({ host, path, depth, fate }) => {
    const key = `http://${host}/${path}`;
    const place = { url: `${key}?sid=1`, key, host, depth, priority: -depth };
    if (fate === 'scope' || fate === 'nofollow') return { ...place, state: 'refused', reason: fate };
    if (fate === 'queued' || fate === 'deferred' || fate === 'avoided') return { ...place, state: fate };
    throw new Error(fate);
  });

const outcome = fc.constantFrom<readonly [UrlState, string | undefined]>(
  ['in-flight', undefined],
  ['in-flight', undefined],
  ['kept', undefined],
  ['garbage', undefined],
  ['failed', 'timeout'],
  ['failed', 'dns'],
  ['queued', 'timeout'],
  ['avoided', undefined],
  ['refused', 'robots'],
);

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ see: fc.array(candidate, { maxLength: 12 }) }) },
  { weight: 4, arbitrary: fc.record({ settle: fc.array(fc.tuple(fc.nat(29), outcome), { maxLength: 6 }) }) },
  fc.record({ interrupt: fc.constant(true) }),
);

async function check(steps: readonly (typeof operation extends fc.Arbitrary<infer T> ? T : never)[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'visited-test-'));
  const open = () => openDatabase(join(folder, 'a.db'), { readOnly: false, busyTimeoutMs: 0, cacheBytes: 2 ** 20 });
  // Caches much smaller than the number of URLs, so that every way to the table is taken.
  const options = { seenCacheEntries: 4, hostCacheEntries: 2 };
  let database = open();
  try {
    let visited = new VisitedUrls(database, options);
    const model = new Model();
    for (const [i, step] of steps.entries()) {
      const stamp = { now: 1_000 + i, run: 1 + Math.floor(i / 5) };
      if ('see' in step) {
        const seen = await visited.seeMany(step.see, stamp);
        expect(seen.map(({ id, news }) => ({ id, news }))).toEqual(model.see(step.see, stamp));
      } else if ('settle' in step) {
        const known = step.settle.filter(([index]) => index < model.byKey.size);
        const settlements = known.map(([index, [state, reason]]) => ({ id: index + 1, state, reason }));
        await visited.settleMany(settlements, stamp);
        for (const settlement of settlements) model.settle(settlement, stamp);
      } else {
        database.close();
        database = open();
        visited = new VisitedUrls(database, options);
        const ids = model.resume(stamp);
        expect((await visited.resume(stamp)).map((url) => url.id)).toEqual(ids);
      }
    }
    await expectSame(visited, model);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

async function expectSame(visited: VisitedUrls, model: Model): Promise<void> {
  const urls = [...model.byKey.values()].sort((a, b) => a.id - b.id);
  const listed = await visited.list({ state: undefined, after: 0, limit: 100 });
  expect(listed.map(({ id, key, state, reason }) => ({ id, key, state, reason }))).toEqual(
    urls.map(({ id, candidate: { key }, state, reason }) => ({ id, key, state, reason })),
  );
  for (const url of urls) {
    expect(await visited.history(url.id)).toEqual(url.history);
    expect((await visited.find(url.candidate.key, url.candidate.host))?.id).toBe(url.id);
  }
  const counts = (await visited.counts()).map(({ state, reason, count }) => [`${state} ${reason ?? ''}`, count]);
  expect(Object.fromEntries(counts)).toEqual(model.counts());
  for (const state of ['queued', 'in-flight', 'kept', 'failed', 'refused'] as const) {
    const expected = urls.filter((url) => url.state === state).map((url) => url.id);
    const first = await visited.list({ state, after: 0, limit: 2 });
    const rest = await visited.list({ state, after: first.at(-1)?.id ?? 0, limit: 100 });
    expect([...first, ...rest].map((url) => url.id)).toEqual(expected);
  }
  for (const host of visited.hosts.list(0, 10)) await expectHostCounts(visited, host, urls);
}

async function expectHostCounts(
  visited: VisitedUrls,
  host: { readonly id: number; readonly name: string },
  urls: readonly ModelUrl[],
): Promise<void> {
  const own = urls.filter((url) => url.candidate.host === host.name);
  const settled = own.filter((url) => !['queued', 'deferred', 'in-flight'].includes(url.state)).length;
  const counts = await visited.counts(host.id);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(settled);
  const listed = await visited.listHost(host.id, undefined, 100);
  expect(listed.map((url) => url.id).sort((a, b) => a - b)).toEqual(own.map((url) => url.id));
}

it('equals the model under random operations and interruptions', async () => {
  await fc.assert(fc.asyncProperty(fc.array(operation, { maxLength: 20 }), check), { numRuns: 50 });
});
