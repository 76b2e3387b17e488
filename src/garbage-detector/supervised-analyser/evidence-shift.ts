import type { FeatureVector } from '../../model/garbage.ts';
import type { DetectorName } from '../../model/lists.ts';

/** Features that {@link evidenceShift} reads. */
export const SHIFT_FEATURES: readonly string[] = [
  'main_words',
  'non_link_words',
  'echoes_url',
  'parking_host',
  'notice_sale',
  'notice_default',
];

/**
 * Log-odds added to a learned score for what the labelled pages cannot teach. Their URLs are unknown, so no tree learns
 * from an echoed address or a ww1.… host; and none of them is a long article about errors, which words alone would
 * call one: the more prose a page has, the less its words say, unless it opens with a server's own notice.
 */
export function evidenceShift(detector: DetectorName, features: FeatureVector): number {
  if (detector === 'spam') return 0;
  const value = (name: string): number => features[name] ?? 0;
  let shift = 0;
  if (value('echoes_url') > ECHO_SHARE) shift += CERTAIN;
  if (value('parking_host') > 0 && value('notice_sale') > 0) shift += CERTAIN;
  if (value('notice_default') < OPENS_WITH_NOTICE)
    shift -= proseDiscount(Math.min(value('main_words'), value('non_link_words')));
  return shift;
}

/** Share of the visible text that is the echoed address. */
const ECHO_SHARE = 0.5;
const OPENS_WITH_NOTICE = 0.5;
const CERTAIN = 12;

/** Longer than any error page's own text; each further 20 words count one unit of log-odds against it. */
const PROSE_FROM = 100;
const PROSE_STEP = 20;
const MOST_DISCOUNT = 12;

function proseDiscount(words: number): number {
  return Math.min(MOST_DISCOUNT, Math.max(0, (words - PROSE_FROM) / PROSE_STEP));
}
