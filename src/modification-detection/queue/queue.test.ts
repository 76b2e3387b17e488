import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../kit/sqlite.ts';
import type { ChangeReport } from '../../model/changes.ts';
import { ReportBuffer, ReportQueue } from './queue.ts';

function memory(): Database {
  return openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
}

function report(page: number, at: number): ChangeReport {
  const key = `http://a/${page}`;
  const parts = { title: `${at}`, text: '', headings: '', links: '', images: '', metadata: '' };
  return { url: key, key, host: 'a', parts, at, visitor: `visitor ${at}` };
}

describe('queue of reports', () => {
  it('holds one report a page, the newest by the clock, oldest first', async () => {
    const queue = new ReportQueue(memory(), 10);
    await queue.putMany([report(1, 5), report(2, 3), report(1, 4)]);
    await queue.putMany([report(2, 9), report(3, 6)]);
    expect(await queue.firstMany(10)).toEqual([report(1, 5), report(3, 6), report(2, 9)]);
    expect(await queue.firstMany(1)).toEqual([report(1, 5)]);
  });

  it('is bounded: further pages are dropped, newer reports of pages held are not', async () => {
    const queue = new ReportQueue(memory(), 2);
    expect(await queue.putMany([report(1, 1), report(2, 2), report(3, 3)])).toBe(1);
    expect(await queue.putMany([report(1, 4), report(4, 5)])).toBe(1);
    expect((await queue.firstMany(9)).map(({ at }) => at)).toEqual([2, 4]);
  });

  it('a report that came while its forerunner was looked at stays', async () => {
    const queue = new ReportQueue(memory(), 2);
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
    await new ReportQueue(database, 2).putMany([report(1, 1)]);
    expect(await new ReportQueue(database, 2).firstMany(1)).toEqual([{ ...report(1, 1), visitor: '' }]);
  });

  it('buffer and queue hold what a Map of the newest holds', async () => {
    const entries = fc.array(fc.record({ page: fc.nat(4), at: fc.nat(9) }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(entries, async (seen) => {
        const newest = new Map<number, number>();
        const buffer = new ReportBuffer(5);
        const queue = new ReportQueue(memory(), 5);
        for (const { page, at } of seen) {
          newest.set(page, Math.max(at, newest.get(page) ?? 0));
          buffer.put(report(page, at));
          await queue.putMany([report(page, at)]);
        }
        const expected = new Set([...newest].map(([page, at]) => `${page} ${at}`));
        const told = (reports: readonly ChangeReport[]): Set<string> =>
          new Set(reports.map(({ key, at }) => `${key.slice('http://a/'.length)} ${at}`));
        expect(told(buffer.takeAll())).toEqual(expected);
        expect(told(await queue.firstMany(9))).toEqual(expected);
        expect(buffer.takeAll()).toEqual([]);
      }),
    );
  });

  it('a full buffer says so', () => {
    const buffer = new ReportBuffer(1);
    expect([buffer.put(report(1, 1)), buffer.put(report(2, 2)), buffer.put(report(1, 3))]).toEqual([true, false, true]);
  });
});
