import { BOTH, type Heuristic, share } from '../heuristic.ts';

export const pageSize: Heuristic = {
  id: 'A20',
  names: [
    'bytes',
    'tags',
    'tags_per_word',
    'script_frac',
    'style_frac',
    'comment_frac',
    'iframes',
    'tiny_frames',
    'max_depth',
  ],
  level: 'A',
  detectors: BOTH,
  definition:
    'Bytes; start tags; tags per visible word; inline script, inline style and comments as shares of the bytes; iframes; frames and images of one pixel; depth of the element tree.',
  source: 'Prieto et al. 2012',
  compute({ page: { counts }, words }) {
    return [
      counts.bytes,
      counts.tags,
      counts.tags / (words.length + 1),
      share(counts.inlineScriptLength, counts.bytes),
      share(counts.styleLength, counts.bytes),
      share(counts.commentLength, counts.bytes),
      counts.iframes,
      counts.tinyFrames,
      counts.maxDepth,
    ];
  },
};
