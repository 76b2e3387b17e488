import { gzipSync } from 'node:zlib';
import type { Heuristic } from '../heuristic.ts';

/** Units of visible text compressed at most: the ratio settles long before. */
const SAMPLE = 32 * 1024;

export const compressionRatio: Heuristic = {
  id: 'A18',
  names: ['compress_ratio'],
  level: 'B',
  detectors: ['spam'],
  definition:
    'Bytes of the first 32 K units of visible text over their gzip -6 bytes; unknown below 200 units. Level B for its cost.',
  source: 'Ntoulas et al. 2006',
  compute(facts) {
    let text = '';
    for (const block of facts.visibleBlocks) {
      text += block.text + '\n';
      if (text.length >= SAMPLE) break;
    }
    if (text.length < 200) return [undefined];
    const bytes = Buffer.from(text.slice(0, SAMPLE));
    return [bytes.length / gzipSync(bytes, { level: 6 }).length];
  },
};
