import { hostName, isHttp, registrableDomain } from '../../url/url.ts';
import type { Submission } from './query-firing.ts';

/**
 * Why a query may not go where it would; undefined when it may. A page's word for where its search stands is no reason
 * to send anything to others: a query stays on the registrable domain of the page, one by POST on its host and port.
 */
export function foreignTarget(pageUrl: string, request: Pick<Submission, 'method' | 'url'>): string | undefined {
  const page = URL.parse(pageUrl);
  const target = URL.parse(request.url);
  if (page === null || target === null || !isHttp(target.href)) return 'its action is no http or https URL';
  const [own, asked] = [hostName(page.href), hostName(target.href)];
  if (registrableDomain(asked) !== registrableDomain(own)) return `it leads to another site, ${asked}`;
  if (request.method === 'POST' && target.host !== page.host)
    return `it sends a form by POST to another host, ${target.host}`;
  return undefined;
}
