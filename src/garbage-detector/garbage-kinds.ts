import type { GarbageKind, Verdict } from '../model/lists.ts';
import { analyse, type PageFacts } from './content-analyser/content-analyser.ts';
import { linkRatios } from './content-analyser/heuristics/links.ts';
import { errorCodes, notFoundPhrases } from './content-analyser/heuristics/not-found.ts';
import { parkingServices, parkingSigns, standingNotices } from './content-analyser/heuristics/parking.ts';
import { clientRedirect } from './content-analyser/heuristics/redirects.ts';

/**
 * Which sort of page without content this is. Parked: a parking service's marks, an offer to sell the domain, or a
 * redirect to a ww1.… host. Default page: the text of an untouched server, of a site under construction or suspended,
 * when it says so more clearly than it reports an error. Else soft-404.
 */
export function softVerdict(facts: PageFacts): 'soft-404' | 'parked' | 'default-page' {
  const marks = analyse(facts, [parkingServices, parkingSigns, standingNotices, notFoundPhrases, errorCodes]);
  const value = (name: string): number => marks[name] ?? 0;
  const error = Math.max(
    value('error_phrase_title'),
    value('error_phrase_heading'),
    value('code_title'),
    value('code_heading'),
    value('error_phrase_whole') > 0 ? 1 : 0,
  );
  if (value('parking_claim') > 0 && value('parking_signs') > 1) return 'parked';
  if (value('parking_host') > 0 || value('parking_service') > 0 || value('parking_script') > 0) return 'parked';
  if (value('notice_sale') > 0 && error < CLEAR_ERROR) return 'parked';
  const notice = Math.max(value('notice_default'), value('notice_soon'));
  return notice > 0.2 && error < CLEAR_ERROR ? 'default-page' : 'soft-404';
}

/** An error message covers title or heading at least this far. */
const CLEAR_ERROR = 0.7;

/** The kinds of garbage of a judged page; none for a page that is kept. */
export function garbageKinds(
  verdict: Verdict,
  facts: PageFacts,
  found: { readonly injectedLinks: boolean; readonly sendsAway: boolean },
): GarbageKind[] {
  if (verdict === 'keep') return [];
  if (verdict !== 'spam') return [verdict];
  if (found.injectedLinks) return ['injected'];
  const values = analyse(facts, [clientRedirect, linkRatios]);
  const kinds: GarbageKind[] = [];
  if (found.sendsAway || (values['redirect_foreign'] ?? 0) > 0) kinds.push('redirection');
  if ((values['external_domains'] ?? 0) >= 20 && (values['external_frac'] ?? 0) > 0.5) kinds.push('link-farm');
  return kinds.length === 0 ? ['content'] : kinds;
}
