import { createReadStream, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WARCParser } from 'warcio';
import { backUp, verifyDataFolder } from './backup.ts';
import type { CompactionLimits } from './compaction.ts';
import { findDamagedRecords, forgetDamagedRecords } from './damage.ts';
import type { Repository } from './repository.ts';
import {
  openFolder,
  START,
  TEST_CAPTURE,
  type TestFolder,
  testFolder,
  testResponse,
  testVersion,
} from './test-support.ts';
import { buildCapture, buildRevisit } from './warc-record.ts';

const DAY = 86_400_000;
const LIMITS: CompactionLimits = {
  versionsPerUrl: 2,
  days: 30,
  diskBytes: 1 << 30,
  quarantineShare: 0.1,
  rewriteBelow: 0.9,
};

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.end());

async function store(repository: Repository, id: number, text: string, at: number, garbage = '') {
  const response = testResponse({ text, url: `http://shop.example/${id}`, startedAt: at });
  const series = garbage === '' ? 'pages' : 'quarantine';
  const [capture] = await repository.appendMany(series, [buildCapture(response, TEST_CAPTURE)]);
  const state = garbage === '' ? 'kept' : 'garbage';
  const kind = garbage === '' ? undefined : 'content';
  await repository.putMany([testVersion({ id, mainText: text, capture, fetchedAt: at, state, kind, domain: garbage })]);
  return { response, capture };
}

async function bodies(repository: Repository, id: number): Promise<string[]> {
  const texts: string[] = [];
  for (const { capture } of await repository.pages.versionsOf(id)) {
    const outcome = capture === undefined ? undefined : await repository.pages.read(capture.location);
    texts.push(outcome?.kind === 'response' ? Buffer.from(outcome.response.body).toString() : 'none');
  }
  return texts;
}

async function scan(path: string): Promise<string[]> {
  const types: string[] = [];
  for await (const record of new WARCParser(createReadStream(path))) {
    await record.readFully(false);
    types.push(record.warcType ?? '');
  }
  return types;
}

describe('compaction', () => {
  it('keeps the configured versions, rewrites the files and leaves every page readable', async () => {
    const { repository, database } = folder.open({ now: () => START + 5 * DAY });
    for (let version = 0; version < 4; version++)
      for (let id = 1; id <= 3; id++)
        await store(repository, id, `page ${id} version ${version}`, START + version * DAY);
    const report = await repository.compact(LIMITS);
    expect(report).toMatchObject({ versionsRemoved: 6, filesRewritten: 1 });
    expect(report.bytesAfter).toBeLessThan(report.bytesBefore * 0.7);
    expect(await bodies(repository, 2)).toEqual(['page 2 version 3', 'page 2 version 2']);
    expect(readdirSync(folder.warc)).toEqual(['pages-000002.warc.gz']);
    await store(repository, 9, 'after', START);
    expect(await bodies(repository, 9)).toEqual(['after']);
    expect((await scan(join(folder.warc, 'pages-000002.warc.gz'))).filter((type) => type === 'response')).toHaveLength(
      6,
    );
    await repository.close();
    database.close();
    expect(verifyDataFolder({ database: join(folder.path, 'winnow.db'), warc: folder.warc })).toEqual([]);
  });

  it('drops versions by age, but never the newest', async () => {
    const { repository, database } = folder.open({ now: () => START + 100 * DAY });
    await store(repository, 1, 'old', START);
    await store(repository, 1, 'newer', START + DAY);
    await repository.compact(LIMITS);
    expect(await bodies(repository, 1)).toEqual(['newer']);
    await repository.close();
    database.close();
  });

  it('stays within the disk budget by letting go of the bytes of old versions and garbage first', async () => {
    const { repository, database } = folder.open();
    for (let id = 1; id <= 4; id++) await store(repository, id, `old ${id}`, START + id);
    for (let id = 1; id <= 4; id++) await store(repository, id, `new ${id}`, START + DAY + id);
    for (let id = 11; id <= 14; id++) await store(repository, id, `bad ${id}`, START + id, `d${id}.example`);
    const { warc } = repository.bytes();
    await repository.compact({ ...LIMITS, diskBytes: Math.floor(warc * 0.55), quarantineShare: 0.2 });
    for (let id = 1; id <= 4; id++) expect((await bodies(repository, id))[0]).toBe(`new ${id}`);
    expect((await bodies(repository, 1))[1]).toBe('none');
    expect(await bodies(repository, 11)).toEqual(['none']);
    expect((await repository.pages.textOf([11])).get(11)).toBe('bad 11');
    expect(repository.bytes().warc).toBeLessThan(warc * 0.75);
    await repository.close();
    database.close();
  });

  it('carries revisit records along', async () => {
    const { repository, database } = folder.open();
    const { capture } = await store(repository, 1, 'same', START);
    const { response } = await store(repository, 2, 'gone', START);
    if (capture === undefined) throw new Error('no capture');
    const revisit = buildRevisit(
      testResponse({ status: 304, url: response.url }),
      { ...capture, url: response.url },
      TEST_CAPTURE,
    );
    const [stored] = await repository.appendMany('pages', [revisit]);
    await repository.touchMany([{ id: 1, checkedAt: START + DAY, location: stored?.location }]);
    await repository.removeMany([2]);
    await repository.compact(LIMITS);
    const [file] = readdirSync(folder.warc);
    expect(await scan(join(folder.warc, file ?? ''))).toEqual([
      'warcinfo',
      'response',
      'request',
      'revisit',
      'request',
    ]);
    await repository.close();
    database.close();
  });

  it('leaves a file alone whose last bytes are not committed yet', async () => {
    const { repository, database } = folder.open();
    await store(repository, 1, 'one', START);
    await repository.removeMany([1]);
    const [capture] = await repository.appendMany('pages', [buildCapture(testResponse({ text: 'two' }), TEST_CAPTURE)]);
    expect((await repository.compact(LIMITS)).filesRewritten).toBe(0);
    await repository.putMany([testVersion({ id: 2, mainText: 'two', capture })]);
    expect(await bodies(repository, 2)).toEqual(['two']);
    await repository.close();
    database.close();
  });
});

describe('a backup', () => {
  it('taken while pages are stored is a whole data folder of some committed moment', async () => {
    const { repository, database } = folder.open({ rollBytes: 20_000 });
    for (let id = 1; id <= 20; id++) await store(repository, id, `page ${id}`, START);
    const target = { database: join(folder.path, 'copy.db'), warc: join(folder.path, 'copy') };
    const backup = backUp(database, { database: database.path, warc: folder.warc }, target);
    for (let id = 21; id <= 60; id++) await store(repository, id, `page ${id}`, START);
    expect((await backup).kind).toBe('done');
    await repository.close();
    database.close();
    expect(verifyDataFolder(target)).toEqual([]);
    expect(await backUp(database, { database: database.path, warc: folder.warc }, target)).toMatchObject({
      kind: 'refused',
    });
    const [name] = readdirSync(target.warc);
    truncateSync(join(target.warc, name ?? ''), 500);
    expect(verifyDataFolder(target)[0]).toMatch(/has 500 of/);
  });

  it('opens as a repository of its own with every page readable', async () => {
    const first = folder.open();
    for (let id = 1; id <= 5; id++) await store(first.repository, id, `page ${id}`, START);
    await first.repository.appendMany('pages', [buildCapture(testResponse({ text: 'pending' }), TEST_CAPTURE)]);
    const copy = join(folder.path, 'restored');
    const target = { database: join(copy, 'winnow.db'), warc: join(copy, 'warc') };
    await backUp(first.database, { database: first.database.path, warc: folder.warc }, target);
    await first.repository.close();
    first.database.close();
    const { repository, database } = openFolder(copy, {});
    expect(repository.problems).toEqual([]);
    for (let id = 1; id <= 5; id++) expect(await bodies(repository, id)).toEqual([`page ${id}`]);
    await repository.close();
    database.close();
  });
});

describe('damaged archives', () => {
  /** Five pages; the file is changed by `harm` after which it is copied. */
  async function copied(harm: (path: string, third: number) => void) {
    const { repository, database } = folder.open();
    for (let id = 1; id <= 5; id++) await store(repository, id, `page ${id} ${'tide '.repeat(50)}`, START);
    const [page] = await repository.pages.versionsOf(3);
    const [name = ''] = readdirSync(folder.warc);
    await repository.close();
    harm(join(folder.warc, name), page?.capture?.location.offset ?? 0);
    const copy = join(folder.path, 'copy');
    const target = { database: join(copy, 'winnow.db'), warc: join(copy, 'warc') };
    const outcome = await backUp(database, { database: database.path, warc: folder.warc }, target);
    database.close();
    return { outcome, copy };
  }

  function flip(path: string, from: number, count: number): void {
    const bytes = readFileSync(path);
    for (let at = from; at < from + count; at++) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
  }

  async function readable(copy: string): Promise<number[]> {
    const opened = openFolder(copy, {});
    forgetDamagedRecords(opened.database, join(copy, 'warc'));
    const ids: number[] = [];
    for (let id = 1; id <= 5; id++) {
      if ((await bodies(opened.repository, id))[0]?.startsWith(`page ${id}`) === true) ids.push(id);
      expect((await opened.repository.pages.textOf([id])).get(id)).toContain(`page ${id}`);
    }
    expect(findDamagedRecords(opened.database, join(copy, 'warc')).filter(({ pages }) => pages > 0)).toEqual([]);
    await opened.repository.close();
    opened.database.close();
    return ids;
  }

  it.each([
    ['in its data', 60],
    ['in its header', 0],
  ])('a record damaged %s is named, and loses only its own bytes', async (_name, into) => {
    let offset = 0;
    const { outcome, copy } = await copied((path, third) => {
      offset = third;
      flip(path, third + into, 16);
    });
    expect(outcome).toMatchObject({ kind: 'done', damaged: [{ file: 'pages-000001.warc.gz', offset, pages: 1 }] });
    expect(await readable(copy)).toEqual([1, 2, 4, 5]);
  });

  it('damage in the first bytes of a file leaves its other records', async () => {
    const { outcome, copy } = await copied((path) => flip(path, 0, 8));
    expect(outcome).toMatchObject({ kind: 'done', damaged: [{ offset: 0, pages: 0 }] });
    expect(await readable(copy)).toEqual([1, 2, 3, 4, 5]);
  });

  it('a file cut short is copied as far as it goes', async () => {
    const { outcome, copy } = await copied((path, third) => truncateSync(path, third + 10));
    expect(outcome).toMatchObject({ kind: 'done', files: 1 });
    expect(await readable(copy)).toEqual([1, 2]);
  });

  it('a missing file costs the bytes, never the pages', async () => {
    const { outcome, copy } = await copied((path) => rmSync(path));
    expect(outcome).toMatchObject({ kind: 'done', files: 0, damaged: [{ offset: 0, pages: 5 }] });
    expect(await readable(copy)).toEqual([]);
  });
});
