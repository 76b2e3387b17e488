import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDatabase } from '../kit/sqlite.ts';
import { SIGNAL_SOURCES, type SignalSource } from '../model/changes.ts';
import { PageChecks, readChecks } from './page-checks.ts';

const memory = () => openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 1 << 20 });
const check = (id: number, since: number, at: number, changed = false) => ({ id, since, at, changed, parts: [] });

it('a check uses up the signals that came before it, and no later one', async () => {
  const checks = new PageChecks(memory());
  await checks.signalMany([
    { id: 1, source: 'beacon', at: 10 },
    { id: 1, source: 'beacon', at: 20 },
    { id: 1, source: 'sitemap', at: 25 },
    { id: 2, source: 'feed', at: 10 },
  ]);
  await checks.noteMany([{ ...check(1, 5, 20, true), parts: ['title', 'mainText'] }]);
  expect(await checks.checksOf(1)).toEqual([
    { id: 1, since: 5, at: 20, changed: true, parts: ['title', 'mainText'], signals: { beacon: 2 } },
  ]);
  expect(await checks.waiting()).toEqual(
    new Map([
      [1, { sitemap: 1 }],
      [2, { feed: 1 }],
    ]),
  );
});

it('holds the newest 32 checks of a page, and twenty waiting signals of a source', async () => {
  const checks = new PageChecks(memory());
  for (let n = 0; n < 40; n++) await checks.noteMany([check(1, n, n + 1)]);
  expect((await checks.checksOf(1)).map(({ at }) => at)).toEqual(Array.from({ length: 32 }, (_, n) => n + 9));
  await checks.signalMany(
    Array.from({ length: 1000 }, (_, at) => ({ id: 1, source: 'beacon' as const, at: 100 + at })),
  );
  expect((await checks.waiting()).get(1)).toEqual({ beacon: 20 });
});

it('a folder that was never updated has no checks', () => {
  expect(readChecks(memory(), 1)).toEqual([]);
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('signal' as const), id: fc.nat(3), source: fc.constantFrom(...SIGNAL_SOURCES) }),
  fc.record({ kind: fc.constant('check' as const), id: fc.nat(3), changed: fc.boolean() }),
);

it('any order of signals and checks leaves what a plain list leaves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const checks = new PageChecks(memory());
      const twin = new Map<number, { signals: SignalSource[]; seen: { changed: boolean; told: number }[] }>();
      for (const [at, one] of steps.entries()) {
        const page = twin.get(one.id) ?? { signals: [], seen: [] };
        twin.set(one.id, page);
        if (one.kind === 'signal') {
          await checks.signalMany([{ id: one.id, source: one.source, at }]);
          page.signals.push(one.source);
        } else {
          await checks.noteMany([check(one.id, at - 1, at, one.changed)]);
          page.seen.push({ changed: one.changed, told: page.signals.length });
          page.signals = [];
        }
      }
      const all = new Map([...checks.all()].map(({ id, checks: found }) => [id, found]));
      for (const [id, { seen, signals }] of twin) {
        const found = (all.get(id) ?? []).map(({ changed, signals: told }) => ({
          changed,
          told: Object.values(told).reduce((sum, n) => sum + n, 0),
        }));
        expect(found).toEqual(seen);
        const waiting = Object.values((await checks.waiting()).get(id) ?? {});
        expect(waiting.reduce((sum, n) => sum + n, 0)).toBe(signals.length);
      }
    }),
  );
});
