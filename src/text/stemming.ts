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
/** Words remembered per language: stemming costs some 10 µs, looking up .1 µs. */
const CACHE_SIZE = 150_000;

/** Stems words of one language and remembers them. */
export class LanguageStemmer {
  readonly #language: string;
  readonly #stemmer: Stemmer | undefined;
  #recent = new Map<string, Stem>();
  #older = new Map<string, Stem>();

  constructor(language: string) {
    this.#language = language;
    const algorithm = ALGORITHMS[language];
    this.#stemmer = algorithm === undefined ? undefined : newStemmer(algorithm);
  }

  /** `word` as written in the text. */
  stem(word: string): Stem {
    const known = this.#recent.get(word) ?? this.#older.get(word);
    if (known !== undefined) return known;
    const stem = this.#compute(word.length > MAX_TERM ? word.slice(0, MAX_TERM) : word);
    if (this.#recent.size >= CACHE_SIZE / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(detached(word), stem);
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

/** A copy that does not keep the page alive which the string was cut from. */
function detached(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
