import type { VisitedUrl } from '../crawling/visited-urls/visited-urls.ts';
import type { CrawlTicket } from './crawl-types.ts';

/**
 * A URL about to go through the boxes. `isIndexed`: a page that is not in the index now (judged garbage, a copy,
 * hidden) is judged anew even when it comes back unchanged.
 */
export function ticketOf(
  url: VisitedUrl,
  { deferred, isIndexed }: { readonly deferred: boolean; readonly isIndexed: boolean },
): CrawlTicket {
  const { id, hostId, host, key, depth, priority, answer } = url;
  return {
    ...{ id, hostId, host, url: url.url, key, depth, priority, deferred },
    known: {
      etag: answer?.etag,
      lastModified: answer?.lastModified,
      textHash: answer?.textHash,
      fetchedAt: answer?.fetchedAt,
      failures: answer?.failures ?? 0,
      wasKept: isIndexed,
    },
  };
}
