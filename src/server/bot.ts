import type { FastifyInstance } from 'fastify';
import { html } from './pages/html.ts';
import { layout } from './pages/layout.ts';
import type { Services } from './services.ts';

/** Explains the crawler to the owners of the sites it visits. */
export function botRoutes(app: FastifyInstance, services: Services): void {
  const { crawl } = services.config;
  app.get('/bot', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(
      layout({
        title: 'About the crawler · Winnow',
        section: 'bot',
        body: html`<main id="content" class="page">
<h1>About this crawler</h1>
<p>A program named <code>${crawl.userAgentProduct}</code> asked your site for pages. It belongs to this search engine, which a person or an organisation runs for a chosen set of sites. It is not a service of the makers of Winnow.</p>
${crawl.contact === '' ? html`<p>The operator has not set a contact for this page; requests of the crawler carry one in their <code>User-Agent</code> header.</p>` : html`<p>Contact of the operator: <strong>${crawl.contact}</strong>. The <code>User-Agent</code> header of every request carries it too.</p>`}
<h2>How it behaves</h2>
<ul>
<li>It obeys <code>robots.txt</code> (RFC 9309), <code>Crawl-delay</code> up to ${crawl.maxCrawlDelaySeconds} seconds, <code>Retry-After</code>, meta robots and <code>X-Robots-Tag</code> (<code>noindex</code>, <code>nofollow</code>, <code>noarchive</code>, <code>nosnippet</code>, <code>unavailable_after</code>).</li>
<li>One connection to a host at a time, and ${crawl.delaySeconds} seconds between two requests unless you ask for more. After 429 or 503 it waits a minute, then two, four, eight.</li>
<li>It asks with <code>If-None-Match</code> and <code>If-Modified-Since</code>, so that unchanged pages cost you an empty answer.</li>
<li>It sends no cookies but those that one chain of redirects sets, and fills in no forms that log in, order, subscribe or write.</li>
</ul>
<h2>How to keep it out</h2>
<pre>User-agent: ${crawl.userAgentProduct}
Disallow: /</pre>
<p>The rule is seen within a day. To slow it down instead: <code>Crawl-delay: 10</code>. To keep one page out of the index: <code>&lt;meta name="robots" content="noindex"&gt;</code>.</p>
</main>`,
      }),
    ),
  );
}
