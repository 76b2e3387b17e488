/** Classes of UTF-16 units as the scanner sees them. */
export const OTHER = 0;
/** Letters, digits and marks of scripts written with spaces. */
export const WORD = 1;
/** Han, Kana, Hangul, Bopomofo: indexed as pairs of characters. */
export const PAIRED = 2;
/** Thai, Lao, Khmer, Myanmar: no spaces between words; needs a dictionary. */
export const UNSPACED = 3;
/** Soft hyphen, zero-width and direction marks: no part of what a reader sees. */
export const IGNORABLE = 4;
const UNKNOWN = 255;

const classes = new Uint8Array(0x10000).fill(UNKNOWN);
const wideClasses = new Map<number, number>();
const folds: (string | undefined)[] = [];

const IS_IGNORABLE = /^(?:\p{Default_Ignorable_Code_Point})$/u;
const IS_PAIRED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30FC\uFF70\u3005\uFF9E\uFF9F\u3099\u309A]$/u;
const IS_UNSPACED = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const IS_WORD = /^[\p{L}\p{N}\p{M}]$/u;

/** Class of the character at `index`. Both halves of a surrogate pair have the class of their character. */
export function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const known = classes[unit] ?? UNKNOWN;
  if (known !== UNKNOWN) return known;
  if (unit >= 0xd800 && unit <= 0xdfff) return wideClassAt(text, index, unit);
  return (classes[unit] = classOf(String.fromCharCode(unit)));
}

/**
 * The unit that a symbol stands for: full-width forms as ASCII, typographic apostrophes and hyphens as the plain ones.
 * 0 at the end of the text.
 */
export function symbolAt(text: string, index: number): number {
  const unit = index < text.length ? text.charCodeAt(index) : 0;
  if (unit < 0x80) return unit;
  if (unit >= 0xff01 && unit <= 0xff5e) return unit - 0xfee0;
  if (unit === 0x2019 || unit === 0x02bc || unit === 0x2018) return 0x27;
  if (unit === 0x2010 || unit === 0x2011) return 0x2d;
  return unit;
}

/**
 * Lower case without diacritics, compatibility forms resolved (NFKC), ß as ss, æ as ae. `é` → `e`, `İ` → `i`, `Ｃ` → `c`.
 * Marks that carry vowels (Indic scripts) stay; Kana keeps its voicing marks.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const composed = text.normalize('NFKC');
  let folded = '';
  for (let i = 0; i < composed.length; i++) {
    const unit = composed.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdfff) folded += composed[i];
    else folded += folds[unit] ?? (folds[unit] = foldUnit(String.fromCharCode(unit)));
  }
  // Supplementary letters (Deseret, Adlam) have cases of their own; everything else is lower case already.
  return folded.toLowerCase();
}

/** Lower case with diacritics kept and ignorable characters dropped: what stemmers expect. */
export function lowerCase(text: string, language: string): string {
  if (isAscii(text) && language !== 'tr' && language !== 'az') return text.toLowerCase();
  let composed = text.normalize('NFKC').replace(IGNORABLES, '').replaceAll('\u0130', 'i');
  if (language === 'tr' || language === 'az') composed = composed.replaceAll('I', '\u0131');
  return composed.toLowerCase();
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

const IGNORABLES = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters that Unicode does not decompose, and Arabic letters that writers use for one another. */
const SPECIAL_FOLDS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ـ: '',
  '\u2019': "'",
  '\u02BC': "'",
  '\u2018': "'",
  '\u2010': '-',
  '\u2011': '-',
};

/** Marks that are dropped: combining diacritics, Arabic vowel signs, Hebrew points. */
const DROPPED_MARKS = /[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED]/gu;

function foldUnit(character: string): string {
  if (IS_IGNORABLE.test(character)) return '';
  const special = SPECIAL_FOLDS[character.toLowerCase()];
  if (special !== undefined) return special;
  if (IS_PAIRED.test(character)) return character;
  const bare = character.normalize('NFD').replace(DROPPED_MARKS, '').normalize('NFC').toLowerCase();
  return SPECIAL_FOLDS[bare] ?? bare;
}

function wideClassAt(text: string, index: number, unit: number): number {
  const at = unit >= 0xdc00 ? index - 1 : index;
  const point = at < 0 ? unit : (text.codePointAt(at) ?? unit);
  if (point < 0x10000) return OTHER;
  let known = wideClasses.get(point);
  if (known === undefined) {
    known = classOf(String.fromCodePoint(point));
    if (wideClasses.size < 10_000) wideClasses.set(point, known);
  }
  return known;
}

function classOf(character: string): number {
  if (IS_IGNORABLE.test(character)) return IGNORABLE;
  if (IS_PAIRED.test(character)) return PAIRED;
  if (IS_UNSPACED.test(character)) return UNSPACED;
  return IS_WORD.test(character) ? WORD : OTHER;
}
