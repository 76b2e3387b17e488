import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The table of ARCHITECTURE.md, "Who may import whom". Boxes never import sibling boxes; only `engine` closes loops.
 * A = the shared domain code that every box may import.
 */
const A = ['model', 'kit', 'url', 'text', 'learning', 'link-graph', 'page', 'http'];
const CRAWLING = [
  'crawling/crawler',
  'crawling/frontier',
  'crawling/robots-analyser',
  'crawling/visited-urls',
  'crawling/url-extractor',
  'crawling/url-validator',
];
const DETECTOR = [
  'garbage-detector/content-analyser',
  'garbage-detector/system-configurator',
  'garbage-detector/garbage-repository',
  'garbage-detector/supervised-analyser',
  'garbage-detector/model-store',
];
const SEARCHING = ['searching/query-manager', 'searching/ranking', 'searching/snippets'];
const DETECTION = ['beacon', 'request-processor', 'queue', 'detector', 'repository'].map(
  (box) => `modification-detection/${box}`,
);
const FOCUSED = ['search-interface', 'query-firing', 'providers', 'fitness', 'priority', 'keywords', 'seeds'].map(
  (box) => `focused-crawling/${box}`,
);
const BOXES = [
  ...CRAWLING,
  'crawling',
  'document-controller',
  ...DETECTOR,
  'garbage-detector',
  'repository',
  'updating',
  ...DETECTION,
  'indexing',
  'inverted-index',
  ...SEARCHING,
  'searching',
  ...FOCUSED,
  'focused-crawling',
];
const BELOW_ENGINE = [...A, 'config', ...BOXES];

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  kit: [],
  config: ['model'],
  url: ['model', 'kit'],
  text: ['model', 'kit'],
  learning: ['model', 'kit'],
  'link-graph': ['model', 'kit'],
  http: ['model', 'kit', 'url'],
  page: ['model', 'kit', 'url', 'text'],
  ...Object.fromEntries(BOXES.map((box) => [box, A])),
  crawling: [...A, ...CRAWLING],
  'garbage-detector': [...A, ...DETECTOR],
  indexing: [...A, 'inverted-index'],
  searching: [...A, 'inverted-index', ...SEARCHING],
  ...Object.fromEntries(SEARCHING.map((box) => [box, [...A, 'inverted-index']])),
  'focused-crawling': [...A, ...FOCUSED],
  engine: BELOW_ENGINE,
  evaluation: [...BELOW_ENGINE, 'engine'],
  demo: [...BELOW_ENGINE, 'engine'],
  commands: [...BELOW_ENGINE, 'engine', 'evaluation', 'demo'],
  server: ['model', 'config', 'commands', 'engine'],
  cli: ['model', 'config', 'commands', 'engine'],
  ui: ['model', 'config', 'commands', 'engine'],
};

const SRC = resolve(import.meta.dirname, '../src');

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.ts$/.test(entry.name) && !/\.(test|suite)\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** The longest row of the table that holds the file. */
function boxOf(file: string): string | undefined {
  const parts = relative(SRC, dirname(file)).split('/');
  for (let n = parts.length; n > 0; n--) {
    const name = parts.slice(0, n).join('/');
    if (name in MAY_IMPORT) return name;
  }
  return undefined;
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map((m) =>
    resolve(dirname(file), m[1] ?? ''),
  );
}

describe('imports', () => {
  const files = sources(SRC);

  it('every source file stands in a folder of the table', () => {
    expect(files.filter((file) => boxOf(file) === undefined).map((file) => relative(SRC, file))).toEqual([]);
  });

  it('no arrow that the table does not allow', () => {
    const forbidden: string[] = [];
    for (const file of files) {
      const from = boxOf(file) ?? '';
      for (const target of importsOf(file)) {
        const to = boxOf(target);
        if (to === undefined || to === from || MAY_IMPORT[from]?.includes(to)) continue;
        forbidden.push(`${relative(SRC, file)} → ${relative(SRC, target)}`);
      }
    }
    expect(forbidden).toEqual([]);
  });

  it('the table is checked against something: every folder of it that exists has files', () => {
    expect(files.length).toBeGreaterThan(20);
  });
});
