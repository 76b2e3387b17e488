import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../kit/sqlite.ts';
import type { ChangeReport } from '../../model/changes.ts';
import { ReportBuffer, ReportQueue } from './queue.ts';

const ROOMY = { perSite: 10, total: 100 };

function memory(): Database {
  return openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
}

function report(page: number, at: number, host = 'a'): ChangeReport {
  const key = `http://${host}/${page}`;
  const parts = { title: `${at}`, text: '', headings: '', links: '', images: '', metadata: '' };
  return { url: key, key, host, site: `${host}/`, parts, at, visitor: `visitor ${at}` };
}

const short = ({ host, key, at }: ChangeReport): string => `${host}${key.split('/').at(-1)} ${at}`;

describe('queue of reports', () => {
  it('holds one report a page, the newest by the clock, oldest first', async () => {
    const queue = new ReportQueue(memory(), ROOMY);
    await queue.putMany([report(1, 5), report(2, 3), report(1, 4)]);
    await queue.putMany([report(2, 9), report(3, 6)]);
    expect(await queue.firstMany(10)).toEqual([report(1, 5), report(3, 6), report(2, 9)]);
    expect(await queue.firstMany(1)).toEqual([report(1, 5)]);
  });

  it('is bounded: further pages are dropped, newer reports of pages held are not', async () => {
    const queue = new ReportQueue(memory(), { perSite: 2, total: 9 });
    expect(await queue.putMany([report(1, 1), report(2, 2), report(3, 3)])).toBe(1);
    expect(await queue.putMany([report(1, 4), report(4, 5)])).toBe(1);
    expect((await queue.firstMany(9)).map(({ at }) => at)).toEqual([2, 4]);
  });

  it('a site that floods it loses its own reports only, and waits its turn', async () => {
    const queue = new ReportQueue(memory(), { perSite: 50, total: 99 });
    const flood = Array.from({ length: 1_000 }, (_, page) => report(page, page, 'flood'));
    expect(await queue.putMany([...flood, report(1, 5_000, 'calm')])).toBe(950);
    expect((await queue.firstMany(3)).map(short)).toEqual(['calm1 5000', 'flood0 0', 'flood1 1']);
  });

  it('sites are served in turn, however few are taken at once', async () => {
    const queue = new ReportQueue(memory(), ROOMY);
    await queue.putMany(['a', 'b', 'c'].flatMap((host) => [1, 2, 3].map((page) => report(page, page, host))));
    const served = [];
    for (let i = 0; i < 6; i++) {
      const taken = await queue.firstMany(1);
      await queue.removeMany(taken);
      // A site that always has more does not get in before the others.
      await queue.putMany([report(100 + i, 100 + i, 'a')]);
      served.push(...taken.map(({ host }) => host));
    }
    expect(served.join('')).toBe('abcabc');
  });

  it('a report that came while its forerunner was looked at stays', async () => {
    const queue = new ReportQueue(memory(), ROOMY);
    await queue.putMany([report(1, 1)]);
    const taken = await queue.firstMany(1);
    await queue.putMany([report(1, 2)]);
    await queue.removeMany(taken);
    expect(await queue.firstMany(9)).toEqual([report(1, 2)]);
    await queue.removeMany([report(1, 2)]);
    expect(queue.size()).toBe(0);
  });

  it('who reported is never written: another connection finds no visitor', async () => {
    const database = memory();
    await new ReportQueue(database, ROOMY).putMany([report(1, 1)]);
    expect(await new ReportQueue(database, ROOMY).firstMany(1)).toEqual([{ ...report(1, 1), visitor: '' }]);
  });

  it('takes over the table of an older file; its hashes were of another kind', async () => {
    const database = memory();
    database.migrate('report-queue', [
      `CREATE TABLE report_queue (
         key TEXT PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, parts TEXT NOT NULL, at INTEGER NOT NULL)
         WITHOUT ROWID;
       CREATE INDEX report_queue_order ON report_queue (at, key);
       INSERT INTO report_queue VALUES ('http://a/', 'http://a/', 'a', '{"title":"0123456789abcdef"}', 1);`,
    ]);
    const queue = new ReportQueue(database, ROOMY);
    expect(queue.size()).toBe(0);
    await queue.putMany([report(1, 1)]);
    expect((await queue.firstMany(9)).map(short)).toEqual(['a1 1']);
  });
});

/** The rules read plainly: a map of maps. */
class NaiveQueue {
  readonly #sites = new Map<string, Map<string, ChangeReport>>();
  readonly #limits: { readonly perSite: number; readonly total: number };
  #served = '';

  constructor(limits: { readonly perSite: number; readonly total: number }) {
    this.#limits = limits;
  }

  put(one: ChangeReport): boolean {
    const pages = this.#sites.get(one.site) ?? new Map<string, ChangeReport>();
    this.#sites.set(one.site, pages);
    const held = pages.get(one.key);
    const total = [...this.#sites.values()].reduce((sum, { size }) => sum + size, 0);
    if (held === undefined && (total >= this.#limits.total || pages.size >= this.#limits.perSite)) return false;
    if (held === undefined || held.at <= one.at) pages.set(one.key, one);
    return true;
  }

  first(limit: number): ChangeReport[] {
    const names = [...this.#sites.keys()].sort();
    const turn = [...names.filter((name) => name > this.#served), ...names.filter((name) => name <= this.#served)];
    const lists = turn.map((name) =>
      [...(this.#sites.get(name)?.values() ?? [])].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1)),
    );
    const out: ChangeReport[] = [];
    for (let round = 0; lists.some((list) => list.length > round); round++)
      out.push(...lists.flatMap((list) => list.slice(round, round + 1)));
    return out.slice(0, limit);
  }

  remove(reports: readonly ChangeReport[]): void {
    for (const one of reports) {
      const held = this.#sites.get(one.site)?.get(one.key);
      if (held !== undefined && held.at <= one.at) this.#sites.get(one.site)?.delete(one.key);
      this.#served = one.site;
    }
  }
}

describe('queue and buffer under any operations', () => {
  const someReport = fc
    .record({ host: fc.constantFrom('a', 'b', 'c'), page: fc.nat(4), at: fc.nat(9) })
    .map(({ host, page, at }) => report(page, at, host));
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), reports: fc.array(someReport, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('serve' as const), limit: fc.integer({ min: 1, max: 5 }), late: someReport }),
  );
  const LIMITS = { perSite: 3, total: 7 };

  it('the queue equals its naive twin', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
        const queue = new ReportQueue(memory(), LIMITS);
        const twin = new NaiveQueue(LIMITS);
        for (const step of operations) {
          if (step.kind === 'put') {
            // One by one: of reports put together the newest of a page comes first into its slot.
            for (const one of step.reports) expect(await queue.putMany([one])).toBe(twin.put(one) ? 0 : 1);
          } else {
            const taken = await queue.firstMany(step.limit);
            expect(taken).toEqual(twin.first(step.limit));
            expect(await queue.putMany([step.late])).toBe(twin.put(step.late) ? 0 : 1);
            await queue.removeMany(taken);
            twin.remove(taken);
          }
        }
        expect(await queue.firstMany(99)).toEqual(twin.first(99));
      }),
    );
  });

  it('the buffer equals it too', () => {
    fc.assert(
      fc.property(fc.array(someReport, { maxLength: 30 }), (reports) => {
        const buffer = new ReportBuffer(LIMITS);
        const twin = new NaiveQueue(LIMITS);
        for (const one of reports) expect(buffer.put(one)).toBe(twin.put(one));
        expect(buffer.isFull).toBe(twin.first(99).length >= LIMITS.total);
        expect(new Set(buffer.takeAll())).toEqual(new Set(twin.first(99)));
        expect(buffer.takeAll()).toEqual([]);
      }),
    );
  });
});
