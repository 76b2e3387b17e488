import type { FeatureVector } from '../../model/garbage.ts';

/**
 * Log-odds that a page's company on other sites adds to its spam score: links into condemned domains, and a farm of
 * pages of one template that share phrases. Others can arrange both (a good page may be copied, its comments filled with
 * links), so together they are capped at what the threshold of 20/21 asks for: a page that does not lean to spam by
 * itself is not lost by its company.
 */
export function companyShift(features: FeatureVector): number {
  return Math.min(MOST, neighbourShift(features) + farmShift(features));
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
  return byDomains(domains) * Math.min(1, (features['condemned_link_frac'] ?? 0) / SHARE_OF_LINKS);
}

function farmShift(features: FeatureVector): number {
  const domains = features['farm_domains'] ?? 0;
  if (domains < TWO_DOMAINS) return 0;
  return byDomains(domains) * Math.min(1, (features['farm_phrase_frac'] ?? 0) / SHARE_OF_PHRASES);
}

function byDomains(domains: number): number {
  return SEEN + (domains - TWO_DOMAINS) * EACH_FURTHER;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** As many links to bad pages as make a page bad by Wu and Davison 2005 (T_PP). */
const SEVERAL_LINKS = 3;
/** Share of the links from which on they count in full, below in proportion. */
const SHARE_OF_LINKS = 0.3;
/** Other domains from which on there is a pattern: one may be the page's own second address. */
const TWO_DOMAINS = 2;
/** As for links. */
const SHARE_OF_PHRASES = 0.3;
const SEEN = 2;
/** Log-odds of each further domain. */
const EACH_FURTHER = 0.5;
/** What the threshold of 20/21 asks for. */
const MOST = Math.log(20);
