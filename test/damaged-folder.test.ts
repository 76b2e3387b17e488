import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/kit/sqlite.ts';
import { type SmallSite, startSmallSite } from './support/small-site.ts';
import { winnow } from './support/winnow.ts';

/** Damage is told with the name of the file and what to do, never in the words of the libraries below. */
const root = mkdtempSync(join(tmpdir(), 'winnow-damage-'));
const sound = join(root, 'sound');
const LOCAL = ['--allow-private', '--delay', '0'];
let site: SmallSite;

beforeAll(async () => {
  site = await startSmallSite(12);
  expect((await winnow(['crawl', `${site.origin}/`, ...LOCAL, '--data', sound])).code).toBe(0);
  const options = { readOnly: false, busyTimeoutMs: 1000, cacheBytes: 1 << 20 };
  const database = openDatabase(join(sound, 'winnow.db'), options);
  database.checkpoint();
  database.close();
}, 60_000);

afterAll(async () => {
  await site.stop();
  rmSync(root, { recursive: true, force: true });
});

function copy(name: string): string {
  const data = join(root, name);
  cpSync(sound, data, { recursive: true });
  return data;
}

async function expectUnable(args: readonly string[], data: string, ...messages: readonly string[]): Promise<void> {
  const ran = await winnow([...args, '--data', data]);
  expect({ args, code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 1 });
  for (const message of messages) expect(ran.stderr).toContain(message);
}

const COMMANDS = [['status'], ['search', 'harbour'], ['export']];

it('damage behind the first page of winnow.db', async () => {
  const data = copy('middle');
  const path = join(data, 'winnow.db');
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 4096 * 2);
  writeFileSync(path, bytes);
  for (const args of COMMANDS) await expectUnable(args, data, 'winnow.db', 'damaged', 'winnow restore');
  await expectUnable(['crawl', `${site.origin}/`, ...LOCAL], data, 'winnow.db', 'damaged', 'winnow restore');
}, 60_000);

describe('another kind of thing in the place of', () => {
  it.each(['winnow.db', 'writer.lock'])(
    '%s: a folder',
    async (name) => {
      const data = copy(`folder-${name}`);
      rmSync(join(data, name), { force: true });
      for (const suffix of ['-wal', '-shm']) rmSync(join(data, name + suffix), { force: true });
      mkdirSync(join(data, name));
      const readers = name === 'winnow.db' ? COMMANDS : [];
      for (const args of [...readers, ['crawl', `${site.origin}/`, ...LOCAL]])
        await expectUnable(args, data, name, 'folder');
      expect(statSync(join(data, name)).isDirectory()).toBe(true);
    },
    60_000,
  );

  it('warc: a file', async () => {
    const data = copy('file-warc');
    rmSync(join(data, 'warc'), { recursive: true });
    writeFileSync(join(data, 'warc'), 'mine');
    for (const args of [...COMMANDS, ['crawl', `${site.origin}/`, ...LOCAL]])
      await expectUnable(args, data, 'warc', 'folder of archives');
    expect(readFileSync(join(data, 'warc'), 'utf8')).toBe('mine');
  }, 60_000);
});

it.skipIf(!existsSync('/proc/self'))(
  'a file system that makes no folders (skipped where there is no /proc)',
  async () => {
    await expectUnable(['crawl', `${site.origin}/`, ...LOCAL], '/proc/winnow', '/proc/winnow', '--data');
  },
);
