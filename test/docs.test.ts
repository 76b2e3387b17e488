import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandWords, generatedDocs, optionsOf } from '../scripts/generate-docs.ts';
import { UNBUILT } from '../src/commands/commands.ts';
import { beaconLines } from '../src/engine/beacon-script.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DOCUMENTS = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Paths between backticks that begin in a folder of the project. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/`((?:src|test|docs|bench|scripts|bin|\.ci)\/[\w./-]*)`/g)].map((match) => match[1] ?? '');
}

function linkedPaths(document: string): string[] {
  return [...read(document).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => relative(ROOT, resolve(ROOT, dirname(document), target)));
}

/** Lines of code blocks, comments cut off. */
function codeLines(text: string): string[] {
  return [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)]
    .flatMap((match) => (match[1] ?? '').split('\n'))
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Commands of Winnow typed in a document: in code blocks and between backticks. */
function typedCommands(text: string): string[] {
  const inline = [...text.matchAll(/`(winnow [^`]+)`/g)].map((match) => match[1] ?? '');
  return [...codeLines(text), ...inline]
    .map((line) => line.replace(/^npm run (?:-s )?winnow -- /, 'winnow '))
    .filter((line) => /^winnow [a-z]/.test(line));
}

/** 'seeds add|list' stands for two lines. */
function alternatives(line: string): string[] {
  const [, before = '', words = '', after = ''] = /^(winnow [a-z]+ )([a-z]+(?:\|[a-z]+)+)\b(.*)$/.exec(line) ?? [];
  return words === '' ? [line] : words.split('|').map((word) => `${before}${word}${after}`);
}

/** The longest beginning of the words that is a command. */
function commandOf(words: readonly string[]): string | undefined {
  const known = commandWords();
  return [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => known.includes(name));
}

describe.each(DOCUMENTS)('%s', (document) => {
  const text = read(document);

  it('names only paths that exist', () => {
    const missing = [...namedPaths(text), ...linkedPaths(document)].filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });

  it('shows only commands and options that exist', () => {
    const groups = new Set(commandWords().map((name) => name.split(' ')[0]));
    const wrong = typedCommands(text)
      .flatMap(alternatives)
      .filter((line) => {
        const words = line.split(/\s+/).slice(1);
        if (UNBUILT.has(words.slice(0, 2).join(' '))) return false;
        const command = commandOf(words);
        if (command === undefined) return words.length > 1 || !groups.has(words[0]);
        const options = [...line.matchAll(/\s--([a-z][\w-]*)/g)].map((match) => match[1] ?? '');
        return options.some((option) => optionsOf(command)?.includes(option) !== true);
      });
    expect(wrong).toEqual([]);
  });

  it('shows only npm scripts that exist', () => {
    const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(read('package.json'));
    const typed = [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map((match) => match[1] ?? '');
    expect(typed.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names no path of one machine and no host but examples', () => {
    expect(text.match(/(?<![\w.])\/(?:work|root|tmp|home)\b/g) ?? []).toEqual([]);
    const hosts = [...text.matchAll(/\bhttps?:\/\/([\w.-]+)/g)].map((match) => match[1] ?? '');
    expect(hosts.filter((host) => !isExample(host))).toEqual([]);
  });
});

/** Names of RFC 2606 and RFC 6761, the private domain internal, and loopback. */
function isExample(host: string): boolean {
  return (
    /(?:^|\.)(?:example(?:\.(?:org|com|net|edu))?|test|localhost|internal)$/i.test(host) || host.startsWith('127.0.0.')
  );
}

describe('ARCHITECTURE.md', () => {
  it('fits in 200 lines', () => {
    expect(read('ARCHITECTURE.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  it('binds every invariant to a test or a measurement', () => {
    const section = read('ARCHITECTURE.md').split('## Always true')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what'));
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => !/`(?:src|test|bench)\/[^`]+\.ts`\S* \|$/.test(row))).toEqual([]);
  });

  it('names every folder of src', () => {
    const text = read('ARCHITECTURE.md');
    const folders = readdirSync(join(ROOT, 'src')).filter((name) => !name.includes('.'));
    expect(folders.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`src/${name}/`))).toEqual([]);
  });

  it('names every table of the database, or its family', () => {
    const text = read('ARCHITECTURE.md');
    const tables = sources('src').flatMap((path) =>
      [...read(path).matchAll(/CREATE TABLE (\w+)/g)].map((match) => match[1] ?? ''),
    );
    const unnamed = tables.filter((name) => !text.includes(`\`${name}\``) && !name.startsWith('index_'));
    // Those of beacon.db are named as a file.
    const BEACON = ['reported_pages', 'change_signals', 'beacon_sites', 'report_queue'];
    expect(unnamed.filter((name) => name !== 'IF' && !BEACON.includes(name))).toEqual([]);
  });
});

it.each([...generatedDocs()])('%s is up to date (npm run docs)', (path, text) => {
  expect(read(path)).toBe(text);
});

it('docs/freshness.md shows the inline form as the program gives it', () => {
  const { tag, inline, policy } = beaconLines('https://search.example.org');
  for (const line of [tag, inline, policy]) expect(read('docs/freshness.md')).toContain(line);
});

it('docs/errors.md quotes messages that the program has', () => {
  const source = sources('src').map(read).join('\n').replace(/\s+/g, ' ');
  const quoted = [...read('docs/errors.md').matchAll(/^\| (`[^|]*) \|/gm)].flatMap((row) =>
    [...(row[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  );
  const pieces = quoted.flatMap((message) => message.split(/…|"|\d+|--\w+|'/)).map((piece) => piece.trim());
  const long = pieces.filter((piece) => piece.length >= 12 && !piece.startsWith('winnow '));
  expect(long.length).toBeGreaterThan(25);
  expect(long.filter((piece) => !source.includes(piece))).toEqual([]);
});

describe('what is absent from the source', () => {
  const NETWORK =
    /from '(?:undici|node:(?:http|https|tls|dns|dns\/promises|dgram))'|(?<!isIP[\w, ]*\} )from 'node:net'/;
  const FREE = /^src\/(?:http|server|demo)\//;

  it('network modules outside http, server and demo', () => {
    const found = sources('src').filter((path) => !FREE.test(path) && NETWORK.test(read(path)));
    expect(found).toEqual([]);
  });

  it('child processes outside engine', () => {
    const found = sources('src').filter((path) => read(path).includes("'node:child_process'"));
    expect(found.filter((path) => !path.startsWith('src/engine/'))).toEqual([]);
  });

  it('clock and randomness in boxes', () => {
    const OUTSIDE = /^src\/(?:engine|server|cli|commands|demo|evaluation|http)\//;
    const found = sources('src').filter((path) => /Date\.now\b|Math\.random\b|new Date\(\)/.test(read(path)));
    expect(found.filter((path) => !OUTSIDE.test(path))).toEqual(['src/crawling/crawl.ts']);
  });
});

/** Source files without tests, as paths from the project's root. */
function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return /\.ts$/.test(entry.name) && !/\.(?:test|suite)\.ts$|test-support|kill-child/.test(entry.name) ? [path] : [];
  });
}
