import { newStemmer, type Stemmer } from 'snowball-stemmers';
import { fold, isAscii, lowerCase } from './characters.ts';

/** The index form of one word; `other` is the form reached from the spelling without diacritics, when it differs. */
export interface Stem {
  readonly term: string;
  readonly other: string | undefined;
}

/** Snowball's name for the languages (ISO 639) that have a stemmer. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  hu: 'hungarian',
  it: 'italian',
  ga: 'irish',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  es: 'spanish',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

/** Words longer than this are names of things, not inflected words; terms are cut here. UTF-16 units. */
const MAX_TERM = 64;
const MAX_STEMMED = 32;
/** Words remembered per language, and the places in the table for them: stemming costs some 10 µs, looking up .1 µs. */
const MAX_REMEMBERED = 100_000;
const SLOTS = 1 << 18;

interface Remembered extends Stem {
  readonly word: string;
}

/** Stems words of one language and remembers them. When the memory is full it begins anew. */
export class LanguageStemmer {
  readonly #language: string;
  readonly #stemmer: Stemmer | undefined;
  #slots: (Remembered | undefined)[] = new Array(SLOTS);
  #remembered = 0;

  constructor(language: string) {
    this.#language = language;
    const algorithm = ALGORITHMS[language];
    this.#stemmer = algorithm === undefined ? undefined : newStemmer(algorithm);
  }

  /** The stem of the word at [from, to). Looks it up by its characters, so that known words are not copied. */
  stemAt(text: string, from: number, to: number): Stem {
    let hash = 0x811c9dc5;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let known = this.#slots[slot]; known !== undefined; known = this.#slots[slot]) {
      if (isAt(known.word, text, from, to)) return known;
      slot = (slot + 1) & (SLOTS - 1);
    }
    return this.#remember(text.slice(from, to), slot);
  }

  stem(word: string): Stem {
    return this.stemAt(word, 0, word.length);
  }

  #remember(word: string, slot: number): Stem {
    const stem = this.#compute(word.length > MAX_TERM ? word.slice(0, MAX_TERM) : word);
    if (word.length > MAX_TERM) return stem;
    if (this.#remembered >= MAX_REMEMBERED) {
      this.#slots = new Array(SLOTS);
      this.#remembered = 0;
    }
    this.#slots[slot] = { word: detached(word), term: stem.term, other: stem.other };
    this.#remembered++;
    return stem;
  }

  #compute(word: string): Stem {
    const folded = fold(word);
    const stemmer = this.#stemmer;
    if (stemmer === undefined || word.length > MAX_STEMMED || folded.length < 3 || HAS_DIGIT.test(folded)) {
      return { term: detached(folded), other: undefined };
    }
    const term = fold(stemmer.stem(lowerCase(word, this.#language)));
    if (term === '') return { term: detached(folded), other: undefined };
    const other = isAscii(word) ? term : fold(stemmer.stem(folded));
    return { term: detached(term), other: other === term || other === '' ? undefined : detached(other) };
  }
}

const HAS_DIGIT = /\p{N}/u;

function isAt(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(from + i)) return false;
  return true;
}

/** A copy that does not keep the page alive which the string was cut from. */
function detached(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
