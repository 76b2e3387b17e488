import type { FastifyInstance } from 'fastify';
import { searchPage } from './pages/search-page.ts';
import type { Services } from './services.ts';

/** Characters of a query that are looked at; longer ones are cut. */
const MAX_QUERY = 1_000;
/** Results beyond this are not paged through. */
const MAX_OFFSET = 990;

interface SearchQuery {
  readonly q?: unknown;
  readonly offset?: unknown;
}

/** The search page for people, and how browsers learn of it. */
export function searchRoutes(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: SearchQuery }>('/', { schema: { hide: true } }, async (request, reply) => {
    const query = cleanQuery(request.query.q);
    const offset = cleanOffset(request.query.offset);
    const limit = services.config.search.limit;
    const [result, status] = await Promise.all([
      query === '' ? undefined : services.search({ query, limit, offset, explain: false }),
      services.status(),
    ]);
    const page = searchPage({ query, offset, limit, result, pages: status.pages['kept'] ?? 0 });
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
  });

  app.get('/search', { schema: { hide: true } }, (request, reply) => {
    const at = request.url.indexOf('?');
    return reply.redirect(at < 0 ? '/' : `/${request.url.slice(at)}`, 302);
  });

  app.get('/opensearch.xml', { schema: { hide: true } }, (request, reply) => {
    const origin = `${request.protocol}://${request.host}`.replace(/[<>&"']/g, '');
    return reply.type('application/opensearchdescription+xml').send(`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Winnow</ShortName><Description>Search this Winnow collection</Description><InputEncoding>UTF-8</InputEncoding><Url type="text/html" method="get" template="${origin}/?q={searchTerms}"/></OpenSearchDescription>`);
  });

  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain').send('User-agent: *\nDisallow: /?q=\nDisallow: /admin\nDisallow: /api/\n'),
  );
}

/** Repeated parameters: the first counts, as in forms. */
export function cleanQuery(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first.slice(0, MAX_QUERY).trim() : '';
}

export function cleanOffset(value: unknown): number {
  const n = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
  return Math.min(n, MAX_OFFSET);
}
