import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDatabase } from '../../kit/sqlite.ts';
import {
  Frontier,
  type FrontierEntry,
  type FrontierOptions,
  type FrontierSizes,
  type Release,
  type Ticket,
} from './frontier.ts';

/**
 * The frontier against a model that keeps everything in arrays and sorts them for every URL it hands out, under random
 * operations and interruptions.
 */
const OPTIONS: FrontierOptions = {
  delayMs: 10,
  backOffBaseMs: 40,
  backOffMaxMs: 300,
  deferredOneIn: 3,
  connectionsPerAddress: 2,
  addressGapMs: 0,
};

interface ModelEntry {
  readonly urlId: number;
  readonly hostId: number;
  readonly priority: number;
  readonly deferred: boolean;
  readonly notBefore: number | undefined;
}

interface ModelHost {
  readonly hostId: number;
  nextAt: number;
  requests: number;
  deferredRequests: number;
  delay: number;
  backOffs: number;
  address: string | undefined;
}

interface ModelFlight extends ModelEntry {
  address: string | undefined;
}

class Model {
  entries: ModelEntry[] = [];
  readonly flights = new Map<number, ModelFlight>();
  readonly #hosts = new Map<number, ModelHost>();
  readonly #addressAt = new Map<string, number>();
  readonly #options: FrontierOptions;

  constructor(options: FrontierOptions) {
    this.#options = options;
  }

  host(hostId: number): ModelHost {
    let host = this.#hosts.get(hostId);
    if (host === undefined) {
      host = { hostId, nextAt: 0, requests: 0, deferredRequests: 0, delay: 0, backOffs: 0, address: undefined };
      this.#hosts.set(hostId, host);
    }
    return host;
  }

  put(entry: FrontierEntry): void {
    const { urlId, hostId, priority, deferred = false, notBefore } = entry;
    this.remove(urlId);
    this.entries.push({ urlId, hostId, priority, deferred, notBefore });
  }

  remove(urlId: number): void {
    this.entries = this.entries.filter((entry) => entry.urlId !== urlId);
  }

  take(limit: number, now: number): Ticket[] {
    this.entries = this.entries.map((entry) => {
      return entry.notBefore !== undefined && entry.notBefore <= now ? { ...entry, notBefore: undefined } : entry;
    });
    const tickets: Ticket[] = [];
    while (tickets.length < limit) {
      const best = this.#candidates(now)[0];
      if (best === undefined) break;
      this.remove(best.urlId);
      const { address } = this.host(best.hostId);
      this.flights.set(best.hostId, { ...best, address });
      if (address !== undefined) this.#addressAt.set(address, now + this.#options.addressGapMs);
      tickets.push({ urlId: best.urlId, hostId: best.hostId, priority: best.priority, deferred: best.deferred });
    }
    return tickets;
  }

  setAddress(hostId: number, address: string, now: number): 'admitted' | 'put-back' {
    const flight = this.flights.get(hostId);
    const free = this.isFree(address, now);
    this.host(hostId).address = address;
    if (flight === undefined || flight.address === address) return 'admitted';
    if (free) {
      flight.address = address;
      this.#addressAt.set(address, now + this.#options.addressGapMs);
      return 'admitted';
    }
    this.#land(flight);
    return 'put-back';
  }

  release({ hostId, requests, backOff }: Release, now: number): void {
    const flight = this.flights.get(hostId);
    if (flight === undefined) return;
    this.flights.delete(hostId);
    const host = this.host(hostId);
    host.requests += requests;
    if (flight.deferred) host.deferredRequests += requests;
    if (requests > 0) host.nextAt = Math.max(host.nextAt, now + Math.max(this.#options.delayMs, host.delay));
    if (backOff !== undefined) {
      const until = backOff.retryAt ?? now + this.#options.backOffBaseMs * 2 ** host.backOffs;
      host.nextAt = Math.max(host.nextAt, Math.min(until, now + this.#options.backOffMaxMs));
      host.backOffs++;
    } else if (requests > 0) host.backOffs = 0;
  }

  resume(): void {
    for (const flight of this.flights.values()) this.#land(flight);
  }

  /** First `limit` ready URLs of a host, ordinary before deferred. */
  queueOf(hostId: number): ModelEntry[] {
    return this.entries
      .filter((entry) => entry.hostId === hostId && entry.notBefore === undefined)
      .sort((a, b) => Number(a.deferred) - Number(b.deferred) || b.priority - a.priority || a.urlId - b.urlId);
  }

  sizes(): FrontierSizes {
    const count = (test: (entry: ModelEntry) => boolean) => this.entries.filter(test).length;
    return {
      queued: count((entry) => entry.notBefore === undefined && !entry.deferred),
      deferred: count((entry) => entry.notBefore === undefined && entry.deferred),
      waiting: count((entry) => entry.notBefore !== undefined),
      inFlight: this.flights.size,
    };
  }

  isFree(address: string, now: number): boolean {
    const busy = [...this.flights.values()].filter((flight) => flight.address === address).length;
    return busy < this.#options.connectionsPerAddress && (this.#addressAt.get(address) ?? 0) <= now;
  }

  /** The first URL of every host that may be asked, in the order in which they would be handed out. */
  #candidates(now: number): ModelEntry[] {
    const firsts = [...new Set(this.entries.map((entry) => entry.hostId))].flatMap((hostId) => {
      const host = this.host(hostId);
      if (this.flights.has(hostId) || host.nextAt > now) return [];
      if (host.address !== undefined && !this.isFree(host.address, now)) return [];
      const first = this.queueOf(hostId)[0];
      const mayDefer = (host.deferredRequests + 1) * this.#options.deferredOneIn <= host.requests + 1;
      return first === undefined || (first.deferred && !mayDefer) ? [] : [first];
    });
    return firsts.sort(
      (a, b) =>
        b.priority - a.priority || this.host(a.hostId).nextAt - this.host(b.hostId).nextAt || a.hostId - b.hostId,
    );
  }

  #land(flight: ModelFlight): void {
    this.flights.delete(flight.hostId);
    if (this.entries.some((entry) => entry.urlId === flight.urlId)) return;
    const { address: _, ...entry } = flight;
    this.entries.push(entry);
  }
}

const HOSTS = 4;
const urlId = fc.integer({ min: 1, max: 24 });
const hostId = fc.integer({ min: 0, max: HOSTS - 1 }).map((host) => host + 1);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const delay = fc.integer({ min: 0, max: 60 });

const entry = fc
  .record({ urlId, priority: fc.integer({ min: -2, max: 3 }), deferred: maybe(fc.boolean()), later: maybe(delay) })
  .map((value) => ({ ...value, hostId: 1 + (value.urlId % HOSTS) }));

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('put' as const), entries: fc.array(entry, { maxLength: 6 }) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('take' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      hostId,
      requests: fc.integer({ min: 0, max: 2 }),
      backOff: maybe(fc.record({ after: maybe(delay) })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('address' as const), hostId, address: fc.constantFrom('a', 'b') }),
  },
  fc.record({ kind: fc.constant('delay' as const), hostId, delay }),
  fc.record({ kind: fc.constant('block' as const), hostId, delay }),
  fc.record({ kind: fc.constant('defer' as const), hostId, limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('remove' as const), hostId, limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('forget' as const), urlIds: fc.array(urlId, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('interrupt' as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function apply(
  step: Operation,
  frontier: Frontier,
  { model, now }: { model: Model; now: number },
): Promise<void> {
  switch (step.kind) {
    case 'put': {
      const entries = step.entries.map(({ later, ...rest }) => ({
        ...rest,
        notBefore: later === undefined ? undefined : now + later,
      }));
      const distinct = [...new Map(entries.map((value) => [value.urlId, value])).values()];
      await frontier.putMany(distinct);
      for (const value of distinct) model.put(value);
      return;
    }
    case 'take':
      expect(await frontier.takeMany({ limit: step.limit, now })).toEqual(model.take(step.limit, now));
      return;
    case 'release': {
      const { hostId: id, requests, backOff } = step;
      const retryAt = backOff?.after === undefined ? undefined : now + backOff.after;
      const release = { hostId: id, requests, backOff: backOff && { retryAt } };
      await frontier.releaseMany([release], now);
      model.release(release, now);
      return;
    }
    case 'address':
      expect(await frontier.setAddress(step.hostId, step.address, now)).toBe(
        model.setAddress(step.hostId, step.address, now),
      );
      return;
    case 'delay':
      await frontier.setDelay(step.hostId, step.delay);
      model.host(step.hostId).delay = step.delay;
      return;
    case 'block': {
      await frontier.blockUntil(step.hostId, now + step.delay);
      const host = model.host(step.hostId);
      host.nextAt = Math.max(host.nextAt, now + step.delay);
      return;
    }
    default:
      await applyRemoval(step, frontier, model);
  }
}

type Removal = Extract<Operation, { kind: 'defer' | 'remove' | 'forget' | 'interrupt' }>;

async function applyRemoval(step: Removal, frontier: Frontier, model: Model): Promise<void> {
  if (step.kind === 'interrupt') {
    const inFlight = [...model.flights.values()].map((flight) => flight.urlId).sort((a, b) => a - b);
    expect(await frontier.resume()).toEqual(inFlight);
    model.resume();
  } else if (step.kind === 'forget') {
    await frontier.removeMany(step.urlIds);
    for (const id of step.urlIds) model.remove(id);
  } else if (step.kind === 'remove') {
    const first = model.queueOf(step.hostId).slice(0, step.limit);
    expect(await frontier.removeOf(step.hostId, step.limit)).toEqual(first.map((value) => value.urlId));
    for (const value of first) model.remove(value.urlId);
  } else {
    const ordinary = model
      .queueOf(step.hostId)
      .filter((value) => !value.deferred)
      .slice(0, step.limit);
    expect(await frontier.deferOf(step.hostId, step.limit)).toEqual(ordinary.map((value) => value.urlId));
    for (const value of ordinary) model.put({ ...value, deferred: true });
  }
}

/** Hands out the rest, with time passing and everything released, and checks that nothing is left but what may be. */
async function drain(frontier: Frontier, model: Model, now: number): Promise<void> {
  for (let round = 0; round < 400; round++) {
    const due = frontier.nextDueAt(now);
    const expected = model.take(2, now);
    expect(await frontier.takeMany({ limit: 2, now })).toEqual(expected);
    if (expected.length > 0) expect(due).toBeLessThanOrEqual(now);
    const busy = [...model.flights.keys()];
    if (busy.length === 0 && due === undefined) break;
    for (const id of busy) {
      await frontier.releaseMany([{ hostId: id, requests: 1 }], now);
      model.release({ hostId: id, requests: 1 }, now);
    }
    now += 7;
  }
  expect(model.entries.filter((value) => !value.deferred)).toEqual([]);
  expect(frontier.sizes()).toEqual(model.sizes());
}

async function check(steps: readonly { readonly step: Operation; readonly pause: number }[], options: FrontierOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'frontier-test-'));
  const open = () => openDatabase(join(folder, 'a.db'), { readOnly: false, busyTimeoutMs: 0, cacheBytes: 2 ** 20 });
  let database = open();
  try {
    let frontier = new Frontier(database, options);
    const model = new Model(options);
    let now = 1_000;
    for (const { step, pause } of steps) {
      now += pause;
      if (step.kind === 'interrupt') {
        database.close();
        database = open();
        frontier = new Frontier(database, options);
      }
      await apply(step, frontier, { model, now });
      expect(frontier.sizes()).toEqual(model.sizes());
    }
    await drain(frontier, model, now);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

const steps = fc.array(fc.record({ step: operation, pause: fc.integer({ min: 0, max: 20 }) }), { maxLength: 30 });

it('equals the model under random operations and interruptions', async () => {
  await fc.assert(
    fc.asyncProperty(steps, (list) => check(list, OPTIONS)),
    { numRuns: 60 },
  );
});

it('equals the model with a gap between two requests to an address', async () => {
  await fc.assert(
    fc.asyncProperty(steps, (list) => check(list, { ...OPTIONS, addressGapMs: 15 })),
    { numRuns: 40 },
  );
});

it('equals the model without any delay', async () => {
  const options = { ...OPTIONS, delayMs: 0, connectionsPerAddress: 1 };
  await fc.assert(
    fc.asyncProperty(steps, (list) => check(list, options)),
    { numRuns: 60 },
  );
});
