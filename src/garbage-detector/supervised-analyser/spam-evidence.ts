import type { FeatureVector } from '../../model/garbage.ts';

/** Features that the evidence of spam is read from. */
export const SPAM_EVIDENCE_FEATURES: readonly string[] = [
  'foreign_hidden_domains',
  'foreign_hidden_shared',
  'foreign_run',
  'foreign_run_domains',
  'foreign_shared',
  'foreign_frac',
  'foreign_script',
  'word_count',
  'redirect_trade',
  'redirect_paid',
  'unnamed_image_domains',
  'trade_links',
  'hidden_trade_links',
  'near_trade_links',
  'hidden_near_links',
  'own_trades',
  'own_title_trades',
];

/** Log-odds that leave no doubt, whatever the rest of a page says. */
export const CERTAIN = 12;

/** Log-odds that what no labelled page teaches adds to a spam score. */
export function spamShift(features: FeatureVector): number {
  const value = (name: string): number => features[name] ?? 0;
  if (hasInjectedLinks(features)) return CERTAIN + AGAINST_PAGE;
  let shift = hasOddRun(value) ? ODD_RUN : 0;
  if (sendsToTrade(features)) shift += SENT_AWAY;
  if (value('unnamed_image_domains') >= MANY_SOURCES) shift += BORROWED_PICTURES;
  return shift;
}

/** In words, what {@link spamShift} holds against a page for spam. */
export function spamEvidence(features: FeatureVector): string[] {
  const value = (name: string): number => features[name] ?? 0;
  const found: string[] = [];
  if (hasInjectedLinks(features) || hasOddRun(value))
    found.push('links that do not belong to the page, as if put in by others');
  if (sendsToTrade(features))
    found.push('little but a redirect to an address of a trade, or one that pays for visitors');
  if (value('unnamed_image_domains') >= MANY_SOURCES)
    found.push(`pictures of ${value('unnamed_image_domains')} other sites without a link to them`);
  return found;
}

/** A page with hardly a word that moves its reader on to a trade's address, or to one that pays for visitors. */
export function sendsToTrade(features: FeatureVector): boolean {
  const value = (name: string): number => features[name] ?? 0;
  return value('word_count') <= HARDLY_A_WORD && value('redirect_trade') + value('redirect_paid') > 0;
}

const HARDLY_A_WORD = 80;
const SENT_AWAY = 8;
/** Sites whose pictures a page shows without a link to them: at most seven on 647 labelled good pages. */
const MANY_SOURCES = 9;
const BORROWED_PICTURES = 5;

/**
 * Links put in by others: hidden ones on three domains that share words the page does not have, or a run of links on
 * three domains written in a script the page is not. None of 796 labelled good pages has them, and most of the labelled
 * pages with such links are held back, so no tree can learn from them.
 */
export function hasInjectedLinks(features: FeatureVector): boolean {
  const value = (name: string): number => features[name] ?? 0;
  const hidden = value('foreign_hidden_domains') >= 3 && value('foreign_hidden_shared') >= 3;
  if (hidden || hasTradeLinks(value)) return true;
  return value('foreign_script') >= 0.5 && value('foreign_run') >= 3 && value('foreign_run_domains') >= 3;
}

/**
 * Two hidden links of a trade, or four in sight on a page that has nothing of a trade in its title and hardly a word of
 * one outside them. Ambiguous words count where others stand beside them.
 */
function hasTradeLinks(value: (name: string) => number): boolean {
  const hidden = value('hidden_trade_links');
  if (hidden >= 2 || (hidden >= 1 && hidden + value('hidden_near_links') >= 3)) return true;
  const sure = value('trade_links');
  const isMany = sure >= 4 || (sure >= 2 && sure + value('near_trade_links') >= 5);
  return isMany && value('own_title_trades') === 0 && value('own_trades') < FEW_TRADE_WORDS;
}

const FEW_TRADE_WORDS = 0.004;

/** Visible links that lead away one after the other with words of one trade; a few honest link lists look the same. */
function hasOddRun(value: (name: string) => number): boolean {
  const domains = value('foreign_run_domains');
  const isList = domains >= 5 && domains >= 0.8 * value('foreign_run') && value('foreign_frac') < 0.2;
  return isList && value('foreign_shared') >= 0.25 * domains;
}

const ODD_RUN = 3;
/** The words of the page itself speak for it: the best of good pages has about this score. */
const AGAINST_PAGE = 8;
