import { hamming64, Simhash } from '../kit/simhash.ts';
import type { Page } from '../model/page.ts';
import { isPaired, tokenize } from './content-analyser/tokens.ts';
import { hashText, mixHash } from './sketch.ts';

/**
 * Simhash, as two signed halves, of the distinct paths of elements that hold text or links, without ids and numbers: the
 * page with its text removed.
 */
export interface Template {
  readonly high: number;
  readonly low: number;
}

/** What pages of one maker have in common though their texts differ: how they are built, and phrases of their text. */
export interface PageSample {
  readonly template: Template;
  /** The least hashes of the phrases of five words of its main text, at most {@link SAMPLED_PHRASES}. */
  readonly phrases: Int32Array;
}

export const SAMPLED_PHRASES = 24;
/** A shorter text has too few phrases to be told from chance. */
const LEAST_WORDS = 50;
const MOST_WORDS = 1500;
/** UTF-16 units of main text that are cut into words. */
const MOST_TEXT = 12_000;
const MOST_PATHS = 400;
const PHRASE_WORDS = 5;
/** In scripts whose tokens are overlapping pairs of characters, ten make as long a phrase as five words. */
const PHRASE_PAIRS = 10;

/** undefined for a page of few words. Time is bounded by the constants above, whatever the page. */
export function samplePage(page: Page): PageSample | undefined {
  const words = tokenize(page.mainText.slice(0, MOST_TEXT), [], MOST_WORDS);
  if (words.length < LEAST_WORDS) return undefined;
  return { template: templateOf(page.tagPaths), phrases: samplePhrases(words) };
}

/** Pages of one template differ by the parts that a text makes use of: about 0.7 of all their paths are the same. */
export function isSameTemplate(a: Template, b: Template): boolean {
  return hamming64(a.high, a.low, b.high, b.low) <= TEMPLATE_BITS;
}

const TEMPLATE_BITS = 12;

function templateOf(paths: readonly string[]): Template {
  const hashes = new Set<number>();
  for (const path of paths.slice(0, MOST_PATHS)) hashes.add(hashText(path.slice(0, 500).replace(/#[^ ]*|\d+/g, '')));
  const votes = new Simhash();
  for (const hash of hashes) votes.add(hash, mixHash(Math.imul(hash, 0x9e3779b1)), 1);
  const { high, low } = votes.halves();
  return { high: high | 0, low: low | 0 };
}

function samplePhrases(words: readonly string[]): Int32Array {
  const hashed = words.map(hashText);
  const phrases = new Set<number>();
  for (let at = 0; at + PHRASE_WORDS <= words.length; at++) {
    const end = at + (isPaired(words[at] ?? '') ? PHRASE_PAIRS : PHRASE_WORDS);
    if (end > words.length) break;
    let hash = 0;
    for (let word = at; word < end; word++) hash = mixHash(Math.imul(hash, 31) + (hashed[word] ?? 0));
    phrases.add(hash);
  }
  // Signed, since V8 keeps such numbers in maps without a box.
  return Int32Array.from(Uint32Array.from(phrases).sort().slice(0, SAMPLED_PHRASES));
}
