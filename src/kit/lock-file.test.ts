import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, lockHolder } from './lock-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-lock-'));
  path = join(folder, 'writer.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another process that takes the lock, prints the outcome and stays until its input ends. */
function startHolder() {
  const module = join(import.meta.dirname, 'lock-file.ts');
  const script = `import { acquireLock } from ${JSON.stringify(module)};
    const o = acquireLock(${JSON.stringify(path)}); console.log(JSON.stringify({ kind: o.kind, pid: o.pid })); process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const outcome = new Promise<{ kind: string; pid?: number }>((resolve) => {
    child.stdout.once('data', (text: Buffer) => resolve(JSON.parse(text.toString())));
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return { child, outcome, ended };
}

describe('the lock of a data folder', () => {
  it('is held by one: a second is refused with the pid of the first, and gets it after the release', () => {
    const first = acquireLock(path);
    expect(acquireLock(path)).toEqual({ kind: 'held', pid: process.pid });
    expect(lockHolder(path)).toBe(process.pid);
    if (first.kind === 'locked') first.lock.release();
    expect(lockHolder(path)).toBeUndefined();
    expect(acquireLock(path).kind).toBe('locked');
    expect(readdirSync(folder)).toEqual(['writer.lock']);
  });

  it('is seen across processes and taken over when the holder was killed', async () => {
    const holder = startHolder();
    expect((await holder.outcome).kind).toBe('locked');
    expect(acquireLock(path)).toEqual({ kind: 'held', pid: holder.child.pid });
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(lockHolder(path)).toBeUndefined();
    expect(acquireLock(path).kind).toBe('locked');
  });

  it('is not believed when its pid now belongs to another process', () => {
    acquireLock(path);
    const holder = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...holder, ticks: holder.ticks === null ? null : holder.ticks - 1 }));
    expect(acquireLock(path).kind).toBe(holder.ticks === null ? 'held' : 'locked');
  });

  it('is not believed after a restart of the machine', () => {
    acquireLock(path);
    const holder = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...holder, boot: holder.boot === null ? null : 'another' }));
    expect(acquireLock(path).kind).toBe(holder.boot === null ? 'held' : 'locked');
  });

  it.each(['', 'not json', '{"pid":"x"}', '[]', '{"pid":-1}'])('that reads %j is stale', (text) => {
    writeFileSync(path, text);
    expect(acquireLock(path).kind).toBe('locked');
  });

  it('of another process is not removed by a late release', () => {
    const first = acquireLock(path);
    writeFileSync(path, '{"pid":1}');
    if (first.kind === 'locked') first.lock.release();
    expect(readFileSync(path, 'utf8')).toBe('{"pid":1}');
  });

  it.each(['', 'not json', '{"pid":999999999}', '{"pid":-1}'])(
    'that is stale is taken over when a takeover that died left a guard that reads %j',
    (guard) => {
      writeFileSync(path, '{"pid":999999999}');
      writeFileSync(`${path}.takeover`, guard);
      expect(acquireLock(path).kind).toBe('locked');
      expect(readdirSync(folder)).toEqual(['writer.lock']);
    },
  );

  it('that is stale is left to the living process whose guard stands', () => {
    const other = acquireLock(join(folder, 'other'));
    expect(other.kind).toBe('locked');
    const living = readFileSync(join(folder, 'other'), 'utf8');
    writeFileSync(path, '{"pid":999999999}');
    writeFileSync(`${path}.takeover`, living);
    expect(acquireLock(path).kind).toBe('held');
    expect(readFileSync(`${path}.takeover`, 'utf8')).toBe(living);
  });

  it.each(['writer.lock', 'writer.lock.takeover'])('says so when %s is a folder', (name) => {
    mkdirSync(join(folder, name));
    expect(() => acquireLock(path)).toThrow(`${name} is a folder`);
    expect(lockHolder(path)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([name]);
  });

  it.each(['stale lock', 'stale lock and a dead guard'])(
    'goes to exactly one of several that meet a %s',
    async (what) => {
      writeFileSync(path, '{"pid":999999999}');
      if (what.includes('guard')) writeFileSync(`${path}.takeover`, '');
      const holders = Array.from({ length: 5 }, startHolder);
      const outcomes = await Promise.all(holders.map((holder) => holder.outcome));
      expect(outcomes.filter((outcome) => outcome.kind === 'locked')).toHaveLength(1);
      for (const holder of holders) holder.child.stdin.end();
      await Promise.all(holders.map((holder) => holder.ended));
    },
  );
});
