import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CrawlReport } from '../model/reports.ts';

export type WriterEvent =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'finished'; readonly text: string; readonly report: CrawlReport }
  | { readonly kind: 'failed'; readonly text: string };

/** The writer as a child of the server: one at a time, its progress as events. */
export class WriterProcess {
  readonly #options: readonly string[];
  readonly #emit: (event: WriterEvent) => void;
  #child: ChildProcess | undefined;

  constructor(options: readonly string[], emit: (event: WriterEvent) => void) {
    this.#options = options;
    this.#emit = emit;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** False when one is running already. */
  start(args: readonly string[]): boolean {
    if (this.#child !== undefined) return false;
    const bin = fileURLToPath(new URL('../../bin/winnow.js', import.meta.url));
    const child = spawn(process.execPath, [bin, ...args, ...this.#options, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let output = '';
    let lastLine = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastLine = line;
      this.#emit({ kind: 'progress', text: line });
    });
    child.once('close', () => {
      this.#child = undefined;
      this.#emit(endOf(output, lastLine));
    });
    return true;
  }

  /** Asks it to stop; it saves everything first. False when none runs. */
  stop(): boolean {
    return this.#child?.kill('SIGINT') ?? false;
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.kill('SIGINT');
    await closed;
  }
}

function endOf(output: string, lastLine: string): WriterEvent {
  const report = parseReport(output);
  if (report === undefined) return { kind: 'failed', text: lastLine === '' ? 'the crawl failed' : lastLine };
  return { kind: 'finished', text: report.summary, report };
}

function parseReport(output: string): CrawlReport | undefined {
  try {
    const parsed: unknown = JSON.parse(output);
    return typeof parsed === 'object' && parsed !== null && 'summary' in parsed ? (parsed as CrawlReport) : undefined;
  } catch {
    // Output that is no report: the process failed, and its last line on standard error says why.
    return undefined;
  }
}
