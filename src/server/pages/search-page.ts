import type { FacetValue, SearchHit, SearchResult } from '../../model/reports.ts';
import { type Html, highlighted, html, safeHref } from './html.ts';
import { layout } from './layout.ts';

export interface SearchPageOptions {
  readonly query: string;
  readonly offset: number;
  readonly limit: number;
  readonly result: SearchResult | undefined;
  /** Kept pages in the index; shown while there is no query. */
  readonly pages: number;
}

/** The search page: rendered whole on the server, no script needed. */
export function searchPage(options: SearchPageOptions): string {
  const { query, result } = options;
  return layout({
    title: query === '' ? 'Winnow' : `${query} · Winnow`,
    section: 'search',
    body: html`<header class="top ${result === undefined && 'start'}">
<a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"> Winnow</a>
<form class="searchbox" role="search" action="/" method="get">
<label class="hidden-label" for="q">Search</label>
<input id="q" name="q" type="search" value="${query}" placeholder="Search ${options.pages.toLocaleString('en')} pages" autocomplete="off" autocapitalize="none" ${result === undefined && html`autofocus`}>
<button type="submit">Search</button>
</form>
</header>
<main id="content">${result === undefined ? startText(options.pages) : results(options, result)}</main>`,
  });
}

function startText(pages: number): Html {
  if (pages === 0) {
    return html`<p class="hint">The index is empty. Fill it with <code>winnow crawl https://www.example.org/ --contact you@example.org</code>.</p>`;
  }
  return html`<p class="hint">All words are looked for first. <code>"exact words"</code> keeps them together, <code>-word</code> leaves out, <code>site:example.org</code> stays on one site.</p>`;
}

function results(options: SearchPageOptions, result: SearchResult): Html {
  if (result.hits.length === 0) return nothingFound(options, result);
  const first = options.offset + 1;
  const last = options.offset + result.hits.length;
  return html`
<p class="count" role="status">${result.total.toLocaleString('en')} ${result.total === 1 ? 'page' : 'pages'}${options.offset > 0 && html`, ${first} to ${last}`} · ${result.tookMs.toFixed(0)} ms</p>
${suggestion(result)}
${result.relaxed && html`<p class="note">Few pages have all the words, so pages with some of them are shown as well.</p>`}
<div class="columns">
<ol class="hits" start="${first}">${result.hits.map(hit)}</ol>
${facets(options, result)}
</div>
${pager(options, result)}`;
}

function nothingFound(options: SearchPageOptions, result: SearchResult): Html {
  return html`<section class="empty">
<h1>No page has these words</h1>
${suggestion(result)}
<p>Try fewer or other words${/\bsite:/.test(options.query) && ', or leave out site:'}.</p>
</section>`;
}

function suggestion({ suggestion: words }: SearchResult): Html | false {
  return words !== undefined && html`<p>Did you mean <a href="${queryHref(words, 0)}">${words}</a>?</p>`;
}

function hit(item: SearchHit): Html {
  return html`<li class="hit">
<h2><a href="${safeHref(item.url)}" rel="noopener">${item.title === '' ? item.url : item.title}</a></h2>
<p class="address">${crumbs(item.url)}</p>
<p class="snippet">${highlighted(item.snippet, item.highlights)}</p>
<p class="about">${item.flagged !== undefined && html`<span class="flag">flagged: ${item.flagged}</span> `}<time datetime="${item.fetchedAt}">seen ${item.fetchedAt.slice(0, 10)}</time>${item.language !== 'und' && html` · ${item.language}`}${item.duplicates > 0 && html` · ${item.duplicates} ${item.duplicates === 1 ? 'copy' : 'copies'} left out`}</p>
</li>`;
}

/** host › folder › page, percent escapes shown as letters where they are valid. */
function crumbs(url: string): Html {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return html`${url}`;
  const parts = parsed.pathname.split('/').filter((part) => part !== '');
  return html`${parsed.host}${parts.map((part) => html` <span aria-hidden="true">›</span> ${readable(part)}`)}${parsed.search !== '' && html` ${parsed.search}`}`;
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function facets(options: SearchPageOptions, result: SearchResult): Html {
  const list = (title: string, values: readonly FacetValue[], toQuery: (value: string) => string): Html | false =>
    values.length > 1 &&
    html`<section><h2>${title}</h2><ul>${values
      .slice(0, 8)
      .map(
        (facet) =>
          html`<li><a href="${queryHref(toQuery(facet.value), 0)}">${facet.value}</a> <span>${facet.count}</span></li>`,
      )}</ul></section>`;
  const bare = options.query.replace(/(^|\s)site:\S+/g, ' ').trim();
  return html`<aside class="facets" aria-label="Narrow the search">
${list('Sites', result.facets.site, (site) => `${bare} site:${site}`)}
${result.facets.language.length > 1 && html`<section><h2>Languages</h2><ul>${result.facets.language.slice(0, 8).map((facet) => html`<li>${facet.value} <span>${facet.count}</span></li>`)}</ul></section>`}
</aside>`;
}

function pager(options: SearchPageOptions, result: SearchResult): Html {
  const previous =
    options.offset > 0 &&
    html`<a rel="prev" href="${queryHref(options.query, Math.max(0, options.offset - options.limit))}">← Previous</a>`;
  const next =
    options.offset + result.hits.length < result.total &&
    html`<a rel="next" href="${queryHref(options.query, options.offset + options.limit)}">Next →</a>`;
  return html`<nav class="pager" aria-label="Pages of results">${previous} ${next}</nav>`;
}

function queryHref(query: string, offset: number): string {
  return `/?q=${encodeURIComponent(query)}${offset > 0 ? `&offset=${offset}` : ''}`;
}
