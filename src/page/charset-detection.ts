import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { analyse } from 'chardet';

/** Bytes looked at: enough for statistics, cheap on large pages. */
const SAMPLE_BYTES = 16_384;

/** The likely encoding of bytes without a declaration, as a WHATWG name in lower case. */
export function detectCharset(bytes: Uint8Array, _topLevelDomain: string | undefined): string | undefined {
  for (const match of analyse(bytes.subarray(0, SAMPLE_BYTES))) {
    const charset = normalizeEncoding(match.name);
    if (charset !== null && charset !== 'utf-8' && match.confidence > 10) return charset;
  }
  return undefined;
}
