import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/kit/random.ts';
import { readWarcFile } from '../../src/repository/warc-reader.ts';
import { stopProcess } from '../support/docs-web.ts';
import { type GeneratedWeb, startGeneratedWeb } from '../support/generated-web.ts';
import { statesOf } from '../support/states.ts';
import { startWinnow, winnow } from '../support/winnow.ts';

const KILLS = Number(process.env['KILLS'] ?? 50);
const PAGES = 2_000;

/** DESIGN part 2: a run killed at any moment and resumed ends like an undisturbed one. */
describe(`a crawl of ${PAGES} pages killed ${KILLS} times`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-kill-'));
  let web: GeneratedWeb;
  let args: string[];

  beforeAll(async () => {
    web = await startGeneratedWeb({
      pages: PAGES,
      hosts: 12,
      exact: 0.06,
      near: 0.06,
      redirects: 0.06,
      slow: 0.03,
      slowMs: 150,
    });
    const hosts = join(folder, 'hosts');
    web.writeHosts(hosts);
    args = ['--hosts', hosts, '--allow-private', '--delay', '0', '--level', 'fast', '--quiet', '--scope', 'any'];
  });
  afterAll(async () => {
    await web.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('ends equal to an undisturbed one, with valid WARC files and no URL asked for more than twice a kill', async () => {
    const calm = join(folder, 'calm');
    const undisturbed = await winnow(['crawl', ...web.seeds, '--data', calm, ...args]);
    expect(undisturbed.stderr).toBe('');
    expect(undisturbed.code).toBe(0);
    const expected = await statesOf(calm);
    expect(expected.length).toBeGreaterThanOrEqual(PAGES);

    const disturbed = join(folder, 'disturbed');
    const most = await crawlKilled(disturbed, web, args);
    const last = await winnow(['crawl', '--data', disturbed, ...args]);
    expect(last.code).toBe(0);
    expect(await statesOf(disturbed)).toEqual(expected);
    expect(most).toBeLessThanOrEqual(2);
    expect(warcProblems(disturbed)).toEqual([]);
  });
});

/** Starts, kills and resumes; the largest number of requests for one URL between two kills. */
async function crawlKilled(data: string, web: GeneratedWeb, args: readonly string[]): Promise<number> {
  const random = seededRandom('kill');
  let most = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    web.requests.clear();
    const child = startWinnow(['crawl', ...(kill === 0 ? web.seeds : []), '--data', data, ...args]);
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await untilRequests(web, 1 + Math.floor(random.next() * 60), ended);
    await stopProcess(child, 'SIGKILL');
    for (const [url, n] of web.requests) if (!url.endsWith('/robots.txt')) most = Math.max(most, n);
  }
  return most;
}

/** Waits until the web has answered `n` requests, or the crawl has ended. */
async function untilRequests(web: GeneratedWeb, n: number, ended: Promise<void>): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over && web.requests.size < n) await new Promise((resolve) => setTimeout(resolve, 5));
}

function warcProblems(data: string): string[] {
  const folder = join(data, 'warc');
  return readdirSync(folder).flatMap((name) =>
    [...readWarcFile(join(folder, name), { maxRecordBytes: 64 << 20 })].flatMap((item) =>
      item.kind === 'problem' ? [`${name}: ${item.detail}`] : [],
    ),
  );
}
