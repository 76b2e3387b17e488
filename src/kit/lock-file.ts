import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';

export type LockOutcome =
  | { readonly kind: 'locked'; readonly lock: LockFile }
  /** `pid` is undefined when the holder runs where its process cannot be seen or wrote nothing readable. */
  | { readonly kind: 'held'; readonly pid: number | undefined };

/** A lock of this process. */
export interface LockFile {
  readonly path: string;
  /** Removes the file if it is still this process's own. Safe to call twice. */
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** Clock ticks between boot and the process's start (field 22 of /proc/pid/stat); null where there is no /proc. */
  readonly ticks: number | null;
  /** Identifies the boot, so that ticks of an earlier one are not compared; null where unknown. */
  readonly boot: string | null;
}

/**
 * Takes the lock, or says who holds it. The file appears whole (written aside, then linked into place), so nobody
 * reads half of it. A file whose process is gone, or whose pid now belongs to another process, is taken over.
 * Throws when the folder cannot be written to, or when a folder is in the file's place.
 */
export function acquireLock(path: string): LockOutcome {
  for (const file of [path, guardOf(path)]) {
    if (isFolder(file)) throw new Error(`${file} is a folder where a file belongs; move it away`);
  }
  const mine = describeProcess(process.pid);
  const fresh = `${path}.${process.pid}`;
  writeHolder(fresh, mine);
  try {
    // Each turn either gets the lock, meets a live holder, or removes one stale file; others may race for the same.
    for (let turn = 0; turn < 10; turn++) {
      if (link(fresh, path)) return { kind: 'locked', lock: makeLock(path, mine) };
      const text = read(path);
      if (text === undefined) continue;
      const holder = parse(text);
      if (holder !== undefined && isAlive(holder)) return { kind: 'held', pid: holder.pid };
      takeAway(path, text);
    }
    return { kind: 'held', pid: parse(read(path) ?? '')?.pid };
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** The pid of the living process that holds the lock, if any: for programs that only want to know. */
export function lockHolder(path: string): number | undefined {
  const holder = isFolder(path) ? undefined : parse(read(path) ?? '');
  return holder !== undefined && isAlive(holder) ? holder.pid : undefined;
}

function makeLock(path: string, mine: Holder): LockFile {
  const text = JSON.stringify(mine);
  return {
    path,
    release: () => {
      if (read(path) === text) rmSync(path, { force: true });
    },
  };
}

function writeHolder(path: string, holder: Holder): void {
  const file = openSync(path, 'w', 0o644);
  try {
    writeSync(file, JSON.stringify(holder));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** linkSync fails when the name exists, on every file system that has links: the one atomic step of the lock. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a stale lock. Two processes may both find it stale; the one that comes second must not remove the lock that
 * the first has meanwhile taken, hence the guard file, which exists only for the moment of looking again and removing.
 */
function takeAway(path: string, staleText: string): void {
  const guard = guardOf(path);
  const mine = describeProcess(process.pid);
  const fresh = `${guard}.${process.pid}`;
  writeHolder(fresh, mine);
  try {
    if (!link(fresh, guard)) {
      removeDeadGuard(guard);
      return;
    }
    if (read(path) === staleText) rmSync(path, { force: true });
    if (read(guard) === JSON.stringify(mine)) rmSync(guard, { force: true });
  } finally {
    rmSync(fresh, { force: true });
  }
}

/**
 * A guard appears whole, as the lock does: one that names no living process was left by a process that died, or by a
 * full disk. It is moved aside before it is removed, so that a living one that came meanwhile can be put back.
 */
function removeDeadGuard(guard: string): void {
  const text = read(guard);
  const holder = parse(text ?? '');
  if (text === undefined || (holder !== undefined && isAlive(holder))) return;
  const aside = `${guard}.${process.pid}.dead`;
  try {
    renameSync(guard, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (read(aside) !== text) link(aside, guard);
  rmSync(aside, { force: true });
}

function guardOf(path: string): string {
  return `${path}.takeover`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function parse(text: string): Holder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number')
    return undefined;
  const ticks = 'ticks' in value && typeof value.ticks === 'number' ? value.ticks : null;
  const boot = 'boot' in value && typeof value.boot === 'string' ? value.boot : null;
  return { pid: value.pid, ticks, boot };
}

function isAlive(holder: Holder): boolean {
  if (!processExists(holder.pid)) return false;
  const now = describeProcess(holder.pid);
  if (holder.boot !== null && now.boot !== null && holder.boot !== now.boot) return false;
  return holder.ticks === null || now.ticks === null || holder.ticks === now.ticks;
}

function processExists(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return codeOf(error) === 'EPERM';
  }
}

function describeProcess(pid: number): Holder {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the command in parentheses and may hold spaces: count from the last one.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields?.[19]);
  return {
    pid,
    ticks: Number.isFinite(ticks) ? ticks : null,
    boot: read('/proc/sys/kernel/random/boot_id')?.trim() ?? null,
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
