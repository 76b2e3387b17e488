import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../kit/sqlite.ts';
import { VisitedUrls } from '../visited-urls/visited-urls.ts';
import { Frontier } from './frontier.ts';

/** Pages of a made-up web on ten hosts; page n links to three others. */
const PAGES = 200;
const BATCH = 4;

const DATABASE = { readOnly: false, busyTimeoutMs: 100, cacheBytes: 2 ** 20 };
const FRONTIER = {
  delayMs: 0,
  backOffBaseMs: 1,
  backOffMaxMs: 1,
  deferredOneIn: 10,
  connectionsPerAddress: 2,
  addressGapMs: 0,
};
const VISITED = { seenCacheEntries: 64, hostCacheEntries: 8 };

/** Each run's time begins after the one before. */
let runs = 1;

/**
 * A crawl in a process of its own. It "fetches" by a line in a file, so that each fetch is known whatever happens
 * after it, and kills itself at the `dieAt`th of the points between its steps.
 */
function childScript(folder: string, dieAt: number): string {
  const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  return `
    import { appendFileSync } from 'node:fs';
    import { openDatabase } from ${urlOf('../../kit/sqlite.ts')};
    import { VisitedUrls } from ${urlOf('../visited-urls/visited-urls.ts')};
    import { Frontier } from ${urlOf('./frontier.ts')};
    let points = 0;
    const point = () => { if (++points === ${dieAt}) process.kill(process.pid, 'SIGKILL'); };
    const database = openDatabase(${JSON.stringify(join(folder, 'a.db'))}, ${JSON.stringify(DATABASE)});
    const visited = new VisitedUrls(database, ${JSON.stringify(VISITED)});
    const frontier = new Frontier(database, ${JSON.stringify(FRONTIER)});
    const candidate = (n, depth) => {
      const key = 'http://host-' + n % 10 + '.example/' + n;
      return { url: key, key, host: 'host-' + n % 10 + '.example', depth, priority: -depth, state: n % 11 === 3 ? 'deferred' : 'queued' };
    };
    let now = ${runs++} * 1e6;
    const stamp = () => ({ now: ++now, run: 1 });
    const enter = async (candidates) => {
      const seen = await visited.seeMany(candidates, stamp());
      point();
      await frontier.putMany(seen.flatMap(({ id, hostId, news }, i) => news === 'known' ? [] :
        [{ urlId: id, hostId, priority: candidates[i].priority, deferred: false }]));
      point();
    };
    await database.asyncTransaction(async () => { await frontier.resume(); point(); await visited.resume(stamp()); });
    await database.asyncTransaction(() => enter([candidate(0, 0)]));
    for (;;) {
      let urls = [];
      await database.asyncTransaction(async () => {
        const tickets = await frontier.takeMany({ limit: ${BATCH}, now: ++now });
        point();
        urls = await visited.startMany(tickets.map((ticket) => ticket.urlId), stamp());
      });
      point();
      if (urls.length === 0) break;
      for (const url of urls) appendFileSync(${JSON.stringify(join(folder, 'fetches'))}, url.key + '\\n');
      if (${dieAt} === 0) process.stdout.write('.');
      await database.asyncTransaction(async () => {
        const links = urls.flatMap((url) => {
          const n = Number(url.key.slice(url.key.lastIndexOf('/') + 1));
          return [n * 2 + 1, n * 2 + 2, (n * 7) % ${PAGES}].filter((m) => m < ${PAGES}).map((m) => candidate(m, url.depth + 1));
        });
        await enter(links);
        await visited.settleMany(urls.map(({ id }) => ({ id, state: 'kept', fetched: { status: 200, bytes: 1 } })), stamp());
        point();
        await frontier.releaseMany(urls.map(({ hostId }) => ({ hostId, requests: 1 })), ++now);
        point();
      });
      point();
    }
    database.close();`;
}

/** Runs a crawl until it ends or dies; with `killAfter` it is killed from outside after so many batches. */
function crawl(folder: string, dieAt: number, killAfter?: number): Promise<'ended' | 'killed'> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', childScript(folder, dieAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let batches = 0;
  child.stdout.on('data', (data: Buffer) => {
    batches += data.length;
    if (killAfter !== undefined && batches >= killAfter) child.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      if (code === 0) resolve('ended');
      else if (signal === 'SIGKILL') resolve('killed');
      else reject(new Error(`the crawl ended with ${code ?? signal}`));
    });
  });
}

let folder = '';
let fetchesOf: Map<string, number>;
let kills = 0;

/** Points at which the crawl dies, run after run: within the first transaction, each kind of point, deep in the crawl. */
const DEATHS = [1, 2, 4, 5, 7, 8, 9, 10, 11, 53, 100];

describe('a crawl killed again and again', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontier-kill-'));
    appendFileSync(join(folder, 'fetches'), '');
    for (const dieAt of DEATHS) if ((await crawl(folder, dieAt)) === 'killed') kills++;
    for (const batches of [3, 6]) if ((await crawl(folder, 0, batches)) === 'killed') kills++;
    expect(await crawl(folder, 0)).toBe('ended');
    fetchesOf = new Map();
    for (const key of readFileSync(join(folder, 'fetches'), 'utf8').split('\n').filter(Boolean)) {
      fetchesOf.set(key, (fetchesOf.get(key) ?? 0) + 1);
    }
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('was killed', () => {
    expect(kills).toBeGreaterThanOrEqual(DEATHS.length);
  });

  it('fetched every page, and none again but those in flight at a kill', () => {
    expect(fetchesOf.size).toBe(PAGES);
    const fetches = [...fetchesOf.values()].reduce((sum, count) => sum + count, 0);
    expect(fetches).toBeGreaterThanOrEqual(PAGES);
    expect(fetches).toBeLessThanOrEqual(PAGES + kills * BATCH);
  });

  it('has every page kept once, with a history from its discovery on, and nothing queued', async () => {
    const database = openDatabase(join(folder, 'a.db'), DATABASE);
    const visited = new VisitedUrls(database, VISITED);
    const urls = await visited.list({ state: undefined, after: 0, limit: 2 * PAGES });
    expect(new Set(urls.map((url) => url.key)).size).toBe(urls.length);
    expect(urls.map((url) => url.state)).toEqual(Array.from({ length: PAGES }, () => 'kept'));
    expect(await visited.counts()).toEqual([{ state: 'kept', reason: undefined, count: PAGES }]);
    for (const url of urls) {
      const history = await visited.history(url.id);
      expect(history[0]).toMatchObject({ from: undefined });
      expect(history.at(-1)).toMatchObject({ from: 'in-flight', to: 'kept' });
      expect(history.slice(1).every((change, i) => change.from === history[i]?.to)).toBe(true);
      expect(url.answer?.fetches).toBe(1);
    }
    const frontier = new Frontier(database, FRONTIER);
    expect(frontier.sizes()).toEqual({ queued: 0, deferred: 0, waiting: 0, inFlight: 0 });
    expect(database.findDamage()).toEqual([]);
    database.close();
  });
});
