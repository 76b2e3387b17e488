/** Units of text a page is measured on at most: enough for every heuristic, a bound for hostile pages. */
export const MAX_TOKENS = 20_000;

const OTHER = 0;
const WORD = 1;
/** Scripts written without spaces: overlapping pairs of characters stand for words. */
const PAIRED = 2;
/** Joins two word characters: an apostrophe or a middle dot. */
const JOINER = 3;

/**
 * Lower-case word segments of `text`: runs of letters, marks and digits; in scripts without spaces (Han, kana, Thai,
 * Lao, Khmer, Burmese) overlapping pairs of characters. Appends to `into` until it holds `limit` tokens.
 */
export function tokenize(text: string, into: string[] = [], limit = MAX_TOKENS): string[] {
  const lower = plain(text);
  const classes = classTable();
  const { length } = lower;
  let at = 0;
  while (at < length && into.length < limit) {
    const kind = classes[lower.charCodeAt(at)];
    if (kind === WORD) at = pushWord(lower, at, into);
    else if (kind === PAIRED) at = pushPairs(lower, at, into, limit);
    else at++;
  }
  return into;
}

/** Lower case, letters of mathematical alphabets ("fancy fonts") turned into the plain ones. */
export function plain(text: string): string {
  return (FANCY.test(text) ? text.normalize('NFKC') : text).toLowerCase();
}

/** Inside of a class of characters: scripts written without spaces. */
export const PAIRED_SCRIPTS = 'ー々\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}';

/** True for tokens of scripts written without spaces. */
export function isPaired(token: string): boolean {
  return classTable()[token.charCodeAt(0)] === PAIRED;
}

const FANCY = /\uD835/;

function pushWord(lower: string, start: number, into: string[]): number {
  const classes = classTable();
  let at = start + 1;
  while (at < lower.length) {
    const kind = classes[lower.charCodeAt(at)];
    if (kind === WORD || (kind === JOINER && classes[lower.charCodeAt(at + 1)] === WORD)) at++;
    else break;
  }
  into.push(at - start > MAX_WORD ? lower.slice(start, start + MAX_WORD) : lower.slice(start, at));
  return at;
}

/** A longer run is not a word; its beginning stands for it. */
const MAX_WORD = 40;

function pushPairs(lower: string, start: number, into: string[], limit: number): number {
  const classes = classTable();
  let at = start;
  while (classes[lower.charCodeAt(at + 1)] === PAIRED && into.length < limit) {
    into.push(lower.slice(at, at + 2));
    at++;
  }
  if (at === start) into.push(lower.slice(at, at + 1));
  return at + 1;
}

let table: Uint8Array | undefined;

function classTable(): Uint8Array {
  if (table) return table;
  table = new Uint8Array(65536).fill(OTHER);
  const word = /[\p{L}\p{M}\p{N}]/u;
  const paired = new RegExp(`[${PAIRED_SCRIPTS}]`, 'u');
  for (let code = 0; code < 65536; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCharCode(code);
    if (!word.test(character)) continue;
    table[code] = paired.test(character) ? PAIRED : WORD;
  }
  for (const joiner of "'’·") table[joiner.charCodeAt(0)] = JOINER;
  return table;
}
