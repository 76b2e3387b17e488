import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOrder } from './measured-run.ts';

/** A crawler that fetches and extracts only. It prints `{"pages": N}` at its end. */
export interface Peer {
  readonly name: string;
  /** `output` takes a JSON line with URL, title and text for each page. */
  order(output: string, roots: readonly string[]): RunOrder;
}

const HERE = import.meta.dirname;
const FOLDER = join(HERE, '..', '.bench');
const VERSIONS = { crawlee: '3.18.1', scrapy: '2.19.0', colly: 'v2.3.0' };

/** Installs what is missing, through the ordinary package clients, into `.bench/`. Throws when that fails. */
export function installPeers(note: (line: string) => void): readonly Peer[] {
  return [installCrawlee(note), installScrapy(note), installColly(note)];
}

function installCrawlee(note: (line: string) => void): Peer {
  const folder = join(FOLDER, 'crawlee');
  once(folder, note, () => {
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
    succeed('npm', ['install', '--no-audit', '--no-fund', `crawlee@${VERSIONS.crawlee}`], folder);
  });
  const script = join(folder, 'crawl.mjs');
  copyFileSync(join(HERE, 'peers', 'crawlee.mjs'), script);
  return {
    name: `Crawlee ${VERSIONS.crawlee} CheerioCrawler`,
    order: (output, roots) => {
      rmSync(join(folder, 'storage'), { recursive: true, force: true });
      return { command: process.execPath, args: [script, output, ...roots], cwd: folder };
    },
  };
}

function installScrapy(note: (line: string) => void): Peer {
  const folder = join(FOLDER, 'scrapy');
  const python = join(folder, 'venv', 'bin', 'python');
  once(folder, note, () => {
    succeed('python3', ['-m', 'venv', 'venv'], folder);
    succeed(python, ['-m', 'pip', '--quiet', 'install', `scrapy==${VERSIONS.scrapy}`], folder);
  });
  const script = join(HERE, 'peers', 'scrapy_spider.py');
  return {
    name: `Scrapy ${VERSIONS.scrapy}`,
    order: (output, roots) => ({ command: python, args: [script, output, ...roots], cwd: folder }),
  };
}

function installColly(note: (line: string) => void): Peer {
  const folder = join(FOLDER, 'colly');
  once(folder, note, () => {
    succeed('go', ['mod', 'init', 'bench'], folder);
    succeed('go', ['get', `github.com/gocolly/colly/v2@${VERSIONS.colly}`], folder);
  });
  copyFileSync(join(HERE, 'peers', 'colly.go'), join(folder, 'main.go'));
  succeed('go', ['build', '-o', 'crawl', '.'], folder);
  return {
    name: `Colly ${VERSIONS.colly.slice(1)}`,
    order: (output, roots) => ({ command: join(folder, 'crawl'), args: [output, ...roots], cwd: folder }),
  };
}

/** A marker is written last, so that an installation that broke off is made anew. */
function once(folder: string, note: (line: string) => void, install: () => void): void {
  const marker = join(folder, 'installed');
  if (existsSync(marker)) return;
  note(`installing into ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install();
  writeFileSync(marker, '');
}

function succeed(command: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr.slice(-2_000)}`);
}
