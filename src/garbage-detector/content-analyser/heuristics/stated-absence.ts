import absentPhrases from '../data/absent-phrases.json' with { type: 'json' };
import statusPhrases from '../data/status-phrases.json' with { type: 'json' };
import type { Heuristic } from '../heuristic.ts';
import type { Opening, PageFacts } from '../page-facts.ts';
import { tokenize } from '../tokens.ts';

export const statedAbsence: Heuristic = {
  id: 'soft-404/stated',
  names: ['status_lines', 'absent_notice'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'How many of title, headings and first short blocks are a status line of HTTP and nothing else: code and reason phrase in any order, with "HTTP", "error" or "status" at most; a reason phrase without its code counts half when it has several words or the page at most 25. Greatest share of such a text that says in one of about 60 languages that this page does not exist yet, or that asking for it failed (1 for a sentence of eight words and more).',
  source: 'RFC 9110 section 15, RFC 6585 and what servers write for them; headings of unknown pages in DokuWiki',
  compute: ({ openings, words: all }) => [
    openings.reduce((sum, { words }) => sum + statusLine(words, all.length), 0),
    Math.max(0, ...openings.map(absentShare)),
  ],
};

export const reportedFault: Heuristic = {
  id: 'soft-404/fault',
  names: ['stack_report', 'long_block_words'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'Whether a page whose title or heading is a status line or ends in the path asked for shows a stack trace of Java, Python, Ruby, PHP or JavaScript; words in visible blocks of 25 words and more.',
  source: 'own; pages of servlet containers and web frameworks',
  compute: (facts) => [showsOwnFault(facts) ? 1 : 0, longBlockWords(facts)],
};

const LINE_WORDS = 9;
const STATUS_WORDS: ReadonlySet<string> = new Set(['http', 'error', 'status', 'code', 'https', '1.1']);

const FEW_WORDS = 25;

/** 1 for a code with its reason phrase, ½ for a reason phrase alone, which on a longer page must not be one word. */
function statusLine(words: readonly string[], wordsOfPage: number): number {
  if (words.length > LINE_WORDS) return 0;
  const said = words.filter((word) => !STATUS_WORDS.has(word)).join(' ');
  const [, before = '', reason = '', after = ''] = /^(\d{3} )?(.*?)( \d{3})?$/.exec(said) ?? [];
  const code = (before || after).trim();
  const codes = statusIndex().get(reason);
  if (codes === undefined) return 0;
  if (code !== '') return codes.has(code) ? 1 : 0;
  return reason.includes(' ') || wordsOfPage <= FEW_WORDS ? 0.5 : 0;
}

let index: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Reason phrase in lower case, without 'error' → its codes. */
function statusIndex(): ReadonlyMap<string, ReadonlySet<string>> {
  if (index !== undefined) return index;
  const built = new Map<string, Set<string>>();
  for (const [code, phrases] of Object.entries(statusPhrases)) {
    for (const phrase of phrases) {
      const said = tokenize(phrase)
        .filter((word) => !STATUS_WORDS.has(word))
        .join(' ');
      built.set(said, (built.get(said) ?? new Set()).add(code));
    }
  }
  return (index = built);
}

const SENTENCE_WORDS = 8;
let absent: readonly (readonly string[])[] | undefined;

function absentShare({ words }: Opening): number {
  absent ??= Object.values(absentPhrases)
    .flat()
    .map((text) => tokenize(text));
  let best = 0;
  for (const phrase of absent) {
    if (phrase.length > words.length || !holds(words, phrase)) continue;
    best = Math.max(best, phrase.length >= SENTENCE_WORDS ? 1 : phrase.length / words.length);
  }
  return best;
}

function holds(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, at) => phrase.every((part, i) => words[at + i] === part));
}

const STACK =
  /[\w$.<>]{3,200} ?\([^()\s]{1,200}\.(?:java|kt|scala|groovy|js|mjs|ts|cs):\d+|\.py"?, line \d+, in |\.rb:\d+:in |#0 [^\n]{1,200}\.php\(\d+\)/;
const STACK_BLOCKS = 300;

function showsOwnFault(facts: PageFacts): boolean {
  if (!facts.openings.some((opening) => opening.where !== 'block' && isFaultTitle(opening, facts))) return false;
  return facts.visibleBlocks.slice(0, STACK_BLOCKS).some(({ text }) => STACK.test(text.slice(0, 4000)));
}

function isFaultTitle({ words }: Opening, { context, words: all }: PageFacts): boolean {
  if (statusLine(words, all.length) > 0) return true;
  const path = context.url === undefined ? [] : tokenize(URL.parse(context.url)?.pathname ?? '');
  const at = words.length - path.length;
  return path.length > 0 && words[at - 1] === 'at' && path.every((part, i) => words[at + i] === part);
}

const LONG_BLOCK = 25;

function longBlockWords({ visibleBlocks, blockStarts }: PageFacts): number {
  let sum = 0;
  for (let block = 0; block < visibleBlocks.length; block++) {
    if ((visibleBlocks[block]?.text.length ?? 0) < LONG_BLOCK * 2) continue;
    const length = Math.min(1000, (blockStarts[block + 1] as number) - (blockStarts[block] as number));
    if (length >= LONG_BLOCK) sum += length;
  }
  return sum;
}
