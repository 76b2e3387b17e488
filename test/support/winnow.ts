import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

const BIN = resolve(import.meta.dirname, '../../bin/winnow.js');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs the program as a user would and waits for its end. A process that died of a signal is a failure of its own. */
export function winnow(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = startWinnow(args, options);
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('close', (code, signal) => {
      if (signal === null) done({ code, stdout, stderr });
      else fail(new Error(`winnow ${args.join(' ')} died of ${signal}: ${stderr}`));
    });
    child.stdin?.end(options.input ?? '');
  });
}

export function startWinnow(args: readonly string[], options: RunOptions = {}): ChildProcess {
  const { WINNOW_DATA: _data, WINNOW_HOSTS: _hosts, WINNOW_ALLOW_PRIVATE: _private, ...inherited } = process.env;
  return spawn(process.execPath, [BIN, ...args], {
    env: { ...inherited, ...options.env },
    cwd: options.cwd,
    stdio: 'pipe',
  });
}
