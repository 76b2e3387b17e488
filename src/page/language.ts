import { eld } from 'eld/small';

/** UTF-16 units looked at; the detector reads about 380 bytes of each sample. */
const SAMPLE_LENGTH = 400;
const SAMPLES = 3;
/** Letters below which the declared language is believed. */
const SHORT_LENGTH = 40;
const LEAST_LENGTH = 12;

/** The primary subtag of a language tag in lower case, or undefined: `pt-BR` gives `pt`, `en_US` gives `en`. */
export function primarySubtag(tag: string): string | undefined {
  const match = /^[\t\n\f\r ]*([a-zA-Z]{2,3})(?![a-zA-Z0-9])/.exec(tag);
  const subtag = match?.[1]?.toLowerCase();
  if (subtag === undefined || subtag === 'und' || subtag === 'mul' || subtag === 'zxx') return undefined;
  return LANGUAGE_ALIASES.get(subtag) ?? subtag;
}

/** Three-letter and withdrawn codes that pages use for languages with a two-letter code. */
const LANGUAGE_ALIASES = new Map<string, string>(
  Object.entries({
    ...{ eng: 'en', deu: 'de', ger: 'de', fra: 'fr', fre: 'fr', spa: 'es', ita: 'it', por: 'pt', rus: 'ru' },
    ...{ jpn: 'ja', zho: 'zh', chi: 'zh', kor: 'ko', nld: 'nl', dut: 'nl', pol: 'pl', tur: 'tr', ara: 'ar' },
    ...{ iw: 'he', in: 'id', ji: 'yi', cn: 'zh', jp: 'ja', kr: 'ko', nb: 'no', nn: 'no', cz: 'cs', ua: 'uk', gr: 'el' },
  }),
);

/**
 * ISO 639 primary subtag of the language `text` is written in, or 'und'. The declared language decides texts too short
 * to tell and breaks near ties.
 */
export function detectLanguage(text: string, declared: string | undefined): string {
  if (text.length < LEAST_LENGTH) return declared ?? 'und';
  const votes = new Map<string, number>();
  for (const sample of samplesOf(text)) {
    for (const [language, score] of Object.entries(eld.detect(sample).getScores())) {
      votes.set(language, (votes.get(language) ?? 0) + score);
    }
  }
  const [best, bestScore] = highest(votes);
  if (best === undefined) return declared ?? 'und';
  if (best === 'ms') return malayOrIndonesian(text, declared);
  if (declared === undefined) return text.length < SHORT_LENGTH && bestScore < 0.3 ? 'und' : canonical(best);
  const declaredScore = votes.get(declared) ?? 0;
  const needed = text.length < SHORT_LENGTH ? 0.5 : 0.9;
  return declaredScore >= bestScore * needed ? declared : canonical(best);
}

/** Words that one of the two languages uses and the other spells or says otherwise. */
const INDONESIAN =
  /(?<![\p{L}])(?:bisa|karena|bahwa|anda|uang|mobil|situs|berbagai|kalau|sebagai|perusahaan|saat|butuh|gratis)(?![\p{L}])/giu;
const MALAY =
  /(?<![\p{L}])(?:boleh|kerana|bahawa|wang|kereta|laman|pelbagai|ialah|sekiranya|syarikat|percuma|beliau)(?![\p{L}])/giu;

/** The detector has one model for both; without a sign of Malay a text is Indonesian, ten times as common on the web. */
function malayOrIndonesian(text: string, declared: string | undefined): string {
  const sample = text.slice(0, 4000);
  const malay = sample.match(MALAY)?.length ?? 0;
  const indonesian = sample.match(INDONESIAN)?.length ?? 0;
  if (malay !== indonesian) return malay > indonesian ? 'ms' : 'id';
  return declared === 'ms' ? 'ms' : 'id';
}

function canonical(language: string): string {
  return LANGUAGE_ALIASES.get(language) ?? language;
}

function highest(votes: ReadonlyMap<string, number>): [string | undefined, number] {
  let best: string | undefined;
  let bestScore = 0;
  for (const [language, score] of votes) {
    if (score > bestScore) {
      best = language;
      bestScore = score;
    }
  }
  return [best, bestScore];
}

/** Pieces from the beginning, the middle and the end: a page may quote another language at its top. */
function samplesOf(text: string): string[] {
  if (text.length <= SAMPLE_LENGTH * 2) return [text.slice(0, SAMPLE_LENGTH)];
  const step = Math.floor((text.length - SAMPLE_LENGTH) / (SAMPLES - 1));
  const samples: string[] = [];
  for (let at = 0; samples.length < SAMPLES; at += step) {
    const space = text.indexOf(' ', at);
    const start = at === 0 || space < 0 || space > at + 50 ? at : space + 1;
    samples.push(text.slice(start, start + SAMPLE_LENGTH));
  }
  return samples;
}
