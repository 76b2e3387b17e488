import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { winnow } from '../support/winnow.ts';

const run = promisify(execFile);

/** The archive as others read it: `warcio check` of PyPI compares every digest. */
describe('warcio check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-warcio-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('accepts every file of the demo: pages and quarantine', async () => {
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(join(folder, 'venv/bin/pip'), ['install', '--quiet', '--disable-pip-version-check', 'warcio==1.8.1']);
    const demo = await winnow(['demo', '--once', '--quiet', '--json', '--data', folder]);
    expect(demo.code).toBe(0);
    const warc = join(folder, 'demo/warc');
    const files = readdirSync(warc);
    expect(files.some((name) => name.startsWith('quarantine-'))).toBe(true);
    for (const name of files) {
      const checked = await run(join(folder, 'venv/bin/warcio'), ['check', '-v', join(warc, name)]);
      expect(checked.stdout).not.toMatch(/failed/i);
      expect(checked.stdout).toMatch(/digest pass/);
    }
  });
});
