import type { FeatureVector } from '../../model/garbage.ts';
import type { DetectorName } from '../../model/lists.ts';
import { CERTAIN, SPAM_EVIDENCE_FEATURES, spamShift } from './spam-evidence.ts';

/** Features that {@link evidenceShift} reads. */
export const SHIFT_FEATURES: readonly string[] = [
  ...SPAM_EVIDENCE_FEATURES,
  'main_words',
  'non_link_words',
  'echoes_url',
  'parking_host',
  'notice_sale',
  'notice_default',
  'parking_signs',
  'parking_claim',
  'notice_soon',
  'error_word',
  'code_block',
  'error_phrase_block',
  'error_phrase_whole',
  'url_error_words',
  'error_phrase_title',
  'error_phrase_heading',
  'code_title',
  'code_heading',
  'status_lines',
  'absent_notice',
  'stack_report',
  'long_block_words',
];

/**
 * Log-odds added to a learned score (12 and more: certain) for what the labelled pages cannot teach. Their URLs are unknown, so no tree learns
 * from an echoed address or a ww1.… host, and of parked pages they have one domain; and none of them is a long article about errors, which words alone would
 * call one: the more prose a page has, the less its words say, unless it opens with a server's own notice.
 */
export function evidenceShift(detector: DetectorName, features: FeatureVector): number {
  if (detector === 'spam') return spamShift(features);
  const value = (name: string): number => features[name] ?? 0;
  let shift = 0;
  if (value('echoes_url') > ECHO_SHARE) shift += CERTAIN;
  if (isParked(value('parking_signs'), value('parking_claim') > 0, value('non_link_words'))) return shift + CERTAIN;
  if (saysNothingElse(value)) return shift + CERTAIN;
  if (!SIGNS.some(([name, least]) => value(name) >= least)) shift -= NO_SIGN;
  if (value('notice_default') < OPENS_WITH_NOTICE)
    shift -= proseDiscount(Math.min(value('main_words'), value('non_link_words')), value('long_block_words'));
  return shift;
}

/** What a page's host said at other addresses; see `host-answers.ts`. */
export interface HostEvidence {
  /** Resemblance 0–1 to an answer of the host that was judged to be an error page. */
  readonly errorPageSimilarity?: number | undefined;
  /** Other addresses of the host that answered with nearly the same text. */
  readonly sameAnswers?: number | undefined;
  /** What the host's other pages add to a spam score, in log-odds; see `host-leanings.ts`. */
  readonly spamLeaning?: number | undefined;
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
  const hint = Math.max(...ERROR_SIGNS.map((name) => features[name] ?? 0));
  const repeated =
    others < SEVERAL ? 0 : Math.min(hint >= CLEAR_HINT ? MOST_REPEATED : MOST_UNHINTED, others * EACH_REPEATED);
  return Math.max(likeness * KNOWN_ERROR, repeated);
}

const LIKENESS_FROM = 0.5;
const KNOWN_ERROR = 6;
const SEVERAL = 2;
const EACH_REPEATED = 0.5;
const MOST_REPEATED = 2;
/** Of a page that neither title nor heading calls an error. */
const MOST_UNHINTED = 0.5;
const CLEAR_HINT = 0.4;
const ERROR_SIGNS = ['error_phrase_title', 'error_phrase_heading', 'code_title', 'code_heading'] as const;

/**
 * A status line, a notice that there is no such page, or a program's report of its own fault, and little
 * beside it: on none of 796 labelled good pages.
 */
function saysNothingElse(value: (name: string) => number): boolean {
  if (value('stack_report') > 0) return true;
  const words = Math.min(value('main_words'), value('non_link_words'));
  if (words <= MESSAGE_WORDS && value('status_lines') >= 1) return true;
  return words <= HELP_WORDS && value('absent_notice') >= MOST_OF_A_TEXT;
}

/** As long as what servers write under a status line. */
const MESSAGE_WORDS = 60;
/** How to make the page that is not there yet; a script of word pairs counts about twice as many. */
const HELP_WORDS = 100;
const MOST_OF_A_TEXT = 0.6;

/** Two independent signs on a page with little to read, three on any: an article on parking has one at most. */
function isParked(signs: number, claims: boolean, words: number): boolean {
  return claims && (signs >= 3 || (signs === 2 && words <= LITTLE_TO_READ));
}

const LITTLE_TO_READ = 200;

/**
 * Signs of an error or standing page and from where on they count. A page without any is merely short, and being short
 * in a language of which few good pages are labelled is no fault.
 */
const SIGNS: readonly (readonly [string, number])[] = [
  ...(['error_phrase_title', 'error_phrase_heading', 'error_phrase_block'] as const).map(
    (name) => [name, 0.3] as const,
  ),
  ...(['notice_sale', 'notice_default', 'notice_soon', 'echoes_url'] as const).map((name) => [name, 0.05] as const),
  ...(['error_word', 'error_phrase_whole', 'code_title', 'code_heading', 'code_block'] as const).map(
    (name) => [name, 1] as const,
  ),
  ...(['parking_claim', 'url_error_words'] as const).map((name) => [name, 1] as const),
];
const NO_SIGN = 3;

/** Share of the visible text that is the echoed address. */
const ECHO_SHARE = 0.5;
const OPENS_WITH_NOTICE = 0.5;

/** Longer than any error page's own text; each further 20 words count one unit of log-odds against it. */
const PROSE_FROM = 100;
const PROSE_STEP = 20;
const MOST_DISCOUNT = 12;

/**
 * Words in blocks of 25 and more: none of 193 labelled error pages has over 48, half of the good pages have 170 and
 * more. Each further 8 count one unit.
 */
const PARAGRAPHS_FROM = 80;
const PARAGRAPHS_STEP = 8;

function proseDiscount(words: number, inParagraphs: number): number {
  const discount = Math.max((words - PROSE_FROM) / PROSE_STEP, (inParagraphs - PARAGRAPHS_FROM) / PARAGRAPHS_STEP);
  return Math.min(MOST_DISCOUNT, Math.max(0, discount));
}
