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
  'parking_signs',
  'parking_claim',
];

/**
 * Log-odds added to a learned score for what the labelled pages cannot teach. Their URLs are unknown, so no tree learns
 * from an echoed address or a ww1.… host, and of parked pages they have one domain; and none of them is a long article about errors, which words alone would
 * call one: the more prose a page has, the less its words say, unless it opens with a server's own notice.
 */
export function evidenceShift(detector: DetectorName, features: FeatureVector): number {
  if (detector === 'spam') return 0;
  const value = (name: string): number => features[name] ?? 0;
  let shift = 0;
  if (value('echoes_url') > ECHO_SHARE) shift += CERTAIN;
  if (isParked(value('parking_signs'), value('parking_claim') > 0, value('non_link_words'))) return shift + CERTAIN;
  if (value('notice_default') < OPENS_WITH_NOTICE)
    shift -= proseDiscount(Math.min(value('main_words'), value('non_link_words')));
  return shift;
}

/** What a page's host said at other addresses; see `host-answers.ts`. */
export interface HostEvidence {
  /** Resemblance 0–1 to an answer of the host that was judged to be an error page. */
  readonly errorPageSimilarity?: number | undefined;
  /** Other addresses of the host that answered with nearly the same text. */
  readonly sameAnswers?: number | undefined;
}

/**
 * Log-odds that other answers of a page's host add to a soft-404 score: much for the likeness of a known error page,
 * little for a text met at several addresses, since short pages of galleries and shops resemble each other too; that
 * alone lifts no page over the threshold that does not lean to it. A text of some length is content, whatever it is like.
 */
export function hostShift(host: HostEvidence, features: FeatureVector): number {
  if (Math.min(features['main_words'] ?? 0, features['non_link_words'] ?? 0) > PROSE_FROM) return 0;
  const likeness = Math.max(0, (host.errorPageSimilarity ?? 0) - LIKENESS_FROM) / (1 - LIKENESS_FROM);
  const others = host.sameAnswers ?? 0;
  const repeated = others < SEVERAL ? 0 : Math.min(MOST_REPEATED, others * EACH_REPEATED);
  return Math.max(likeness * KNOWN_ERROR, repeated);
}

const LIKENESS_FROM = 0.5;
const KNOWN_ERROR = 6;
const SEVERAL = 2;
const EACH_REPEATED = 0.5;
const MOST_REPEATED = 2;

/** Two independent signs on a page with little to read, three on any: an article on parking has one at most. */
function isParked(signs: number, claims: boolean, words: number): boolean {
  return claims && (signs >= 3 || (signs === 2 && words <= LITTLE_TO_READ));
}

const LITTLE_TO_READ = 200;

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
