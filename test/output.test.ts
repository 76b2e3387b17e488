import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SmallSite, startSmallSite } from './support/small-site.ts';
import { startWinnow, winnow } from './support/winnow.ts';

/** Where the output goes is the user's: a full disk is said, a reader that left is not an error. */
const root = mkdtempSync(join(tmpdir(), 'winnow-output-'));
const data = join(root, 'data');
let site: SmallSite;

beforeAll(async () => {
  site = await startSmallSite(3);
  expect((await winnow(['crawl', `${site.origin}/`, '--allow-private', '--delay', '0', '--data', data])).code).toBe(0);
}, 60_000);

afterAll(async () => {
  await site.stop();
  rmSync(root, { recursive: true, force: true });
});

function intoFile(path: string, args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const output = openSync(path, 'w');
  return new Promise((done) => {
    const bin = resolve(import.meta.dirname, '../bin/winnow.js');
    const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', output, 'pipe'] });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('close', (code) => {
      closeSync(output);
      done({ code, stderr });
    });
  });
}

describe.skipIf(!existsSync('/dev/full'))('output that cannot be written (skipped where there is no /dev/full)', () => {
  it.each([
    ['export', '--format', 'jsonl'],
    ['export', '--format', 'warc'],
    ['status'],
    ['status', '--json'],
    ['--help'],
  ])('%s %s %s: exit 1, said once', async (...args) => {
    const words = args[0] === '--help' ? args : [...args, '--data', data];
    const { code, stderr } = await intoFile(
      '/dev/full',
      words.filter((word) => word !== undefined),
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^winnow: cannot write.*ENOSPC.*\n$/) });
  });
});

it('a reader that leaves early is no error', async () => {
  const child = startWinnow(['export', '--format', 'warc', '--data', data]);
  child.stdout?.destroy();
  expect(await new Promise((done) => child.once('close', done))).toBe(0);
});

it('a closed terminal ends a crawl as an interrupt does: what was fetched is saved', async () => {
  const folder = join(root, 'hang-up');
  const child = startWinnow(['crawl', `${site.origin}/`, '--allow-private', '--delay', '5', '--data', folder]);
  const ended = new Promise((done) => child.once('close', done));
  while (!existsSync(join(folder, 'writer.lock'))) await new Promise((wait) => setTimeout(wait, 50));
  child.stderr?.destroy();
  child.kill('SIGHUP');
  expect(await ended).toBe(130);
  expect(existsSync(join(folder, 'writer.lock'))).toBe(false);
}, 60_000);
