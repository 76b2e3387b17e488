import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'winnow-folder-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('makes what is missing, twice without harm', () => {
  const path = join(root, 'a', 'b', 'c');
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

it('a file above it is an error', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file', 'a', 'b'))).toThrow(/ENOTDIR/);
});

it.skipIf(!existsSync('/proc/self')).each(['/proc/x', '/proc/x/y/z', '/proc/self/x'])(
  '%s is an error, not a loop (skipped where there is no /proc)',
  (path) => {
    expect(() => makeFolder(path)).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
  },
);
