import type { VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import { type CompiledKeyRules, resolveUrl } from '../url/url.ts';
import type { CrawlTicket } from './crawl-types.ts';

/** Redirects over several hosts are followed through the frontier, so their chains stand in the rows of the URLs. */
export interface RedirectContext {
  readonly visited: VisitedUrls;
  readonly keyRules: CompiledKeyRules;
  readonly maxRedirects: number;
}

/** Redirects stored earlier, followed from the target: do they end at the URL itself? */
export async function leadsBack(ticket: CrawlTicket, target: string, context: RedirectContext): Promise<boolean> {
  let url = target;
  for (let hops = 0; hops < context.maxRedirects; hops++) {
    const resolved = resolveUrl(url, ticket.url, context.keyRules);
    if ('reason' in resolved) return false;
    if (resolved.key === ticket.key) return hops > 0;
    const next = await context.visited.find(resolved.key, resolved.host);
    if (next?.state !== 'redirect' || next.reason === undefined) return false;
    url = next.reason;
  }
  return true;
}

/** Redirects that led to this URL, one after the other. */
export async function redirectsBefore(ticket: CrawlTicket, context: RedirectContext): Promise<number> {
  let hops = 0;
  let id = (await context.visited.get(ticket.id))?.foundFrom;
  while (id !== undefined && hops < context.maxRedirects) {
    const before = await context.visited.get(id);
    if (before?.state !== 'redirect') break;
    hops++;
    id = before.foundFrom;
  }
  return hops;
}
