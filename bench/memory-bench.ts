import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startGeneratedSite } from './generated-site.ts';
import { crawlArgs, WINNOW_FOLDER, type WinnowCrawl } from './winnow-crawl.ts';

export interface MemoryResult {
  readonly pages: number;
  readonly pagesPerSecond: number;
  readonly marks: readonly MemoryMark[];
  /** Peak at the last mark as a multiple of that at the first. */
  readonly ratio: number;
}

interface MemoryMark {
  readonly pages: number;
  /** Highest resident set of the process so far, as the system keeps it (VmHWM). */
  readonly peakMegabytes: number;
  /** Resident set at this moment. */
  readonly residentMegabytes: number;
}

export interface MemoryOptions {
  readonly pages: number;
  /** Pages after which the first figure is taken. */
  readonly firstMark: number;
  readonly note: (line: string) => void;
}

/** The peak is the system's own; what falls between the last look and the end is lost. */
const LOOK_EVERY_MS = 200;
const HOST = 'large.site.example';

/** One crawl of a generated site; its memory early and at its end. Linux only: reads /proc. */
export async function benchMemory({ pages, firstMark, note }: MemoryOptions): Promise<MemoryResult> {
  const site = await startGeneratedSite(pages);
  const folder = mkdtempSync(join(tmpdir(), 'winnow-bench-'));
  try {
    const hostsFile = join(folder, 'hosts');
    writeFileSync(hostsFile, `127.0.0.1 ${HOST}\n`);
    const seeds = [`http://${HOST}:${site.port}/`];
    return await watchedCrawl(crawlArgs({ seeds, hostsFile, data: join(folder, 'data') }), firstMark, note);
  } finally {
    await site.stop();
    rmSync(folder, { recursive: true });
  }
}

export function memoryTable({ pages, pagesPerSecond, marks, ratio }: MemoryResult): string {
  const lines = marks.map(
    (mark) =>
      `${String(mark.pages).padStart(7)} pages: peak ${mark.peakMegabytes.toFixed(0)} MB, ` +
      `resident ${mark.residentMegabytes.toFixed(0)} MB`,
  );
  const rate = `${pages} pages, ${pagesPerSecond.toFixed(1)} a second`;
  return ['memory', ...lines, rate, `peak at the end as a multiple of the first: ${ratio.toFixed(3)} (bar: 1.15)`].join(
    '\n',
  );
}

async function watchedCrawl(
  args: readonly string[],
  firstMark: number,
  note: (line: string) => void,
): Promise<MemoryResult> {
  const child = spawn(process.execPath, args, { cwd: WINNOW_FOLDER, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  let answers = 0;
  let noted = 0;
  let first: MemoryMark | undefined;
  let last: MemoryMark | undefined;
  const look = (): void => {
    last = markOf(child.pid, answers) ?? last;
    if (answers >= firstMark) first ??= last;
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    const counted = /^(\d+) answers/.exec(line)?.[1];
    if (counted === undefined) errors += `${line}\n`;
    else answers = Number(counted);
    look();
    if (answers - noted < firstMark) return;
    noted = answers;
    note(`${answers} pages, resident ${last?.residentMegabytes.toFixed(0)} MB`);
  });
  const status = await ended.finally(() => clearInterval(looking));
  if (status !== 0) throw new Error(`the crawl ended with status ${status}: ${errors.slice(-2_000)}`);
  const report = JSON.parse(output) as WinnowCrawl;
  if (first === undefined || last === undefined) throw new Error(`the crawl had only ${report.fetched} pages`);
  return {
    pages: report.fetched,
    pagesPerSecond: report.pagesPerSecond,
    marks: [first, { ...last, pages: report.fetched }],
    ratio: last.peakMegabytes / first.peakMegabytes,
  };
}

/** Undefined when the process has just ended. */
function markOf(pid: number | undefined, pages: number): MemoryMark | undefined {
  const status = statusOf(pid);
  const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
  const resident = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
  if (peak === undefined || resident === undefined) return undefined;
  return { pages, peakMegabytes: Number(peak) / 1024, residentMegabytes: Number(resident) / 1024 };
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // The process is gone: its figures were taken at the line before.
    return '';
  }
}
