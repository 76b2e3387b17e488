import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMANDS, UNBUILT } from '../src/commands/commands.ts';
import { REFRESH_POLICIES } from '../src/model/lists.ts';
import * as schemas from './support/contract-schemas.ts';
import { paragraph } from './support/prose.ts';
import { type SmallSite, startSmallSite } from './support/small-site.ts';
import { type Ran, startWinnow, winnow } from './support/winnow.ts';

/** DESIGN part 3 against real processes: exit status, one JSON document, its fields and types. */
const root = mkdtempSync(join(tmpdir(), 'winnow-contract-'));
const collection = join(root, 'demo');
const copy = join(root, 'copy');
const own = join(root, 'own');
// Processes share what they compile: half of a short command's time.
const env = { NODE_COMPILE_CACHE: join(root, 'compile-cache') };
let site: SmallSite;
let demo: Ran;

beforeAll(async () => {
  site = await startSmallSite(4);
  demo = await run('demo', '--once', '--data', root, '--json');
}, 120_000);

afterAll(async () => {
  await site.stop();
  rmSync(root, { recursive: true, force: true });
});

function run(...args: readonly string[]): Promise<Ran> {
  return winnow(args, { env });
}

/** Runs with --json and checks status and document. */
async function json<T>(schema: z.ZodType<T>, args: readonly string[], code = 0): Promise<T> {
  const ran = await run(...args, '--json');
  expect({ code: ran.code, stderr: code === 0 && ran.code !== 0 ? ran.stderr : '' }).toEqual({ code, stderr: '' });
  return schema.parse(JSON.parse(ran.stdout));
}

function file(name: string, text: string): string {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
}

function expectIdentity(report: schemas.CrawlReportJson): void {
  const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);
  const { kept, unchanged, notHtml, noindex, redirects, gone, httpErrors } = report;
  expect(report.fetched).toBe(
    kept + unchanged + sum(report.garbage) + sum(report.duplicates) + notHtml + noindex + redirects + gone + httpErrors,
  );
  expect(httpErrors).toBe((report.failed['http-4xx'] ?? 0) + (report.failed['http-5xx'] ?? 0));
}

const LOCAL = ['--allow-private', '--delay', '0'];

describe('crawling', () => {
  it('demo --once', () => {
    expect(demo.code).toBe(0);
    const report = schemas.crawlReport.parse(JSON.parse(demo.stdout));
    expectIdentity(report);
    expect(report.kept).toBeGreaterThan(10);
    expect(Object.keys(report.garbage).length).toBeGreaterThan(0);
  });

  it('crawl, twice: the second time all is unchanged', async () => {
    const args = ['crawl', `${site.origin}/`, ...LOCAL, '--data', own];
    const first = await json(schemas.crawlReport, args);
    expectIdentity(first);
    expect(first).toMatchObject({ fetched: 5, stopped: 'frontier-empty' });
    const again = await json(schemas.crawlReport, args);
    expectIdentity(again);
    expect(again).toMatchObject({ unchanged: 1, kept: 0 });
  }, 60_000);

  it('crawl interrupted: exit 130, the report printed, the rest left for the next run', async () => {
    const data = join(root, 'interrupted');
    const child = startWinnow(
      ['crawl', `${site.origin}/`, '--allow-private', '--delay', '3', '--data', data, '--json'],
      {
        env,
      },
    );
    let stdout = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const asked = site.requests.length;
    while (site.requests.length < asked + 2) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(130);
    expect(schemas.crawlReport.parse(JSON.parse(stdout)).stopped).toBe('interrupted');
    expect((await json(schemas.statusReport, ['status', '--data', data])).queue).toBeGreaterThan(0);
  }, 60_000);

  it('update --once', async () => {
    expectIdentity(await json(schemas.crawlReport, ['update', '--once', ...LOCAL, '--data', own]));
  }, 60_000);

  it('focus', async () => {
    const keywords = file('keywords.txt', 'lighthouse\nharbour\n');
    const args = ['focus', `${site.origin}/`, '--keywords', keywords, '--max-requests', '20', ...LOCAL];
    await json(schemas.focusReport, [...args, '--data', join(root, 'focus')]);
  }, 60_000);

  it('seeds and site', async () => {
    await json(schemas.rows, ['seeds', 'add', `${site.origin}/`, '--data', own]);
    expect(await json(schemas.rows, ['seeds', 'list', '--data', own])).toHaveLength(1);
    await json(z.unknown(), ['site', 'add', `${site.origin}/`, '--data', own]);
    expect(await json(schemas.rows, ['site', 'list', '--data', own])).toHaveLength(1);
  }, 60_000);
});

describe('reading', () => {
  const data = ['--data', collection];

  it('search, plain and explained', async () => {
    const plain = await json(schemas.searchResult, ['search', 'tide gauge', ...data]);
    expect(plain.total).toBeGreaterThan(0);
    for (const { snippet, highlights } of plain.hits)
      for (const [from, to] of highlights) expect(from < to && to <= snippet.length).toBe(true);
    const [first] = (
      await json(schemas.searchResult, ['search', 'tide', 'gauge', '--limit', '1', '--explain', ...data])
    ).hits;
    expect(first?.explanation).toBeDefined();
  });

  it('explain: kept, and never seen', async () => {
    const url = 'http://tidewatch.example:8090/';
    const [hit] = (await json(schemas.searchResult, ['search', 'site:tidewatch.example', 'tide', ...data])).hits;
    const history = await json(schemas.urlHistory, ['explain', hit?.url ?? url, ...data]);
    expect(history.state).toBe('kept');
    expect((await run('explain', 'http://never.example/', ...data)).code).toBe(1);
  });

  it('status and doctor', async () => {
    const status = await json(schemas.statusReport, ['status', ...data]);
    expect(Object.keys(status.pages)).toHaveLength(15);
    const findings = await json(schemas.findings, ['doctor', ...data]);
    expect(findings.filter(({ status: s }) => s === 'missing')).toEqual([]);
  });

  it('inspect a file and a URL', async () => {
    const page = file('page.html', `<!doctype html><title>Page</title><main><p>${paragraph(1)}</p></main>`);
    const known = ['--url', 'http://a.example/', '--status', '200'];
    const [ofFile] = await json(z.array(schemas.inspection), ['inspect', page, ...known]);
    expect(ofFile).toMatchObject({ input: page, url: 'http://a.example/' });
    await json(z.array(schemas.inspection), ['inspect', `${site.origin}/`, ...LOCAL]);
  });

  it('garbage list, model list', async () => {
    await json(schemas.rows, ['garbage', 'list', ...data]);
    const models = await json(schemas.rows, ['model', 'list', ...data]);
    expect(models.map((row) => row['detector'])).toEqual(expect.arrayContaining(['spam', 'soft-404']));
    expect((await run('model', 'rollback', 'spam', ...data)).code).toBe(1);
    expect((await run('model', 'promote', 'spam', 'no-such', ...data)).code).toBe(1);
  });

  it('robots and url, single and --batch', async () => {
    const robots = file('robots.txt', 'User-agent: *\nDisallow: /p\nCrawl-delay: 2\n');
    const answer = await json(z.looseObject({ answers: z.array(schemas.robotsLine) }), [
      'robots',
      robots,
      '--agent',
      'winnow',
      '/p',
      '/q',
    ]);
    expect(answer.answers.map(({ allowed }) => allowed)).toEqual([false, true]);
    const lines = `${JSON.stringify({ robots: 'User-agent: *\nDisallow: /p', agent: 'x', path: '/p' })}\n`;
    const batch = await winnow(['robots', '--batch'], { input: lines, env });
    expect(schemas.robotsLine.parse(JSON.parse(batch.stdout))).toEqual({ allowed: false, crawlDelay: null });
    const one = await json(schemas.urlLine, ['url', '../b?utm_source=x', '--base', 'http://a.example/c/d']);
    expect(one).toMatchObject({ url: 'http://a.example/b?utm_source=x', key: 'http://a.example/b' });
    const refs = '{"ref":"http://[bad"}\n{"ref":"x","base":"http://a.example/"}\n';
    const urls = await winnow(['url', '--batch'], { input: refs, env });
    expect(
      urls.stdout
        .trim()
        .split('\n')
        .map((line) => schemas.urlLine.parse(JSON.parse(line)).url),
    ).toEqual([null, 'http://a.example/x']);
  });

  it('serve answers and ends at SIGTERM', async () => {
    const child = startWinnow(['serve', '--port', '0', ...data], { env });
    let stderr = '';
    const address = await new Promise<string>((resolve, reject) => {
      child.once('close', () => reject(new Error(stderr)));
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        const found = /Search page: (http:\S+?)\/\s/.exec(stderr)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    const answer = await fetch(`${address}/api/v1/search?q=tide`);
    expect(answer.status).toBe(200);
    schemas.searchResult.parse(await answer.json());
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  });
});

describe('export, import, backup', () => {
  const data = ['--data', collection];

  it('export as lines: kept pages, and with --all every URL', async () => {
    const kept = (await run('export', '--format', 'jsonl', ...data)).stdout.trim().split('\n');
    const pages = kept.map((line) => schemas.exportedPage.parse(JSON.parse(line)));
    expect(pages.every((page) => page.state === 'kept' && page.fetchedAt !== undefined)).toBe(true);
    const all = (await run('export', '--all', ...data)).stdout.trim().split('\n');
    expect(all.length).toBeGreaterThan(pages.length);
    for (const line of all) schemas.exportedPage.parse(JSON.parse(line));
    const csv = (await run('export', '--format', 'csv', ...data)).stdout.trim().split('\r\n');
    expect(csv[0]).toBe('url,state,reason,title,language,fetchedAt');
    expect(csv).toHaveLength(pages.length + 1);
  });

  it('export as WARC and import it again: the same pages, and nothing new the second time', async () => {
    const warc = join(root, 'out.warc.gz');
    await json(z.object({ file: z.string(), bytes: z.int() }), [
      'export',
      '--format',
      'warc',
      '--output',
      warc,
      ...data,
    ]);
    const args = ['import', warc, '--garbage', 'flag', '--data', join(root, 'imported')];
    const imported = z.object({
      ...schemas.crawlReport.shape,
      records: z.int(),
      skipped: z.record(z.string(), z.int()),
      problems: z.array(z.unknown()),
    });
    const first = await json(imported, args);
    expectIdentity(first);
    expect(first.problems).toEqual([]);
    const held = (await run('export', ...data)).stdout.trim().split('\n').length;
    expect(first.fetched).toBe(held);
    const again = await json(imported, args);
    expect(again.kept).toBe(0);
  }, 60_000);

  it('import of a damaged WARC keeps the good records and says where it is damaged', async () => {
    const warc = join(root, 'damaged.warc.gz');
    await run('export', '--format', 'warc', '--output', warc, ...data);
    const bytes = readFileSync(warc);
    bytes.fill(0x55, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 200);
    writeFileSync(warc, bytes.subarray(0, bytes.length - 50));
    const ran = await run('import', warc, '--data', join(root, 'damaged'), '--json');
    const report = z
      .object({
        fetched: z.int(),
        problemCount: z.int(),
        problems: z.array(z.object({ where: z.string(), detail: z.string() })),
      })
      .parse(JSON.parse(ran.stdout));
    expect(ran.code).toBe(0);
    expect(report.fetched).toBeGreaterThan(5);
    expect(report.problemCount).toBeGreaterThanOrEqual(2);
    expect(report.problems[0]?.where).toContain(`${warc} at byte`);
  }, 60_000);

  it('import of JSON lines names bad ones', async () => {
    const good = {
      url: 'http://letters.example/1',
      title: 'First',
      language: 'en',
      text: paragraph(3),
      fetchedAt: '2026-01-02T03:04:05.000Z',
    };
    const lines = file('pages.jsonl', `${JSON.stringify(good)}\nnot json\n{"url":"ftp://x/"}\n`);
    const ran = await run('import', lines, '--data', join(root, 'lines'), '--json');
    expect(ran.code).toBe(0);
    const report = z
      .object({ kept: z.int(), problems: z.array(z.object({ where: z.string() })) })
      .parse(JSON.parse(ran.stdout));
    expect(report.kept).toBe(1);
    expect(report.problems.map(({ where }) => where)).toEqual([`${lines}:2`, `${lines}:3`]);
    const [page] = (await run('export', '--data', join(root, 'lines'))).stdout
      .trim()
      .split('\n')
      .map((line) => schemas.exportedPage.parse(JSON.parse(line)));
    expect(page).toMatchObject({ url: good.url, title: 'First', text: good.text, fetchedAt: good.fetchedAt });
  }, 60_000);

  it('backup and restore; neither writes over anything', async () => {
    const target = join(root, 'backup');
    await json(z.looseObject({ files: z.int() }), ['backup', target, ...data]);
    expect((await run('backup', target, ...data)).code).toBe(1);
    await json(z.looseObject({ files: z.int() }), ['restore', target, '--data', copy]);
    expect((await run('restore', target, '--data', copy)).code).toBe(1);
    const counts = async (dir: string): Promise<unknown> =>
      (await json(schemas.statusReport, ['status', '--data', dir])).pages;
    expect(await counts(copy)).toEqual(await counts(collection));
    await json(schemas.findings, ['doctor', '--data', copy]);
  }, 60_000);
});

describe('daily controls, on the restored copy', () => {
  const data = ['--data', copy];
  const hits = async (query: string): Promise<readonly string[]> =>
    (await json(schemas.searchResult, ['search', query, '--limit', '50', ...data])).hits.map(({ url }) => url);

  it('hide takes a page out of the results and --undo queues it', async () => {
    const [url = ''] = await hits('tide');
    expect(await json(schemas.rules, ['hide', url, '--exact', ...data])).toMatchObject({ matched: 1, changed: 1 });
    expect(await hits('tide')).not.toContain(url);
    expect((await json(schemas.urlHistory, ['explain', url, ...data])).state).toBe('hidden');
    expect((await json(schemas.rules, ['hide', ...data])).rules).toHaveLength(1);
    await json(schemas.rules, ['hide', url, '--exact', '--undo', ...data]);
    expect((await json(schemas.urlHistory, ['explain', url, ...data])).state).toBe('queued');
    expect((await run('hide', url, '--exact', '--undo', ...data)).code).toBe(1);
  }, 60_000);

  it('forget drops a site, and compact its bytes', async () => {
    const [url = ''] = await hits('tide');
    const { origin } = new URL(url);
    const outcome = await json(schemas.rules, ['forget', `${origin}/`, ...data]);
    expect(outcome.changed).toBeGreaterThan(0);
    expect((await hits('tide')).filter((hit) => hit.startsWith(origin))).toEqual([]);
    const before = await json(schemas.statusReport, ['status', ...data]);
    await json(z.looseObject({ filesRewritten: z.int().min(1) }), ['compact', ...data]);
    expect((await json(schemas.statusReport, ['status', ...data])).bytes.warc).toBeLessThan(before.bytes.warc);
    await json(schemas.findings, ['doctor', ...data]);
  }, 60_000);

  it('pin queues what was judged garbage', async () => {
    const all = (await run('export', '--all', ...data)).stdout
      .trim()
      .split('\n')
      .map((line) => schemas.exportedPage.parse(JSON.parse(line)));
    const garbage = all.find((page) => page.state === 'garbage' && page.text !== '');
    expect(await json(schemas.rules, ['pin', garbage?.url ?? '', '--exact', ...data])).toMatchObject({ changed: 1 });
  });

  it('garbage block, allow, forgive', async () => {
    for (const word of ['block', 'allow', 'forgive'])
      await json(schemas.rows, ['garbage', word, 'blocked.example', ...data]);
  });

  it('label add, export, import, queue', async () => {
    const queue = await json(schemas.rows, ['label', 'queue', '--limit', '3', ...data]);
    const url = z.string().parse(queue[0]?.['url']);
    await json(schemas.rows, ['label', 'add', url, 'ham', ...data]);
    const csv = join(root, 'out.csv');
    expect(await json(schemas.rows, ['label', 'export', csv, ...data])).toEqual([{ url, label: 'ham' }]);
    const [taught] = await json(schemas.rows, ['label', 'export', csv, '--pages', join(root, 'taught'), ...data]);
    expect(readFileSync(join(root, 'taught', z.string().parse(taught?.['file'])), 'utf8')).toContain('<');
    expect(readFileSync(csv, 'utf8')).toMatch(/^file,url,label,/);
    expect(await json(schemas.rows, ['label', 'import', csv, ...data])).toHaveLength(1);
    const next = await json(schemas.rows, ['label', 'queue', '--limit', '3', ...data]);
    expect(next.map((row) => row['url'])).not.toContain(url);
  }, 60_000);
});

describe('measuring', () => {
  it('evaluate garbage and train', async () => {
    const pages = join(root, 'labelled');
    mkdirSync(pages);
    const lines = Array.from({ length: 16 }, (_, i) => {
      const text = i % 2 === 0 ? paragraph(i) : 'cheap pills casino bonus online '.repeat(40 + i);
      writeFileSync(join(pages, `${i}.html`), `<!doctype html><title>Page ${i}</title><main><p>${text}</p></main>`);
      return `${i}.html,${i % 2 === 0 ? 'ham' : 'spam'},site${i}.example`;
    });
    const labels = file('labels.csv', `file,label,site\n${lines.join('\n')}\n`);
    const folder = ['--pages', pages, '--labels', labels, '--detector', 'spam'];
    expect((await json(schemas.garbageEvaluation, ['evaluate', 'garbage', ...folder])).pages).toBe(16);
    const report = await json(schemas.trainReport, ['train', ...folder, '--folds', '2', '--dry-run', '--data', own]);
    expect(report.labels).toEqual({ ham: 8, spam: 8 });
  }, 60_000);

  it('evaluate trees', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i},${i < 20 ? 'no' : 'yes'}`).join('\n');
    const arff = file('t.arff', `@relation t\n@attribute x numeric\n@attribute class {no,yes}\n@data\n${rows}\n`);
    const report = await json(schemas.treesEvaluation, [
      'evaluate',
      'trees',
      '--data',
      arff,
      '--learner',
      'c45',
      '--folds',
      '4',
      '--seed',
      '1',
    ]);
    expect(report.instances).toBe(40);
  });

  it('evaluate search', async () => {
    const docs = file(
      'd.jsonl',
      '{"id":"a","title":"Tides","text":"The tide gauge at the harbour."}\n{"id":"b","title":"Bread","text":"Flour and water."}\n',
    );
    const queries = file('q.jsonl', '{"id":"1","text":"tide gauge"}\n');
    const qrels = file('r.tsv', '1\ta\t1\n');
    const report = await json(schemas.searchEvaluation, [
      'evaluate',
      'search',
      '--docs',
      docs,
      '--queries',
      queries,
      '--qrels',
      qrels,
    ]);
    expect(report).toMatchObject({ queries: 1, map: 1 });
  });
});

describe('evaluate freshness', () => {
  const freshness = ['evaluate', 'freshness'];

  it('compares policies on drawn pages and on a trace', async () => {
    const drawn = [
      ...freshness,
      '--pages',
      '20',
      '--days',
      '5',
      '--budget',
      '4',
      '--signals',
      'beacon',
      '--seeds',
      '2',
    ];
    const report = await json(schemas.freshnessEvaluation, [...drawn, '--rates', 'learned', '--seed', '7']);
    expect(report.policies.map(({ policy }) => policy)).toEqual(REFRESH_POLICIES);
    expect(report).toMatchObject({ pages: 20, days: 5, budget: 4, seed: 7, seeds: 2, rates: 'learned' });
    const trace = file('trace.jsonl', '{"site":"a.example","page":"/","changes":[1700000000,1700500000]}\n');
    const chosen = [...freshness, '--trace', trace, '--policies', 'uniform,greedy'];
    const onTrace = await json(schemas.freshnessEvaluation, chosen);
    expect(onTrace.policies.map(({ policy }) => policy)).toEqual(['greedy', 'uniform']);
  });

  it('refuses what it cannot use', async () => {
    const bad = file('bad.jsonl', '{"site":"a.example","page":"/","changes":[1]}\n{"site":"a.example"}\n');
    const once = file('once.jsonl', '{"site":"a.example","page":"/","changes":[1]}\n');
    const refused: readonly [readonly string[], string][] = [
      [['--trace', bad], `${bad}, line 2: `],
      [['--trace', once], 'no site changes at two moments'],
      [['--trace', once, '--days', '3'], '--days: a trace has its own'],
      [['--policies', 'greedy,best'], '"best" is none of greedy-signals'],
      [['--budget', '0'], '--budget'],
      [['--signals', 'loud'], '--signals'],
    ];
    for (const [args, message] of refused) {
      const ran = await run(...freshness, ...args);
      expect({ args, code: ran.code }).toEqual({ args, code: 2 });
      expect(ran.stderr).toContain(message);
    }
  }, 60_000);
});

describe('the command line itself', () => {
  it('every command explains itself and lists its sub-commands', async () => {
    const waiting = [...COMMANDS];
    const one = async (): Promise<void> => {
      for (let command = waiting.pop(); command !== undefined; command = waiting.pop()) {
        const { name, sub = [] } = command;
        const ran = await run(name, '--help');
        expect({ name, code: ran.code }).toEqual({ name, code: 0 });
        expect(ran.stdout).toMatch(new RegExp(`^Usage: winnow ${name} `));
        for (const { name: word } of sub) expect(ran.stdout).toMatch(new RegExp(`^ {2}${word} `, 'm'));
      }
    };
    await Promise.all([one(), one(), one()]);
  }, 120_000);

  it('what is not built is refused with exit 2 and its name', async () => {
    for (const words of UNBUILT.keys()) {
      const ran = await run(...words.split(' '));
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain(`"${words}" is not built yet`);
    }
  });

  it('output that nobody reads to the end is no error', () => {
    const bin = join(import.meta.dirname, '../bin/winnow.js');
    const piped = spawnSync('sh', [
      '-c',
      `"${process.execPath}" "${bin}" export --all --data "${collection}" | head -n 1`,
    ]);
    expect(piped.stderr.toString()).toBe('');
    expect(piped.stdout.toString()).toContain('"url"');
  });
});
