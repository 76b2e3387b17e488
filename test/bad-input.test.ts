import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/kit/sqlite.ts';
import { type SmallSite, startSmallSite } from './support/small-site.ts';
import { type Ran, startWinnow, winnow } from './support/winnow.ts';

/** What people and machines get wrong: a message that says what to do, the contract's status, nothing stored lost. */
const root = mkdtempSync(join(tmpdir(), 'winnow-bad-'));
const held = join(root, 'held');
const env = { NODE_COMPILE_CACHE: join(root, 'compile-cache') };
const LOCAL = ['--allow-private', '--delay', '0'];
const PAGES = 6;
let site: SmallSite;

beforeAll(async () => {
  site = await startSmallSite(PAGES);
  const ran = await run('crawl', `${site.origin}/`, ...LOCAL, '--data', held);
  expect(ran.code).toBe(0);
}, 60_000);

afterAll(async () => {
  await site.stop();
  rmSync(root, { recursive: true, force: true });
});

function run(...args: readonly string[]): Promise<Ran> {
  return winnow(args, { env });
}

function file(name: string, text: string): string {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
}

async function expectRefused(
  args: readonly string[],
  code: 1 | 2,
  ...messages: readonly (string | RegExp)[]
): Promise<void> {
  const ran = await run(...args);
  expect({ code: ran.code, stderr: ran.stderr, stdout: ran.stdout }).toMatchObject({ code, stdout: '' });
  for (const message of messages) expect(ran.stderr).toMatch(message);
}

async function keptIn(data: string): Promise<number> {
  return JSON.parse((await run('status', '--json', '--data', data)).stdout).pages.kept;
}

/** Every file of a folder with the hash of its bytes; SQLite's shared memory is no content. */
function contentOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile() && !name.endsWith('-shm'))
    .filter((name) => !name.endsWith('-wal') || statSync(join(folder, name)).size > 0)
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    )
    .sort();
}

describe('usage', () => {
  const cases: readonly (readonly [
    name: string,
    args: () => readonly string[],
    messages: readonly (string | RegExp)[],
  ])[] = [
    ['unknown option', () => ['crawl', 'http://a.example/', '--dept', '3'], ['--dept']],
    ['unknown command', () => ['crwal', 'http://a.example/'], ['"crwal"', 'did you mean "crawl"']],
    ['unknown command before an unknown option', () => ['crwal', '--nix'], ['"crwal"']],
    ['unknown sub-command', () => ['garbage', 'lisst'], ['lisst']],
    ['missing argument', () => ['search'], ['QUERY']],
    [
      'words to take out without folds to find them on',
      () => ['evaluate', 'garbage', '--pages', '.', '--labels', 'l.csv', '--detector', 'spam', '--without-words', '9'],
      ['--without-words', '--folds'],
    ],
    ['number that is none', () => ['crawl', 'http://a.example/', '--max-pages', 'many'], ['--max-pages', '"many"']],
    [
      'word not of the list',
      () => ['crawl', 'http://a.example/', '--scope', 'world'],
      ['--scope', 'prefix, host, domain, any'],
    ],
    ['time that is none', () => ['crawl', 'http://a.example/', '--for', 'soon'], ['--for', '10m']],
    ['malformed URL', () => ['crawl', 'http://[bad/', ...LOCAL], [/"http:\/\/\[bad\/"/, 'malformed']],
    ['URL of another scheme', () => ['crawl', 'ftp://a.example/', ...LOCAL], ['only http and https']],
    ['crawl without anything to go on with', () => ['crawl', ...LOCAL, '--data', join(root, 'nothing')], ['--seeds']],
    [
      'seeds file with a bad line',
      () => ['crawl', '--seeds', file('seeds.txt', '# mine\nhttp://a.example/\nnot a url\n'), ...LOCAL],
      ['seeds.txt:3'],
    ],
    [
      'seeds file that is not there',
      () => ['crawl', '--seeds', join(root, 'none.txt'), ...LOCAL],
      ['--seeds', 'none.txt'],
    ],
    [
      'hosts file with a bad line',
      () => [
        'crawl',
        'http://a.example/',
        '--hosts',
        file('hosts', '127.0.0.2 a.example\n300.1.1.1 b.example\n'),
        ...LOCAL,
      ],
      ['--hosts', /hosts:2/],
    ],
    [
      'hosts file that is not there',
      () => ['crawl', 'http://a.example/', '--hosts', join(root, 'none'), ...LOCAL],
      ['--hosts'],
    ],
    [
      'keyword file that is not there',
      () => ['focus', 'http://a.example/', '--keywords', join(root, 'none'), ...LOCAL],
      ['--keywords', 'none'],
    ],
    [
      'keyword file without a keyword',
      () => ['focus', 'http://a.example/', '--keywords', file('empty.txt', '# nothing\n'), ...LOCAL],
      ['--keywords', 'empty.txt'],
    ],
    [
      'configuration that is not JSON',
      () => ['status', '--config', file('bad.json', '{"crawl": {')],
      ['bad.json', 'JSON'],
    ],
    [
      'unknown setting',
      () => ['status', '--config', file('key.json', '{"crawl": {"delaySecond": 2}}')],
      ['key.json', 'crawl.delaySecond', 'did you mean "delaySeconds"'],
    ],
    ['unknown section', () => ['status', '--config', file('section.json', '{"crawll": {}}')], ['did you mean "crawl"']],
    [
      'setting of the wrong type',
      () => ['status', '--config', file('type.json', '{"crawl": {"delaySeconds": "2"}}')],
      ['crawl.delaySeconds', 'number'],
    ],
    ['configuration that is not there', () => ['status', '--config', join(root, 'none.json')], ['none.json']],
    [
      'label that is none',
      () => ['label', 'add', 'http://a.example/', 'rubbish', '--data', held],
      ['"rubbish"', 'soft-404'],
    ],
    [
      'labels file with a bad line',
      () => ['label', 'import', file('bad.csv', 'url,label\nhttp://a/,ham\nhttp://b/,hamm\n'), '--data', held],
      ['bad.csv:3'],
    ],
    ['file to import that is not there', () => ['import', join(root, 'none.warc'), '--data', held], ['none.warc']],
    ['file to import of no known form', () => ['import', file('x.txt', 'hello'), '--data', held], ['x.txt', 'WARC']],
    ['rule for what is no URL', () => ['hide', 'not a url', '--data', held], ['"not a url"']],
    ['collection name that leaves the folder', () => ['status', '--collection', '../x'], ['--collection']],
  ];

  it.each(cases)('%s: exit 2', async (_name, args, messages) => {
    await expectRefused(args(), 2, ...messages);
  });

  it('a bad line on standard input: exit 2, names the line', async () => {
    const ran = await winnow(['url', '--batch'], { input: '{"ref":"a"}\n{"no":1}\n', env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('line 2');
  });
});

describe('what cannot be done', () => {
  it('no contact outside private addresses', async () => {
    await expectRefused(['crawl', 'http://a.example/', '--data', join(root, 'contact')], 1, '--contact');
    expect(existsSync(join(root, 'contact', 'winnow.db'))).toBe(false);
  });

  it('no collection: nothing is made', async () => {
    const data = join(root, 'no-such');
    for (const args of [
      ['search', 'x'],
      ['status'],
      ['export'],
      ['hide', 'http://a/'],
      ['label', 'queue'],
      ['compact'],
      ['backup', join(root, 'b')],
    ])
      await expectRefused([...args, '--data', data], 1, 'no collection', '--data');
    expect(existsSync(data)).toBe(false);
  }, 60_000);

  it('every seed failing: exit 1, the reasons in the summary', async () => {
    const ran = await run(
      'crawl',
      'http://127.0.0.1:9/',
      'http://nowhere.invalid/',
      ...LOCAL,
      '--json',
      '--data',
      join(root, 'failing'),
    );
    expect(ran.code).toBe(1);
    const report = JSON.parse(ran.stdout);
    expect(report.fetched).toBe(0);
    expect(report.summary).toMatch(/no connection/);
  }, 60_000);

  it('a port in use', async () => {
    const { port } = new URL(site.origin);
    await expectRefused(['serve', '--port', port, '--data', held], 1, port, 'port');
  });

  it('a second writer: names the first one, which goes on', async () => {
    const data = join(root, 'two');
    const first = startWinnow(['crawl', `${site.origin}/`, '--allow-private', '--delay', '2', '--data', data], { env });
    while (!existsSync(join(data, 'writer.lock'))) await new Promise((resolve) => setTimeout(resolve, 50));
    for (const args of [['crawl', ...LOCAL], ['compact'], ['forget', 'http://a.example/x']])
      await expectRefused([...args, '--data', data], 1, String(first.pid));
    first.kill('SIGINT');
    expect(await new Promise((resolve) => first.once('close', resolve))).toBe(130);
  }, 60_000);
});

describe('data folders', () => {
  it('a file in place of the folder', async () => {
    const data = file('a-file', 'mine');
    await expectRefused(['crawl', `${site.origin}/`, ...LOCAL, '--data', data], 1, 'a-file', '--data');
    expect(readFileSync(data, 'utf8')).toBe('mine');
  });

  it('a folder from a newer version: refused by readers and writers, nothing changed', async () => {
    const data = join(root, 'newer');
    await run('backup', data, '--data', held);
    const database = openDatabase(join(data, 'winnow.db'), {
      readOnly: false,
      busyTimeoutMs: 1000,
      cacheBytes: 1 << 20,
    });
    database.run(`UPDATE box_versions SET version = 99 WHERE box = 'visited-urls'`);
    database.checkpoint();
    database.close();
    const before = contentOf(data);
    await expectRefused(['crawl', ...LOCAL, '--data', data], 1, 'newer', 'visited-urls');
    await expectRefused(['status', '--data', data], 1, 'newer');
    await expectRefused(['search', 'harbour', '--data', data], 1, 'newer');
    expect(contentOf(data)).toEqual(before);
  }, 60_000);

  it.each([
    ['of 0 bytes', Buffer.alloc(0)],
    [
      'that is no database',
      Buffer.from('this is a text file, and long enough to be looked at as a database header '.repeat(40)),
    ],
  ])(
    'a winnow.db %s: said so, left alone',
    async (_name, content) => {
      const data = mkdtempSync(join(root, 'damaged-'));
      writeFileSync(join(data, 'winnow.db'), content);
      for (const args of [['crawl', `${site.origin}/`, ...LOCAL], ['status'], ['search', 'x']])
        await expectRefused([...args, '--data', data], 1, 'winnow.db', 'restore');
      expect(readFileSync(join(data, 'winnow.db')).equals(content)).toBe(true);
      expect((await run('doctor', '--data', data)).code).toBe(1);
    },
    60_000,
  );

  it('a damaged record: doctor, backup, export and restore name it, and keep all else', async () => {
    const data = join(root, 'flipped');
    await run('restore', await goodBackup(), '--data', data);
    const name = readdirSync(join(data, 'warc'))[0] ?? '';
    const warc = join(data, 'warc', name);
    const bytes = readFileSync(warc);
    const middle = bytes.length >> 1;
    bytes.fill(0x55, middle, middle + 64);
    writeFileSync(warc, bytes);
    const doctor = await run('doctor', '--data', data);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/damaged record.*at byte \d+/);
    const out = join(root, 'flipped.warc.gz');
    const exported = await run('export', '--format', 'warc', '--output', out, '--data', data);
    expect(exported.code).toBe(0);
    expect(exported.stderr).toMatch(/is left out: .*warc\.gz at byte \d+/);
    expect(spawnSync('gzip', ['-t', out]).status).toBe(0);
    const backup = join(root, 'flipped-backup');
    const backedUp = await run('backup', backup, '--json', '--data', data);
    expect(backedUp.code).toBe(0);
    expect(backedUp.stderr).toMatch(/warc\.gz at byte \d+: /);
    expect(JSON.parse(backedUp.stdout).problems[0]).toMatchObject({ file: name });
    const restored = join(root, 'flipped-restored');
    const back = await run('restore', backup, '--data', restored);
    expect(back.code).toBe(0);
    expect(back.stdout).toMatch(/damaged/);
    expect(back.stderr).toMatch(/at byte/);
    expect(await keptIn(restored)).toBe(PAGES + 1);
    expect((await run('doctor', '--data', restored)).stdout).toMatch(/note +archives/);
  }, 120_000);

  it.each(['warc', 'csv', 'jsonl'])(
    'export as %s names the file that failed, not the one it writes',
    async (format) => {
      const data = mkdtempSync(join(root, 'unread-'));
      writeFileSync(join(data, 'winnow.db'), 'this is no database at all, only a text '.repeat(100));
      const out = join(root, `unread.${format}`);
      const args = ['export', '--format', format, '--output', out, '--data', data];
      await expectRefused(args, 1, 'winnow.db');
      expect((await run(...args)).stderr).not.toContain('cannot write');
      await expectRefused(
        ['export', '--format', format, '--output', join(root, 'no-folder', 'x'), '--data', held],
        1,
        'cannot write',
      );
    },
  );

  it('of a backup cut short all that is whole is restored', async () => {
    const backup = join(root, 'backup');
    await run('backup', backup, '--data', held);
    const warc = join(backup, 'warc', readdirSync(join(backup, 'warc'))[0] ?? '');
    writeFileSync(warc, readFileSync(warc).subarray(0, -100));
    const data = join(root, 'restored');
    const back = await run('restore', backup, '--data', data);
    expect(back.code).toBe(0);
    expect(back.stderr).toMatch(/warc\.gz at byte \d+: the file has/);
    expect(await keptIn(data)).toBe(PAGES + 1);
  }, 60_000);

  it('a WARC file cut short: doctor names it, the crawl goes on, nothing else is lost', async () => {
    const data = join(root, 'cut');
    await run('restore', await goodBackup(), '--data', data);
    const warc = join(data, 'warc', readdirSync(join(data, 'warc'))[0] ?? '');
    writeFileSync(warc, readFileSync(warc).subarray(0, -200));
    const doctor = await run('doctor', '--data', data);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain('archives');
    expect((await run('crawl', `${site.origin}/`, ...LOCAL, '--data', data)).code).toBe(0);
    expect(await keptIn(data)).toBe(PAGES + 1);
  }, 60_000);
});

async function goodBackup(): Promise<string> {
  const backup = join(root, 'good-backup');
  if (!existsSync(backup)) expect((await run('backup', backup, '--data', held)).code).toBe(0);
  return backup;
}

const canMount = process.getuid?.() === 0 && tryMount();

function mount(...args: readonly string[]): boolean {
  return spawnSync('mount', args).status === 0;
}

function tryMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'winnow-mount-'));
  const done = mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe);
  if (done) spawnSync('umount', [probe]);
  rmSync(probe, { recursive: true, force: true });
  return done;
}

/** A file system of its own in memory. */
async function withDisk(size: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(root, 'disk-'));
  expect(mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)).toBe(true);
  try {
    await work(folder);
  } finally {
    spawnSync('umount', ['-l', folder]);
  }
}

describe.skipIf(!canMount)('disks (skipped where file systems cannot be mounted)', () => {
  it('a read-only folder: refused, nothing changed', async () => {
    await withDisk('32m', async (folder) => {
      const data = join(folder, 'data');
      await run('restore', await goodBackup(), '--data', data);
      expect(mount('-o', 'remount,ro', folder)).toBe(true);
      const before = contentOf(data);
      await expectRefused(['crawl', `${site.origin}/`, ...LOCAL, '--data', data], 1, 'cannot write', '--data');
      expect(contentOf(data)).toEqual(before);
    });
  }, 60_000);

  it('little free disk: the crawl stops before it is full, exit 1 when it could not even begin', async () => {
    await withDisk('16m', async (folder) => {
      const ran = await run('crawl', `${site.origin}/`, ...LOCAL, '--json', '--data', join(folder, 'data'));
      expect(JSON.parse(ran.stdout)).toMatchObject({ stopped: 'disk-full', fetched: 0 });
      expect(ran.code).toBe(1);
    });
  }, 60_000);

  it.each(['900k', '1200k', '1600k'])(
    'a disk of %s that fills up while crawling: said so, what was committed is sound, the crawl resumes',
    async (size) => {
      const config = file('no-reserve.json', '{"crawl": {"minFreeDiskBytes": 0}}');
      const large = await startSmallSite(120);
      try {
        await withDisk(size, async (folder) => {
          const data = join(folder, 'data');
          const args = ['--config', config, ...LOCAL, '--data', data];
          const ran = await run('crawl', `${large.origin}/`, ...args);
          expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({
            code: 1,
            stderr: expect.stringMatching(/disk is full/),
          });
          expect(mount('-o', 'remount,size=64m', folder)).toBe(true);
          const doctor = await run('doctor', '--config', config, '--data', data);
          expect(doctor.stdout).not.toContain('damaged');
          const resumed = await run('crawl', `${large.origin}/`, ...args);
          expect(resumed.code).toBe(0);
          expect(await keptIn(data)).toBe(121);
        });
      } finally {
        await large.stop();
      }
    },
    120_000,
  );
});

it('the collection that all this was tried beside is whole', async () => {
  expect(await keptIn(held)).toBe(PAGES + 1);
});
