import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { SearchService } from '../../src/engine/search-service.ts';
import { drawEntries, readEntries, scoreEntries } from '../../src/evaluation/index-entries.ts';
import type { CrawlReport } from '../../src/model/reports.ts';
import { readPage } from '../../src/page/page.ts';
import { PAGE_OPTIONS } from '../../src/page/page-options.ts';
import { DOCS_PACKAGES, type DocsWeb, docsAreInstalled, startDocsWeb } from '../support/docs-web.ts';
import { statesOf } from '../support/states.ts';
import { winnow } from '../support/winnow.ts';

const QUERIES = 100;
const SEED = 7;

/** Debian's documentation served by nginx, whole: what is found with the words of the books' own indexes. */
describe.skipIf(!docsAreInstalled())(`the documentation web (packages ${DOCS_PACKAGES.join(', ')})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-docs-test-'));
  const data = join(folder, 'data');
  let web: DocsWeb;
  let report: CrawlReport;

  beforeAll(async () => {
    web = await startDocsWeb();
    const options = [
      '--hosts',
      web.hostsFile,
      '--allow-private',
      '--delay',
      '0',
      '--data',
      data,
      '--json',
      '--quiet',
      ...(process.env['LEVEL'] ? ['--level', process.env['LEVEL']] : []),
    ];
    const ran = await winnow(['crawl', ...web.seeds, ...options]);
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
    report = JSON.parse(ran.stdout);
    console.log(
      report.summary,
      JSON.stringify({ garbage: report.garbage, levels: report.levels, pagesPerSecond: report.pagesPerSecond }),
    );
  });
  afterAll(async () => {
    await web.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is crawled whole: every HTML file that a walk over the files reaches is kept or a copy of one kept', async () => {
    const states = new Map(
      (await statesOf(data)).map((line): [string, string] => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
    );
    const missing = web.sites.flatMap((site) =>
      filesReached(site.root, site.start)
        .map((file) => ({ file: `${site.name}/${file}`, state: states.get(`http://${site.name}:${web.port}/${file}`) }))
        .filter(({ state }) => state !== 'kept' && state !== 'duplicate'),
    );
    expect(missing).toEqual([]);
    expect(report.stopped).toBe('frontier-empty');
    expect(report.garbage).toEqual({});
  });

  it(`of ${QUERIES} entries of the books' indexes at least 80 have the right page among the first three`, async () => {
    const entries = drawEntries(readEntries(indexPages(web)), QUERIES, SEED);
    expect(entries).toHaveLength(QUERIES);
    const service = new SearchService(data, DEFAULTS);
    const score = await scoreEntries(entries, async (query) => {
      const result = await service.search({ query, limit: 10, offset: 0, explain: false });
      return result.hits.map((hit) => hit.url);
    });
    service.close();
    for (const { entry, found } of score.missed)
      console.log(`missed: ${entry.query} → ${entry.answers.join(' ')}; found ${found.join(' ')}`);
    console.log(
      `first ${score.first}, first three ${score.firstThree}, first ten ${score.firstTen} of ${score.queries}`,
    );
    expect(score.firstThree).toBeGreaterThanOrEqual(80);
  });
});

/** Files that links lead to from the start page, by the simplest reading of the markup. */
function filesReached(root: string, start: string): string[] {
  const reached = new Set([start]);
  for (const file of reached) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    for (const [, href = ''] of readFileSync(path, 'latin1').matchAll(/<a\s[^>]*?href="([^"#?]+\.html)(?:#[^"]*)?"/g)) {
      const url = new URL(href, `http://h/${file}`);
      if (url.host === 'h' && existsSync(join(root, url.pathname))) reached.add(url.pathname.slice(1));
    }
  }
  return [...reached];
}

function indexPages(web: DocsWeb): Parameters<typeof readEntries>[0] {
  return web.sites.flatMap((site) =>
    site.indexPages.map((file) => {
      const url = `http://${site.name}:${web.port}/${file}`;
      return { url, page: readPage(readFileSync(join(site.root, file)), { url }, PAGE_OPTIONS) };
    }),
  );
}

if (!docsAreInstalled()) console.log(`skipped: the documentation web needs the packages ${DOCS_PACKAGES.join(', ')}`);
