import { isAscii } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { decodeText } from '../page/charset.ts';

export interface CharsetScore {
  readonly file: string;
  readonly expected: string;
  readonly found: string;
  readonly right: boolean;
  readonly bytes: number;
}

export interface CharsetEvaluation {
  /** Texts of at least the asked length in an encoding that WHATWG has. */
  readonly texts: number;
  /** Share of them whose encoding family was found. */
  readonly accuracy: number;
  readonly scores: readonly CharsetScore[];
}

/** Encoding detection over a folder of folders named after the encoding of the undeclared texts inside. */
export function evaluateCharsets(directory: string, leastBytes: number): CharsetEvaluation {
  const scores: CharsetScore[] = [];
  for (const folder of readdirSync(directory)) {
    const expected = encodingOf(folder);
    if (expected === undefined) continue;
    for (const name of readdirSync(join(directory, folder))) {
      const bytes = readFileSync(join(directory, folder, name));
      if (bytes.length < leastBytes) continue;
      const found = decodeText(bytes, {}).charset;
      const right = familyOf(found) === familyOf(expected) || isAscii(bytes);
      scores.push({ file: `${folder}/${name}`, expected, found, right, bytes: bytes.length });
    }
  }
  const right = scores.filter((score) => score.right).length;
  return { texts: scores.length, accuracy: right / Math.max(scores.length, 1), scores };
}

const FOLDERS = new Map(
  Object.entries({
    cp932: 'shift_jis',
    cp949: 'euc-kr',
    maccyrillic: 'x-mac-cyrillic',
    macroman: 'macintosh',
    'utf-8-sig': 'utf-8',
    ascii: 'windows-1252',
  }),
);

/** The WHATWG name behind a folder's; undefined for encodings that browsers do not have. */
function encodingOf(folder: string): string | undefined {
  const label = folder.toLowerCase();
  const known = FOLDERS.get(label);
  if (known !== undefined) return known;
  const [, bare] = /^((?:iso-8859|windows)-\d+)(?:-|$)/.exec(label) ?? [];
  const name = normalizeEncoding(bare ?? label);
  return name === null || name === 'replacement' ? undefined : name;
}

/** Encodings whose texts read the same but for rare characters. */
const FAMILIES: readonly (readonly string[])[] = [
  ['gbk', 'gb18030'],
  ['windows-1252', 'iso-8859-15'],
  ['windows-1250', 'iso-8859-2', 'iso-8859-16'],
  ['windows-1253', 'iso-8859-7'],
  ['windows-1255', 'iso-8859-8', 'iso-8859-8-i'],
  ['windows-1254', 'iso-8859-3'],
  ['windows-1256', 'iso-8859-6'],
  ['koi8-r', 'koi8-u'],
  ['utf-16le', 'utf-16be'],
];

function familyOf(charset: string): string {
  return FAMILIES.find((family) => family.includes(charset))?.[0] ?? charset;
}
