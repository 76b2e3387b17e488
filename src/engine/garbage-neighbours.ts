import type { ExtractedLink } from '../crawling/url-extractor/url-extractor.ts';
import type { NeighbourCounts } from '../garbage-detector/content-analyser/page-company.ts';
import type { GarbageRepository } from '../garbage-detector/garbage-repository/garbage-repository.ts';
import { registrableDomain } from '../url/url.ts';

export type SpamDomains = Pick<GarbageRepository, 'isEmpty' | 'isSpamDomain'>;

/**
 * How many links of a page of `host` lead into condemned domains: counted where the garbage repository is, so that the
 * thread that judges is sent three numbers. The first thousand links that lead away are looked at. undefined while
 * nothing is known of any domain.
 */
export function neighbourCounts(
  host: string,
  links: readonly Pick<ExtractedLink, 'host' | 'credited'>[],
  spamDomains: SpamDomains,
  now: number,
): NeighbourCounts | undefined {
  if (spamDomains.isEmpty) return undefined;
  const own = registrableDomain(host);
  const isSpam = new Map<string, boolean>();
  let away = 0;
  let condemned = 0;
  for (const link of links) {
    if (away === MOST_LINKS) break;
    const domain = registrableDomain(link.host);
    if (domain === own || !link.credited) continue;
    const known = isSpam.get(domain) ?? spamDomains.isSpamDomain(domain, now);
    isSpam.set(domain, known);
    away++;
    if (known) condemned++;
  }
  return { away, condemned, domains: [...isSpam.values()].filter(Boolean).length };
}

const MOST_LINKS = 1000;
