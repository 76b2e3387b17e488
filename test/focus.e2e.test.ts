import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CommandContext, CommandInput } from '../src/commands/command.ts';
import { focusCommand } from '../src/commands/focus.ts';
import { searchCommand } from '../src/commands/search.ts';
import { seedsCommand } from '../src/commands/seeds.ts';
import { DEFAULTS } from '../src/config/defaults.ts';
import { library } from '../src/demo/sites/library.ts';
import { type DemoWeb, startDemoWeb } from '../src/demo/web.ts';
import { runFocus } from '../src/engine/focus-run.ts';
import type { FocusRequest } from '../src/engine/focus-types.ts';

const folder = mkdtempSync(join(tmpdir(), 'winnow-focus-'));
const asked: string[] = [];
const answer = library.answer.bind(library);
let web: DemoWeb;
let seed = '';
let runs = 0;
let context: CommandContext;

beforeAll(async () => {
  // The site as it is, with a list of what it was asked for.
  library.answer = (request) => {
    asked.push(`${request.method} ${request.path} ${request.body}`);
    return answer(request);
  };
  web = await startDemoWeb({ port: 0, beaconOrigin: 'http://127.0.0.1:1' });
  seed = `http://county-library.example:${web.port}/`;
  writeFileSync(join(folder, 'hosts'), web.hosts);
});

afterAll(async () => {
  library.answer = answer;
  await web.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  asked.length = 0;
  context = {
    config: {
      ...DEFAULTS,
      http: { ...DEFAULTS.http, hostsFile: join(folder, 'hosts'), allowPrivate: true },
      crawl: { ...DEFAULTS.crawl, delaySeconds: 0, level: 'off', workers: 1 },
    },
    dataDir: join(folder, `data-${runs++}`),
    json: true,
    signal: new AbortController().signal,
    progress: () => undefined,
    note: () => undefined,
    now: Date.now,
  };
});

function request(changes: Partial<FocusRequest>): FocusRequest {
  return {
    seeds: [seed],
    categories: [{ name: 'topic', weight: 1, keywords: ['tides'] }],
    strategy: 'query',
    fitness: 'auto',
    tagWeights: {},
    learn: 'off',
    top: undefined,
    maxRequests: undefined,
    maxPages: undefined,
    maxDepth: undefined,
    ...changes,
  };
}

/** Requests that count: all but robots.txt. */
function counted(): readonly string[] {
  return asked.filter((line) => !line.includes(' /robots.txt'));
}

async function json(input: Partial<CommandInput>, run = focusCommand.run): Promise<unknown> {
  const result = await run?.({ args: [], options: {}, ...input }, context);
  return result?.kind === 'report' ? result.json : undefined;
}

describe('query', () => {
  it('finds the books through the POST form, never submits the newsletter, and makes them searchable', async () => {
    const report = await runFocus(request({}), context);
    expect(report.interfaces).toMatchObject([
      { kind: 'form', method: 'POST', action: `${seed}catalogue/search`, field: 'words', state: 'used' },
    ]);
    expect(report.relevant).toMatchObject([
      {
        url: `${seed}catalogue/b1`,
        depth: 1,
        foundBy: ['form'],
        keywords: ['tides'],
        // title 1 + h1 .9; title 1 + h1 .9 + main .2 + body .1
        fitness: { maxAncestor: 1.9, kLevel: 2.2 },
      },
    ]);
    expect(asked).toContain('POST /catalogue/search collection=all&words=tides');
    expect(asked.filter((line) => line.includes('/newsletter'))).toEqual([]);
    // The seed page, a nonsense query, the keyword, one result: no walking.
    expect(counted()).toHaveLength(4);
    expect(report).toMatchObject({ requests: 4, fetched: 2, stopped: 'frontier-empty' });
    expect(report.harvest.at(-1)).toEqual([4, 1]);
    const found = await json({ args: ['tides'] }, searchCommand.run);
    expect(found).toMatchObject({ total: 1, hits: [{ url: `${seed}catalogue/b1` }] });
  });

  it('a second run scores what is held from the repository', async () => {
    await runFocus(request({}), context);
    asked.length = 0;
    const again = await runFocus(request({}), context);
    expect(again.relevant.map(({ url }) => url)).toEqual([`${seed}catalogue/b1`]);
    expect(asked.filter((line) => line.includes('/catalogue/b'))).toEqual([]);
  });

  it('words learned from the best pages are fired in turn', async () => {
    const categories = [{ name: 'topic', weight: 1, keywords: ['harbours'] }];
    const report = await runFocus(request({ categories, learn: 'frequency' }), context);
    expect(report.relevant.map(({ url }) => url).sort()).toEqual([`${seed}catalogue/b1`, `${seed}catalogue/b5`]);
    const words = report.learnedKeywords.map(({ word }) => word);
    expect(words).toContain('chapter');
    expect(asked).toContain('POST /catalogue/search collection=all&words=chapter');
  });

  it('a budget of requests is kept', async () => {
    const report = await runFocus(request({ maxRequests: 2 }), context);
    expect(report).toMatchObject({ requests: 2, stopped: 'max-requests' });
    expect(counted()).toHaveLength(2);
  });
});

it('breadth-first walks the site and does not reach what only the form leads to', async () => {
  const report = await runFocus(request({ strategy: 'breadth-first' }), context);
  expect(counted()).toEqual(['GET / ', 'GET /hours ']);
  expect(report).toMatchObject({ interfaces: [], relevant: [], fetched: 2, stopped: 'frontier-empty' });
});

describe('the commands', () => {
  it('refuse what is not built and what is wrong, naming it', async () => {
    const keywords = join(folder, 'words.txt');
    writeFileSync(keywords, 'tides\n# note\n---\n');
    const named = { args: [seed] };
    await expect(json({ ...named, options: { keywords: [keywords] } })).rejects.toThrow(`${keywords}:3: not a keyword`);
    writeFileSync(keywords, 'tides\n');
    const options = { keywords: [keywords] };
    await expect(json(named)).rejects.toThrow('--keywords');
    await expect(json({ ...named, options: { keywords: [`${keywords}:x`] } })).rejects.toThrow('above 0');
    await expect(json({ ...named, options: { ...options, strategy: 'bandit' } })).rejects.toThrow('not built yet');
    await expect(json({ ...named, options: { ...options, learn: 'log-odds' } })).rejects.toThrow('not built yet');
    await expect(json({ ...named, options: { ...options, provider: 'searxng' } })).rejects.toThrow('not built yet');
    await expect(json({ ...named, options: { ...options, 'max-depth': 2 } })).rejects.toThrow('--max-depth');
    await expect(json({ options })).rejects.toThrow('seed database is empty');
    await expect(json({ ...named, options: { ...options, pick: 'http://other.example/' } })).rejects.toThrow('--pick');
    expect(asked).toEqual([]);
  });

  it('focus takes its seeds from the seed database and notes the run', async () => {
    const [add, , list] = seedsCommand.sub ?? [];
    const keywords = join(folder, 'tides.txt');
    writeFileSync(keywords, 'tides\n');
    await json({ args: [seed], options: { topic: 'sea' } }, add?.run);
    const report = await json({ options: { keywords: [`${keywords}:2`], learn: 'off' } });
    expect(report).toMatchObject({
      relevant: [{ url: `${seed}catalogue/b1`, fitness: { maxAncestor: 3.8, kLevel: 4.4 } }],
    });
    expect(await json({}, list?.run)).toMatchObject([{ url: seed, topic: 'sea', lastRunAt: expect.any(String) }]);
  });
});
