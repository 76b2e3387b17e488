import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { explainUrl } from '../../src/engine/explain.ts';
import type { GarbageKind } from '../../src/model/lists.ts';
import type { UrlHistory } from '../../src/model/reports.ts';
import { type ErrorWeb, hostOf, pathsOf, REAL_SERVERS, startErrorWeb } from '../support/real-servers/error-web.ts';
import { isInstalled, type RealServer } from '../support/real-servers/real-server.ts';
import { winnow } from '../support/winnow.ts';

const INSTALLED = REAL_SERVERS.filter(isInstalled);
const LEAST_SERVERS = 8;

/** What servers of Debian packages say of themselves, with status 200 before it: recognised by the page alone. */
describe.skipIf(INSTALLED.length < LEAST_SERVERS)('error, default and unknown pages of real servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-errors-test-'));
  const data = join(folder, 'data');
  let web: ErrorWeb;

  beforeAll(async () => {
    web = await startErrorWeb(INSTALLED);
    const seeds = web.servers.flatMap((server) => pathsOf(server).map((path) => web.urlOf(server, path)));
    const reach = ['--hosts', web.hostsFile, '--allow-private', '--delay', '0', '--max-depth', '0'];
    const ran = await winnow(['crawl', ...seeds, ...reach, '--garbage', 'drop', '--data', data, '--quiet']);
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
  });
  afterAll(async () => {
    await web.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(INSTALLED)('$name: answers without content are garbage of the right kind', async (server) => {
    const judged = await Promise.all(
      server.answers.map(async ({ path, kind }) => `${path} ${recognised(await historyOf(server, path), kind)}`),
    );
    expect(judged).toEqual(server.answers.map(({ path, kind }) => `${path} ${kind}`));
  });

  it.each(INSTALLED.filter(({ honest }) => honest.length > 0))('$name: pages with content are kept', async (server) => {
    const judged = await Promise.all(
      server.honest.map(async (path) => `${path} ${(await historyOf(server, path))?.state}`),
    );
    expect(judged).toEqual(server.honest.map((path) => `${path} kept`));
  });

  it('every address and every robots.txt was requested once, and nothing else', () => {
    const expected = web.servers.flatMap((server) =>
      ['/robots.txt', ...pathsOf(server)].map((path) => `${hostOf(server)}${path}`),
    );
    expect([...web.proxy.requests].sort()).toEqual(expected.sort());
  });

  function historyOf(server: RealServer, path: string): Promise<UrlHistory | undefined> {
    return explainUrl(web.urlOf(server, path), data, DEFAULTS);
  }
});

/** The kind as which a page was dropped; an exact copy of one dropped before is not judged again. */
function recognised(history: UrlHistory | undefined, kind: GarbageKind): string {
  if (history?.state !== 'garbage') return `${history?.state}`;
  return history.reason === 'copy-of-garbage' ? kind : `${history.reason}`;
}

for (const { name, packages } of REAL_SERVERS.filter((server) => !isInstalled(server)))
  console.log(`skipped: the error pages of ${name} need the packages ${packages.join(', ')}`);
