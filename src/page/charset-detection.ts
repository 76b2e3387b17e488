import { TextDecoder as BytesDecoder, normalizeEncoding } from '@exodus/bytes/encoding.js';
import { analyse } from 'chardet';

/** Bytes of text looked at: enough for statistics, cheap on large pages. */
const SAMPLE_BYTES = 12_000;
/** Bytes of text kept around each stretch that is not ASCII. */
const CONTEXT_BYTES = 8;
/** Bytes beyond ASCII below which there are no statistics, and the same where the top-level domain has a usual encoding. */
const FEWEST_BYTES = 3;
const FEWEST_BYTES_WITH_DEFAULT = 8;
/** Of 100: below this chardet is guessing. */
const LEAST_CONFIDENCE = 10;
/** Share of non-ASCII bytes among letters from which on a text is written in no Latin alphabet. */
const NON_LATIN_SHARE = 0.35;

/**
 * The likely encoding of bytes that neither declare one nor are UTF-8, as a WHATWG name in lower case; undefined when
 * there is nothing to go by. `defaultCharset` is what the page's country used most. Markup is left out of the statistics. UTF-16 is told by its zero bytes, ISO-2022-JP by its
 * escapes, the Cyrillic encodings by the letters they give, the rest by chardet.
 */
export function detectCharset(bytes: Uint8Array, defaultCharset: string | undefined): string | undefined {
  const wide = utf16Of(bytes);
  if (wide !== undefined) return wide;
  const sample = textSample(bytes);
  if (sample.length === 0) return hasJapaneseEscapes(bytes) ? 'iso-2022-jp' : undefined;
  if (countHigh(sample) < (defaultCharset === undefined ? FEWEST_BYTES : FEWEST_BYTES_WITH_DEFAULT))
    return defaultCharset;
  const guess = guessOf(sample);
  if (nonLatinShare(sample) >= NON_LATIN_SHARE) {
    if (guess === undefined || CYRILLIC.includes(guess) || LATIN.has(guess)) return bestCyrillic(sample, guess);
    // chardet has no model of IBM866, and no other encoding keeps its letters where IBM866 does.
    if (cyrillicScore(new BytesDecoder('ibm866').decode(sample)) > CLEAR_SCORE) return 'ibm866';
  }
  return guess === 'windows-1252' ? refineLatin(sample) : guess;
}

/** Mean plausibility that real texts reach. */
const CLEAR_SCORE = 0.8;

const CYRILLIC: readonly string[] = ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic'];
const LATIN: ReadonlySet<string> = new Set(['windows-1252', 'iso-8859-2', 'windows-1254']);

function guessOf(sample: Uint8Array): string | undefined {
  for (const match of analyse(sample)) {
    if (match.confidence < LEAST_CONFIDENCE) return undefined;
    const charset = normalizeEncoding(match.name);
    if (charset !== null && !charset.startsWith('utf-')) return charset;
  }
  return undefined;
}

/** UTF-16 without a mark: every other byte of the beginning is mostly zero, the others are not. */
function utf16Of(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length & ~1, 512);
  if (length < 8) return undefined;
  const zeros = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return 'utf-16le';
  if (even > half * 0.4 && odd < half * 0.05) return 'utf-16be';
  return undefined;
}

function hasJapaneseEscapes(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at >= 0 && at < bytes.length - 2; at = bytes.indexOf(0x1b, at + 1)) {
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)) return true;
  }
  return false;
}

/** Stretches that are not ASCII with a little around them, tags left out. Empty for ASCII. */
function textSample(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let length = 0;
  let inTag = false;
  let keepUntil = -1;
  for (let at = 0; at < bytes.length && length < SAMPLE_BYTES; at++) {
    const byte = bytes[at] ?? 0;
    // No encoding in question uses 0x3c as a second byte.
    if (byte === 0x3c) inTag = startsTag(bytes[at + 1] ?? 0);
    if (!inTag) {
      if (byte >= 0x80) {
        if (at > keepUntil) length = copyBefore(bytes, { at, sample, length });
        keepUntil = at + CONTEXT_BYTES;
      }
      if (at <= keepUntil && length < SAMPLE_BYTES) sample[length++] = byte;
    } else if (byte === 0x3e) {
      inTag = false;
      keepUntil = -1;
      if (length > 0 && length < SAMPLE_BYTES) sample[length++] = 0x20;
    }
  }
  return sample.subarray(0, length);
}

function startsTag(next: number): boolean {
  return next === 0x2f || next === 0x21 || next === 0x3f || isWordByte(next);
}

/** Copies the ASCII letters right before `at`: they are the beginning of its word. */
function copyBefore(
  bytes: Uint8Array,
  { at, sample, length }: { at: number; sample: Uint8Array; length: number },
): number {
  let from = at;
  while (from > 0 && at - from < CONTEXT_BYTES && isWordByte(bytes[from - 1] ?? 0)) from--;
  for (let i = from; i < at && length < SAMPLE_BYTES; i++) sample[length++] = bytes[i] ?? 0;
  return length;
}

function isWordByte(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

function nonLatinShare(sample: Uint8Array): number {
  let high = 0;
  let letters = 0;
  for (const byte of sample) {
    if (byte >= 0x80) high++;
    else if (isWordByte(byte)) letters++;
  }
  return high / Math.max(1, high + letters);
}

function countHigh(sample: Uint8Array): number {
  let count = 0;
  for (const byte of sample) if (byte >= 0x80) count++;
  return count;
}

/** The Cyrillic encoding under which the sample reads best; `fallback` when it reads badly under all. */
function bestCyrillic(sample: Uint8Array, fallback: string | undefined): string | undefined {
  let best = fallback;
  let bestScore = 0.5;
  for (const charset of CYRILLIC) {
    const score = cyrillicScore(new BytesDecoder(charset).decode(sample));
    if (score > bestScore) {
      best = charset;
      bestScore = score;
    }
  }
  return best;
}

/** Letters of ISO-8859-2 that are signs in windows-1252: š ž ł ż ź ľ ś ť. */
const SIGNS: ReadonlySet<number> = new Set([0xb9, 0xbe, 0xb3, 0xbf, 0xbc, 0xb5, 0xb6, 0xbb]);
/** š and ž, the same in windows-1250 and windows-1252, where French and Italian have no use for them. */
const CARONS: ReadonlySet<number> = new Set([0x8a, 0x8e, 0x9a, 0x9e]);
const E_GRAVE = 0xe8;
/** What the accented letters of Mac OS Roman are in windows-1252: signs and unused codes. */
const MAC_LETTERS: ReadonlySet<number> = new Set([0x87, 0x88, 0x89, 0x8d, 0x8e, 0x8f, 0x90, 0x94, 0x9d, 0x9f]);
/** Letters that decide. */
const ENOUGH = 3;

/** windows-1252, or the Central European or Macintosh encoding when its letters stand inside words. */
function refineLatin(sample: Uint8Array): string {
  let signs = 0;
  let carons = 0;
  let graves = 0;
  let mac = 0;
  let letters = 0;
  for (let at = 1; at < sample.length - 1; at++) {
    const byte = sample[at] ?? 0;
    if (byte < 0x80) continue;
    if (CARONS.has(byte)) carons++;
    if (byte === E_GRAVE) graves++;
    if (!isWordByte(sample[at - 1] ?? 0) || !isWordByte(sample[at + 1] ?? 0)) continue;
    if (SIGNS.has(byte)) signs++;
    if (MAC_LETTERS.has(byte)) mac++;
    if (byte >= 0xc0) letters++;
  }
  if (mac >= ENOUGH && mac > letters) return 'macintosh';
  if (signs >= ENOUGH) return 'iso-8859-2';
  return carons >= ENOUGH && graves >= ENOUGH ? 'windows-1250' : 'windows-1252';
}

const COMMON = 'оеаинтсрвлкмдпуіяы';
const RARE_LOWER = 'бгзйхцчшщъьэюёжфїєґўјљњћђџ';
const PUNCTUATION = '«»„“”‘’–—…№ •©°';

/** Mean plausibility of the characters beyond ASCII, at most 1: letters by frequency, capitals only where words begin. */
function cyrillicScore(text: string): number {
  let score = 0;
  let count = 0;
  let before = ' ';
  for (const character of text) {
    if (character > '\u007f') {
      count++;
      score += plausibility(character, before);
    }
    before = character;
  }
  return count === 0 ? 0 : score / count;
}

function plausibility(character: string, before: string): number {
  if (COMMON.includes(character)) return 1;
  if (RARE_LOWER.includes(character)) return 0.7;
  if (character >= '\u0400' && character <= '\u042f') {
    const inCapitals = before >= '\u0400' && before <= '\u042f';
    const inWord = before >= '\u0430' && before <= '\u045f';
    return inWord ? -1 : inCapitals ? 0.5 : 0.8;
  }
  return PUNCTUATION.includes(character) ? 0.3 : -1;
}
