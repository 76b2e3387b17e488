import { appendFileSync, existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOutOfSpace, type Repository } from './repository.ts';
import { START, TEST_CAPTURE, type TestFolder, testFolder, testResponse, testVersion } from './test-support.ts';
import { readWarcFile } from './warc-reader.ts';
import { buildCapture } from './warc-record.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.end());

async function store(repository: Repository, id: number, text: string, series: 'pages' | 'quarantine' = 'pages') {
  const captures = [buildCapture(testResponse({ text, url: `http://shop.example/${id}` }), TEST_CAPTURE)];
  const [capture] = await repository.appendMany(series, captures);
  await repository.putMany([testVersion({ id, mainText: text, capture })]);
  if (capture === undefined) throw new Error('nothing appended');
  return capture;
}

async function bodyOf(repository: Repository, id: number): Promise<string> {
  const [page] = await repository.pages.getMany([id]);
  if (page?.capture === undefined) return 'no capture';
  const outcome = await repository.pages.read(page.capture.location);
  return outcome.kind === 'lost' ? `lost: ${outcome.detail}` : Buffer.from(outcome.response.body).toString();
}

function typesOf(path: string): string[] {
  return [...readWarcFile(path, { maxRecordBytes: 1 << 24 })].map((item) =>
    item.kind === 'record' ? item.record.type : 'problem',
  );
}

describe('the WARC files', () => {
  it('W7: begin with a warcinfo record, one gzip member a record', async () => {
    const { repository, database } = folder.open();
    await store(repository, 1, 'one');
    await store(repository, 2, 'two');
    expect(readdirSync(folder.warc)).toEqual(['pages-000001.warc.gz']);
    const items = [...readWarcFile(join(folder.warc, 'pages-000001.warc.gz'), { maxRecordBytes: 1 << 20 })];
    expect(items.map((item) => (item.kind === 'record' ? item.record.type : item.detail))).toEqual([
      'warcinfo',
      'response',
      'request',
      'response',
      'request',
    ]);
    expect(new Set(items.map((item) => item.offset)).size).toBe(5);
    await repository.close();
    database.close();
  });

  it('are rolled at a size and go on where they ended after a restart', async () => {
    const first = folder.open({ rollBytes: 1200 });
    for (let id = 1; id <= 4; id++) await store(first.repository, id, `text ${id}`);
    await first.repository.close();
    first.database.close();
    const { repository, database } = folder.open({ rollBytes: 1200 });
    await store(repository, 5, 'text 5');
    expect(readdirSync(folder.warc).length).toBeGreaterThan(1);
    for (const name of readdirSync(folder.warc)) expect(typesOf(join(folder.warc, name))[0]).toBe('warcinfo');
    for (let id = 1; id <= 5; id++) expect(await bodyOf(repository, id)).toBe(`text ${id}`);
    await repository.close();
    database.close();
  });

  it('are cut back to the committed length when opened; a file never committed goes', async () => {
    const first = folder.open();
    await store(first.repository, 1, 'one');
    await first.repository.appendMany('pages', [buildCapture(testResponse({ text: 'lost' }), TEST_CAPTURE)]);
    await first.repository.appendMany('quarantine', [buildCapture(testResponse({ text: 'lost' }), TEST_CAPTURE)]);
    await first.repository.close();
    first.database.close();
    appendFileSync(join(folder.warc, 'pages-000001.warc.gz'), 'half a rec');
    const { repository, database } = folder.open();
    expect(readdirSync(folder.warc)).toEqual(['pages-000001.warc.gz']);
    expect(typesOf(join(folder.warc, 'pages-000001.warc.gz'))).toEqual(['warcinfo', 'response', 'request']);
    expect(repository.problems).toEqual([]);
    await store(repository, 2, 'two');
    expect(await bodyOf(repository, 1)).toBe('one');
    expect(await bodyOf(repository, 2)).toBe('two');
    expect(repository.bytes().warc).toBe(statSync(join(folder.warc, 'pages-000001.warc.gz')).size);
    await repository.close();
    database.close();
  });

  it('I3: a file cut to nothing is reported, its pages read as lost, and new pages go to another file', async () => {
    const first = folder.open();
    await store(first.repository, 1, 'one');
    await first.repository.close();
    first.database.close();
    truncateSync(join(folder.warc, 'pages-000001.warc.gz'), 0);
    const { repository, database } = folder.open();
    expect(repository.problems.map((problem) => problem.kind)).toEqual(['shorter-than-committed']);
    expect(await bodyOf(repository, 1)).toMatch(/^lost/);
    expect((await repository.pages.textOf([1])).get(1)).toBe('one');
    await store(repository, 2, 'two');
    expect(await bodyOf(repository, 2)).toBe('two');
    await repository.close();
    database.close();
  });

  it.skipIf(!existsSync('/dev/full'))(
    'I1: a write that fails for want of space is told from other failures',
    async () => {
      const full = await open('/dev/full', 'w');
      const failure = await full.write('x').catch((error: unknown) => error);
      await full.close();
      expect(isOutOfSpace(failure)).toBe(true);
      expect(isOutOfSpace(new Error('other'))).toBe(false);
    },
  );

  it('of somebody else are reported and left alone', async () => {
    folder.open().database.close();
    writeFileSync(join(folder.warc, 'pages-000007.warc.gz'), 'mine');
    const { repository, database } = folder.open();
    expect(repository.problems.map((problem) => problem.kind)).toEqual(['unknown-file']);
    await store(repository, 1, 'one');
    expect(readdirSync(folder.warc)).toEqual(['pages-000007.warc.gz', 'pages-000008.warc.gz']);
    expect(existsSync(join(folder.warc, 'pages-000007.warc.gz'))).toBe(true);
    await repository.close();
    database.close();
  });
});

describe('the page table', () => {
  it('keeps versions, and putting the same fetch again changes nothing', async () => {
    const { repository, database } = folder.open();
    await repository.putMany([testVersion({ id: 7, mainText: 'old', fetchedAt: START })]);
    await repository.putMany([testVersion({ id: 7, mainText: 'new', fetchedAt: START + 5, changedAt: START + 5 })]);
    await repository.putMany([testVersion({ id: 7, mainText: 'new', fetchedAt: START + 5, changedAt: START + 5 })]);
    const versions = await repository.pages.versionsOf(7);
    expect(versions.map(({ version, textHash }) => [version, textHash])).toEqual([
      [2, 'hash of new'],
      [1, 'hash of old'],
    ]);
    expect([...(await repository.pages.textOf([7, 8]))]).toEqual([[7, 'new']]);
    expect((await repository.pages.getMany([8, 7])).map((page) => page.changedAt)).toEqual([START + 5]);
    database.close();
  });

  it('notes a page seen unchanged without a new version', async () => {
    const { repository, database } = folder.open();
    await repository.putMany([testVersion({ id: 7 })]);
    await repository.touchMany([{ id: 7, checkedAt: START + 9, location: undefined }]);
    const [page] = await repository.pages.versionsOf(7);
    expect([page?.version, page?.fetchedAt, page?.checkedAt]).toEqual([1, START, START + 9]);
    database.close();
  });

  it('holds the bytes of the newest five quarantined pages of a domain and kind, and all their verdicts', async () => {
    const { repository, database } = folder.open();
    for (let id = 1; id <= 8; id++) {
      const captures = [buildCapture(testResponse({ text: `bad ${id}` }), TEST_CAPTURE)];
      const [capture] = await repository.appendMany('quarantine', captures);
      const kind = id === 8 ? 'parked' : 'content';
      await repository.putMany([testVersion({ id, state: 'garbage', kind, capture, fetchedAt: START + id })]);
    }
    const pages = await repository.pages.getMany([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(pages.map((page) => page.capture !== undefined)).toEqual([false, false, true, true, true, true, true, true]);
    expect(pages.every((page) => page.kind !== undefined)).toBe(true);
    expect(readdirSync(folder.warc)).toEqual(['quarantine-000001.warc.gz']);
    await repository.close();
    database.close();
  });
});
