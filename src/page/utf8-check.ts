import { isAscii, isUtf8 as isValidUtf8 } from 'node:buffer';

/** Bytes at the end that may belong to a sequence that a byte cap cut. */
const LONGEST_TAIL = 3;

export type Utf8Check = 'ascii' | 'multibyte' | 'invalid';

/** Whether bytes are UTF-8; a sequence cut at the very end is forgiven. */
export function isUtf8(bytes: Uint8Array): Utf8Check {
  if (isAscii(bytes)) return 'ascii';
  for (let cut = 0; cut <= LONGEST_TAIL && cut < bytes.length; cut++) {
    if (cut > 0 && (bytes[bytes.length - cut] ?? 0) < 0x80) return 'invalid';
    const whole = bytes.subarray(0, bytes.length - cut);
    if (!isValidUtf8(whole)) continue;
    return isAscii(whole) ? 'invalid' : 'multibyte';
  }
  return 'invalid';
}

/** Multi-byte sequences in valid UTF-8, counted up to `limit`. */
export function countSequences(bytes: Uint8Array, limit: number): number {
  let count = 0;
  for (let at = 0; at < bytes.length && count < limit; at++) if ((bytes[at] ?? 0) >= 0xc0) count++;
  return count;
}
