import { classAt, fold, IGNORABLE, OTHER, PAIRED, symbolAt, UNSPACED, WORD } from './characters.ts';
import { LanguageStemmer } from './stemming.ts';

export { fold } from './characters.ts';

/** One index term and the place in the original string that it was read from, in UTF-16 units. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /**
   * A further form of what the tokens before it stand for: a name kept whole (`os.path.join`, `.NET`, `Go-based`), or
   * the stem of the spelling without diacritics. It has no place of its own in the sequence of words.
   */
  readonly extra: boolean;
}

/**
 * Reads the index terms of a text: lower case, diacritics folded, stemmed by language (ISO 639; 'und' = not stemmed).
 * Names with `_ - . ::` inside give their parts and the whole; `C++`, `C#` stay whole; scripts without spaces give pairs
 * of characters or, in South-East Asia, dictionary words. Time is linear in the length of the text.
 */
export function analyse(text: string, language: string): Token[] {
  return new Scanner(text, language).run();
}

/** A name longer than this, or of more parts, is found by its parts only. */
const MAX_WHOLE = 100;
const MAX_PARTS = 12;

const UNDERSCORE = 0x5f;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const APOSTROPHE = 0x27;
const COLON = 0x3a;
const PLUS = 0x2b;
const HASH = 0x23;

/** Endings that an apostrophe joins to the word before it; after any other apostrophe a new word begins. */
const CONTRACTIONS = new Set(['t', 're', 've', 'll', 'd', 'm']);

const stemmers = new Map<string, LanguageStemmer>();
const segmenters = new Map<string, Intl.Segmenter>();

class Scanner {
  readonly #text: string;
  readonly #language: string;
  readonly #stemmer: LanguageStemmer;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(text: string, language: string) {
    this.#text = text;
    this.#language = language;
    this.#stemmer = stemmerOf(language);
  }

  run(): Token[] {
    const text = this.#text;
    while (this.#at < text.length) {
      const kind = classAt(text, this.#at);
      if (kind === WORD) this.#name(this.#at);
      else if (kind === PAIRED) this.#pairs();
      else if (kind === UNSPACED) this.#segments();
      else if (kind === OTHER && this.#opensName()) this.#name(this.#at);
      else this.#at++;
    }
    return this.#tokens;
  }

  /** `_x`, `.x` and `--x`, not after a word: the signs belong to the name. Moves to the first letter when true. */
  #opensName(): boolean {
    const sign = symbolAt(this.#text, this.#at);
    if (sign !== UNDERSCORE && sign !== DOT && sign !== HYPHEN) return false;
    let end = this.#at;
    while (symbolAt(this.#text, end) === sign) end++;
    const fits = sign === UNDERSCORE || end - this.#at === (sign === DOT ? 1 : 2);
    if (fits && this.#isWord(end)) return true;
    this.#at = end - 1;
    return false;
  }

  /** Words joined by `_ - . ::` or an apostrophe, with the signs before and after that belong to them. */
  #name(start: number): void {
    const first = this.#tokens.length;
    let whole = false;
    while (!this.#isWord(this.#at)) {
      this.#at++;
      whole = true;
    }
    for (;;) {
      const from = this.#at;
      this.#skipWord();
      if (this.#takesSymbol()) {
        this.#push(fold(this.#text.slice(from, this.#at)), from, this.#at, false);
        break;
      }
      this.#word(from);
      const joiner = this.#joiner();
      if (joiner !== APOSTROPHE && joiner !== 0) whole = true;
      if (joiner === 0 || !this.#isWord(this.#at)) break;
    }
    const length = this.#at - start;
    if (whole && length <= MAX_WHOLE && this.#tokens.length - first <= MAX_PARTS) {
      this.#push(fold(this.#text.slice(start, this.#at)), start, this.#at, true);
    }
  }

  #skipWord(): void {
    let kind = WORD;
    while (kind === WORD || kind === IGNORABLE)
      kind = ++this.#at < this.#text.length ? classAt(this.#text, this.#at) : OTHER;
  }

  /** Steps over the sign between two words, or over underscores that end a name. The sign, 0 when there is none. */
  #joiner(): number {
    const sign = symbolAt(this.#text, this.#at);
    let end = this.#at + 1;
    if (sign === UNDERSCORE) while (symbolAt(this.#text, end) === UNDERSCORE) end++;
    else if (sign === COLON && symbolAt(this.#text, end) === COLON) end++;
    else if (sign !== HYPHEN && sign !== DOT && sign !== APOSTROPHE) return 0;
    if (sign !== UNDERSCORE && !this.#isWord(end)) return 0;
    this.#at = end;
    return sign;
  }

  /** `++` and `#` right after a word and before none: C++, C#. */
  #takesSymbol(): boolean {
    const sign = symbolAt(this.#text, this.#at);
    let end = this.#at;
    if (sign === HASH) end += 1;
    else if (sign === PLUS && symbolAt(this.#text, end + 1) === PLUS) end += 2;
    if (end === this.#at || this.#isWord(end)) return false;
    this.#at = end;
    return true;
  }

  /** Emits the word that begins at `from`, with a contraction after it if there is one. */
  #word(from: number): void {
    const text = this.#text;
    const wordEnd = this.#at;
    let end = wordEnd;
    let contraction = '';
    if (symbolAt(text, end) === APOSTROPHE && this.#isWord(end + 1)) {
      let stop = end + 1;
      while (stop < end + 4 && this.#isWord(stop)) stop++;
      const ending = fold(text.slice(end + 1, stop));
      const closed = !this.#isWord(stop);
      if (closed && CONTRACTIONS.has(ending)) contraction = text.slice(from, end) + ending;
      if (closed && (ending === 's' || CONTRACTIONS.has(ending))) end = this.#at = stop;
    }
    const { term, other } =
      contraction === '' ? this.#stemmer.stemAt(text, from, wordEnd) : this.#stemmer.stem(contraction);
    this.#push(term, from, end, false);
    if (other !== undefined) this.#push(other, from, end, true);
  }

  /** Pairs of neighbouring characters; a lone one by itself. */
  #pairs(): void {
    const from = this.#at;
    while (this.#at < this.#text.length && classAt(this.#text, this.#at) === PAIRED) this.#at++;
    const characters = clusters(this.#text, from, this.#at);
    const only = characters[0];
    if (characters.length === 1 && only !== undefined) this.#push(only.text, only.start, only.end, false);
    for (let i = 1; i < characters.length; i++) {
      const left = characters[i - 1];
      const right = characters[i];
      if (left && right) this.#push(left.text + right.text, left.start, right.end, false);
    }
  }

  #segments(): void {
    const from = this.#at;
    while (this.#at < this.#text.length && classAt(this.#text, this.#at) === UNSPACED) this.#at++;
    const run = this.#text.slice(from, this.#at);
    for (const { segment, index, isWordLike } of segmenterOf(this.#language).segment(run)) {
      if (isWordLike) this.#push(fold(segment).slice(0, 64), from + index, from + index + segment.length, false);
    }
  }

  #isWord(index: number): boolean {
    return index < this.#text.length && classAt(this.#text, index) === WORD;
  }

  #push(term: string, start: number, end: number, extra: boolean): void {
    if (term !== '') this.#tokens.push({ term, start, end, extra });
  }
}

interface Cluster {
  text: string;
  readonly start: number;
  end: number;
}

const VOICING = /^[\u3099\u309A\uFF9E\uFF9F]$/u;

/** Characters with their voicing marks, compatibility forms (half-width Kana) resolved. */
function clusters(text: string, from: number, to: number): Cluster[] {
  const found: Cluster[] = [];
  for (let i = from; i < to; ) {
    const character = String.fromCodePoint(text.codePointAt(i) ?? 0);
    const last = found[found.length - 1];
    if (last !== undefined && VOICING.test(character)) {
      last.end = i + character.length;
      last.text = text.slice(last.start, last.end).normalize('NFKC');
    } else {
      found.push({ text: character.normalize('NFKC'), start: i, end: i + character.length });
    }
    i += character.length;
  }
  return found;
}

function stemmerOf(language: string): LanguageStemmer {
  let stemmer = stemmers.get(language);
  if (stemmer === undefined) stemmers.set(language, (stemmer = new LanguageStemmer(language)));
  return stemmer;
}

function segmenterOf(language: string): Intl.Segmenter {
  const locale = ['th', 'lo', 'km', 'my'].includes(language) ? language : 'th';
  let segmenter = segmenters.get(locale);
  if (segmenter === undefined) {
    segmenters.set(locale, (segmenter = new Intl.Segmenter(locale, { granularity: 'word' })));
  }
  return segmenter;
}
