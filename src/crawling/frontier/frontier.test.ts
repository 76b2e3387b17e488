import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Database, NewerVersionError, openDatabase } from '../../kit/sqlite.ts';
import { Frontier, type FrontierEntry, type FrontierOptions } from './frontier.ts';

const OPTIONS: FrontierOptions = {
  delayMs: 100,
  backOffBaseMs: 1_000,
  backOffMaxMs: 10_000,
  deferredOneIn: 10,
  connectionsPerAddress: 2,
  addressGapMs: 0,
};

function openEmpty(): Database {
  return openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 2 ** 20 });
}

function open(changes: Partial<FrontierOptions> = {}): Frontier {
  return new Frontier(openEmpty(), { ...OPTIONS, ...changes });
}

async function takeIds(frontier: Frontier, now: number, limit = 100): Promise<number[]> {
  return (await frontier.takeMany({ limit, now })).map((ticket) => ticket.urlId);
}

/** URL ids in the order in which they come out when each is released at once, without delays. */
async function drain(frontier: Frontier): Promise<number[]> {
  const order: number[] = [];
  for (let now = 1; ; now++) {
    const [ticket] = await frontier.takeMany({ limit: 1, now });
    if (ticket === undefined) return order;
    order.push(ticket.urlId);
    await frontier.releaseMany([{ hostId: ticket.hostId, requests: 1 }], now);
  }
}

describe('order', () => {
  it('of one host is by priority, then by id', async () => {
    const priorities = fc.array(
      fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, min: -1e9, max: 1e9 })),
    );
    await fc.assert(
      fc.asyncProperty(priorities, fc.nat(5), async (list, batches) => {
        const frontier = open({ delayMs: 0 });
        const entries = list.map((priority, i) => ({ urlId: i + 1, hostId: 1, priority }));
        for (let part = 0; part <= batches; part++) {
          await frontier.putMany(entries.filter((entry) => entry.urlId % (batches + 1) === part));
        }
        const sorted = entries.toSorted((a, b) => b.priority - a.priority || a.urlId - b.urlId);
        expect(await drain(frontier)).toEqual(sorted.map((entry) => entry.urlId));
      }),
    );
  });

  it('over hosts is by the best URL of each', async () => {
    const frontier = open();
    await frontier.putMany([
      { urlId: 1, hostId: 1, priority: 1 },
      { urlId: 2, hostId: 2, priority: 3 },
      { urlId: 3, hostId: 3, priority: 2 },
      { urlId: 4, hostId: 1, priority: 2.5 },
    ]);
    expect(await takeIds(frontier, 0)).toEqual([2, 4, 3]);
  });

  it('is fair between hosts of equal priority: the one that has waited longest', async () => {
    const frontier = open({ delayMs: 0 });
    const entries = [1, 2, 3].flatMap((hostId) => [0, 1].map((n) => ({ urlId: hostId * 10 + n, hostId, priority: 0 })));
    await frontier.putMany(entries);
    expect(await drain(frontier)).toEqual([10, 20, 30, 11, 21, 31]);
  });

  it('follows a new priority', async () => {
    const frontier = open();
    await frontier.putMany([
      { urlId: 1, hostId: 1, priority: 5 },
      { urlId: 2, hostId: 1, priority: 4 },
      { urlId: 3, hostId: 2, priority: 3 },
    ]);
    await frontier.putMany([
      { urlId: 1, hostId: 1, priority: 0 },
      { urlId: 2, hostId: 1, priority: 1 },
    ]);
    expect(await takeIds(frontier, 0)).toEqual([3, 2]);
  });
});

describe('politeness', () => {
  const two: FrontierEntry[] = [
    { urlId: 1, hostId: 1, priority: 0 },
    { urlId: 2, hostId: 1, priority: 0 },
  ];

  it('asks a host by one request at a time and rests from its end on', async () => {
    const frontier = open();
    await frontier.putMany(two);
    expect(await takeIds(frontier, 1_000)).toEqual([1]);
    expect(await takeIds(frontier, 5_000)).toEqual([]);
    expect(frontier.nextDueAt(5_000)).toBeUndefined();
    await frontier.releaseMany([{ hostId: 1, requests: 1 }], 6_000);
    expect(frontier.nextDueAt(6_000)).toBe(6_100);
    expect(await takeIds(frontier, 6_099)).toEqual([]);
    expect(await takeIds(frontier, 6_100)).toEqual([2]);
  });

  it('rests as long as robots.txt asks for when that is longer', async () => {
    const frontier = open();
    await frontier.putMany(two);
    await frontier.setDelay(1, 700);
    await takeIds(frontier, 0);
    await frontier.releaseMany([{ hostId: 1, requests: 1 }], 0);
    expect(frontier.nextDueAt(0)).toBe(700);
  });

  it('does not rest after a URL for which nothing was asked', async () => {
    const frontier = open();
    await frontier.putMany(two);
    await takeIds(frontier, 50);
    await frontier.releaseMany([{ hostId: 1, requests: 0 }], 50);
    expect(await takeIds(frontier, 50)).toEqual([2]);
  });

  it('backs off for longer each time, not beyond the bound, and from the start again after an answer', async () => {
    const frontier = open();
    await frontier.putMany(Array.from({ length: 9 }, (_, i) => ({ urlId: i + 1, hostId: 1, priority: 0 })));
    const rests: number[] = [];
    let now = 0;
    for (const backOff of [{}, {}, {}, {}, {}, undefined, {}]) {
      await takeIds(frontier, now);
      await frontier.releaseMany([{ hostId: 1, requests: 1, backOff }], now);
      const due = frontier.nextDueAt(now) ?? Number.NaN;
      rests.push(due - now);
      now = due;
    }
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 100, 1_000]);
  });

  it('waits for Retry-After within the bound', async () => {
    for (const [retryAt, due] of [
      [5_000, 5_000],
      [99_000, 10_000],
      [50, 100],
    ] as const) {
      const frontier = open();
      await frontier.putMany(two);
      await takeIds(frontier, 0);
      await frontier.releaseMany([{ hostId: 1, requests: 1, backOff: { retryAt } }], 0);
      expect(frontier.nextDueAt(0)).toBe(due);
    }
  });

  it('asks an address by so many requests at once, whatever the names', async () => {
    const frontier = open();
    await frontier.putMany([1, 2, 3, 4].map((id) => ({ urlId: id, hostId: id, priority: -id })));
    for (const hostId of [1, 2, 3]) await frontier.setAddress(hostId, '192.0.2.1', 0);
    expect(await takeIds(frontier, 0)).toEqual([1, 2, 4]);
    await frontier.releaseMany([{ hostId: 2, requests: 1 }], 10);
    expect(await takeIds(frontier, 10)).toEqual([3]);
  });

  it('keeps a gap between two requests to an address', async () => {
    const frontier = open({ addressGapMs: 50, connectionsPerAddress: 8 });
    await frontier.putMany([1, 2].map((id) => ({ urlId: id, hostId: id, priority: 0 })));
    for (const hostId of [1, 2]) await frontier.setAddress(hostId, '192.0.2.1', 0);
    expect(await takeIds(frontier, 1_000)).toEqual([1]);
    expect(frontier.nextDueAt(1_000)).toBe(1_050);
    expect(await takeIds(frontier, 1_049)).toEqual([]);
    expect(await takeIds(frontier, 1_050)).toEqual([2]);
  });

  it('takes back a URL whose host turns out to stand at a busy address', async () => {
    const frontier = open({ connectionsPerAddress: 1 });
    await frontier.putMany([1, 2].map((id) => ({ urlId: id, hostId: id, priority: 0 })));
    expect(await takeIds(frontier, 0)).toEqual([1, 2]);
    expect(await frontier.setAddress(1, '192.0.2.1', 0)).toBe('admitted');
    expect(await frontier.setAddress(2, '192.0.2.1', 0)).toBe('put-back');
    expect(frontier.sizes()).toMatchObject({ queued: 1, inFlight: 1 });
    await frontier.releaseMany([{ hostId: 1, requests: 1 }], 20);
    expect(await takeIds(frontier, 20)).toEqual([2]);
  });

  it('wakes as many hosts as their address takes', async () => {
    const frontier = open({ connectionsPerAddress: 3 });
    await frontier.putMany([1, 2, 3, 4, 5, 6].map((id) => ({ urlId: id, hostId: id, priority: -id })));
    for (let hostId = 1; hostId <= 6; hostId++) await frontier.setAddress(hostId, '192.0.2.1', 0);
    expect(await takeIds(frontier, 0)).toEqual([1, 2, 3]);
    await frontier.releaseMany(
      [1, 2].map((hostId) => ({ hostId, requests: 1 })),
      5,
    );
    expect(await takeIds(frontier, 5)).toEqual([4, 5]);
  });

  it('lets a blocked host rest although its URL was taken back and its address is free again', async () => {
    const frontier = open({ connectionsPerAddress: 1 });
    await frontier.putMany([1, 2].map((id) => ({ urlId: id, hostId: id, priority: 0 })));
    await takeIds(frontier, 0);
    await frontier.setAddress(1, '192.0.2.1', 0);
    await frontier.blockUntil(2, 500);
    expect(await frontier.setAddress(2, '192.0.2.1', 0)).toBe('put-back');
    await frontier.releaseMany([{ hostId: 1, requests: 1 }], 10);
    expect(await takeIds(frontier, 499)).toEqual([]);
    expect(await takeIds(frontier, 500)).toEqual([2]);
  });

  it('finds the free host behind thousands at a busy address, in the calls it takes', async () => {
    const frontier = open({ connectionsPerAddress: 1 });
    const many = Array.from({ length: 2_500 }, (_, i) => ({ urlId: i + 1, hostId: i + 1, priority: 1 }));
    await frontier.putMany([...many, { urlId: 9_999, hostId: 9_999, priority: 0 }]);
    for (const { hostId } of many) await frontier.setAddress(hostId, '192.0.2.1', 0);
    const ids: number[] = [];
    while (frontier.nextDueAt(0) !== undefined) ids.push(...(await takeIds(frontier, 0, 2)));
    expect(ids).toEqual([1, 9_999]);
  });

  it('a block holds', async () => {
    const frontier = open();
    await frontier.putMany(two);
    await frontier.blockUntil(1, 3_000);
    expect(await takeIds(frontier, 2_999)).toEqual([]);
    expect(await takeIds(frontier, 3_000)).toEqual([1]);
  });
});

describe('deferred URLs', () => {
  it('come last and are one in ten of the requests of their host', async () => {
    const frontier = open({ delayMs: 0 });
    const ordinary = Array.from({ length: 25 }, (_, i) => ({ urlId: i + 1, hostId: 1, priority: -5 }));
    const deferred = Array.from({ length: 10 }, (_, i) => ({ urlId: 101 + i, hostId: 1, priority: 9, deferred: true }));
    await frontier.putMany([...deferred, ...ordinary]);
    expect(await drain(frontier)).toEqual([...ordinary.map((entry) => entry.urlId), 101, 102]);
    expect(frontier.sizes()).toEqual({ queued: 0, deferred: 8, waiting: 0, inFlight: 0 });
    expect(frontier.nextDueAt(1_000)).toBeUndefined();
  });

  it('do not lend their priority to an ordinary URL that comes after them', async () => {
    const frontier = open({ delayMs: 0, deferredOneIn: 1 });
    await frontier.putMany([
      { urlId: 1, hostId: 1, priority: 9, deferred: true },
      { urlId: 2, hostId: 2, priority: 5 },
    ]);
    await frontier.putMany([{ urlId: 3, hostId: 1, priority: 1 }]);
    expect(await takeIds(frontier, 0)).toEqual([2, 3]);
  });

  it('may be made of what is queued already', async () => {
    const frontier = open();
    await frontier.putMany([1, 2, 3].map((urlId) => ({ urlId, hostId: 1, priority: urlId })));
    expect(await frontier.deferOf(1, 2)).toEqual([3, 2]);
    expect(frontier.sizes()).toMatchObject({ queued: 1, deferred: 2 });
    expect(await takeIds(frontier, 0)).toEqual([1]);
  });
});

describe('storage', () => {
  it('removes what is queued of a host and of single URLs', async () => {
    const frontier = open();
    await frontier.putMany([1, 2, 3, 4].map((urlId) => ({ urlId, hostId: 1 + (urlId % 2), priority: urlId })));
    expect(await frontier.removeOf(1, 5)).toEqual([4, 2]);
    await frontier.removeMany([3, 77]);
    expect(await takeIds(frontier, 0)).toEqual([1]);
  });

  it('a host whose best URL was removed stands where its next one belongs', async () => {
    const frontier = open();
    await frontier.putMany([
      { urlId: 1, hostId: 1, priority: 9 },
      { urlId: 2, hostId: 1, priority: 1 },
      { urlId: 3, hostId: 2, priority: 5 },
    ]);
    await frontier.removeMany([1]);
    expect(await takeIds(frontier, 0)).toEqual([3, 2]);
  });

  it('a transaction that fails leaves sizes and order as they were', async () => {
    const database = openEmpty();
    const frontier = new Frontier(database, OPTIONS);
    await frontier.putMany([{ urlId: 1, hostId: 1, priority: 0 }]);
    const failing = database.asyncTransaction(async () => {
      await frontier.putMany([{ urlId: 2, hostId: 2, priority: 9 }]);
      await frontier.takeMany({ limit: 1, now: 0 });
      throw new Error('planned');
    });
    await expect(failing).rejects.toThrow('planned');
    expect(frontier.sizes()).toEqual({ queued: 1, deferred: 0, waiting: 0, inFlight: 0 });
    expect(await takeIds(frontier, 0)).toEqual([1]);
  });

  it('tells where a URL stands and when it may be due', async () => {
    const frontier = open();
    await frontier.putMany([
      { urlId: 1, hostId: 1, priority: 2 },
      { urlId: 2, hostId: 1, priority: 1 },
      { urlId: 3, hostId: 1, priority: 1, deferred: true },
      { urlId: 4, hostId: 1, priority: 1, notBefore: 900 },
    ]);
    await frontier.blockUntil(1, 300);
    await takeIds(frontier, 300);
    expect(await Promise.all([1, 2, 3, 4, 5].map((id) => frontier.whereIs(id)))).toEqual([
      { place: 'in-flight', priority: 2, dueAt: undefined },
      { place: 'queued', priority: 1, dueAt: 300 },
      { place: 'deferred', priority: 1, dueAt: 300 },
      { place: 'waiting', priority: 1, dueAt: 900 },
      undefined,
    ]);
  });

  it('tables of a newer program are refused', () => {
    const database = openEmpty();
    new Frontier(database, OPTIONS);
    database.run("UPDATE box_versions SET version = 99 WHERE box = 'frontier'");
    expect(() => new Frontier(database, OPTIONS)).toThrow(NewerVersionError);
  });
});
