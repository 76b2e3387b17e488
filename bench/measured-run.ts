import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MeasuredRun {
  readonly stdout: string;
  /** Elapsed, from the start of the process to its end. */
  readonly seconds: number;
  /** User and system time of the process, its threads and its children. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

export interface RunOrder {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const GNU_TIME = '/usr/bin/time';

/** Runs a program to its end under GNU time. Throws with its last words when it fails. */
export async function measuredRun({ command, args, cwd, env = {} }: RunOrder): Promise<MeasuredRun> {
  if (!existsSync(GNU_TIME)) throw new Error(`${GNU_TIME} is missing: install the package "time"`);
  const folder = mkdtempSync(join(tmpdir(), 'winnow-measured-'));
  const report = join(folder, 'time');
  try {
    const child = spawn(GNU_TIME, ['-f', '%e %U %S %M', '-o', report, command, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, status] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve)),
    ]);
    if (status !== 0) throw new Error(`${command} ended with status ${status}: ${stderr.slice(-2_000)}`);
    const [seconds, user, system, kilobytes] = lastLine(readFileSync(report, 'utf8')).split(' ').map(Number);
    return {
      stdout,
      seconds: seconds ?? Number.NaN,
      cpuSeconds: (user ?? Number.NaN) + (system ?? Number.NaN),
      peakMegabytes: (kilobytes ?? Number.NaN) / 1024,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
