import type { FeatureVector } from '../../model/garbage.ts';

/**
 * Log-odds that a page's company on other sites adds to its spam score: links into condemned domains, and a farm of
 * pages of one template that share phrases. Both are capped below what condemns a page that has nothing else against
 * it, since others can arrange them: a good page may be copied, or its comments filled with links.
 */
export function companyShift(features: FeatureVector): number {
  return neighbourShift(features) + farmShift(features);
}

/** In words, what {@link companyShift} holds against a page. */
export function companyEvidence(features: FeatureVector): string[] {
  const value = (name: string): number => features[name] ?? 0;
  const found: string[] = [];
  if (neighbourShift(features) > 0) {
    const share = percent(value('condemned_link_frac'));
    found.push(
      `${value('condemned_links')} links into ${value('condemned_link_domains')} domains condemned for spam (${share} of those that lead away)`,
    );
  }
  if (farmShift(features) > 0) {
    const share = percent(value('farm_phrase_frac'));
    found.push(
      `the template and ${share} of the sampled phrases of spam-like pages on ${value('farm_domains')} other domains`,
    );
  }
  return found;
}

function neighbourShift(features: FeatureVector): number {
  const links = features['condemned_links'] ?? 0;
  const domains = features['condemned_link_domains'] ?? 0;
  if (links < SEVERAL_LINKS || domains < TWO_DOMAINS) return 0;
  if ((features['condemned_link_frac'] ?? 0) <= SHARE_OF_LINKS) return 0;
  return Math.min(MOST, SEEN + (domains - TWO_DOMAINS) * EACH_NEIGHBOUR);
}

function farmShift(features: FeatureVector): number {
  const domains = features['farm_domains'] ?? 0;
  if (domains < TWO_DOMAINS || (features['farm_phrase_frac'] ?? 0) < SHARE_OF_PHRASES) return 0;
  return Math.min(MOST, SEEN + (domains - TWO_DOMAINS) * EACH_FARM);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** As many links to bad pages as make a page bad by Wu and Davison 2005 (T_PP). */
const SEVERAL_LINKS = 3;
const SHARE_OF_LINKS = 0.3;
/** Other domains from which on there is a pattern: one may be the page's own second address. */
const TWO_DOMAINS = 2;
const SHARE_OF_PHRASES = 0.3;
const SEEN = 2;
/** Log-odds of each further domain. */
const EACH_NEIGHBOUR = 0.5;
const EACH_FARM = 1;
const MOST = 4;
