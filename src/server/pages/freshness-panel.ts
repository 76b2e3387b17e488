import type { FreshnessRecord, NextCrawl, SourceRecord, TypeFreshness } from '../../model/freshness.ts';
import { type Html, html } from './html.ts';

/** Next crawls shown. */
const SHOWN = 10;

/** How fresh the collection is, what is crawled next and why, how good the signals were, what the budget allows. */
export function freshnessPanel(record: FreshnessRecord | undefined): Html {
  if (record === undefined)
    return html`<h2>Freshness</h2>
<p class="hint">Not known yet: <code>winnow update</code> or <code>winnow serve --update</code> looks over the pages and crawls again what has probably changed.</p>`;
  const { budget, at } = record;
  return html`<h2>Freshness</h2>
<p>${percent(record.freshness)} of the collection is expected to be up to date, pages weighted by importance (${percent(record.plainFreshness)} of all pages alike). Looked over ${at.slice(0, 16).replace('T', ' ')} UTC. Budget: ${Math.floor(budget.left).toLocaleString('en')} of ${budget.perHour.toLocaleString('en')} crawls an hour are left.</p>
${typeTable(record.byType)}
<h3>Next to be crawled</h3>
${nextTable(record.next.slice(0, SHOWN))}
<h3>Word of changes</h3>
${sourceTable(record.sources)}`;
}

function typeTable(rows: readonly TypeFreshness[]): Html {
  return html`<table><thead><tr><th>Sort of page</th><th class="number">Pages</th><th class="number">Up to date</th><th class="number">Changes a day</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><td>${row.type}</td><td class="number">${row.pages.toLocaleString('en')}</td><td class="number">${bar(row.freshness)} ${percent(row.freshness)}</td><td class="number">${rate(row.changesPerDay)}</td></tr>`,
  )}</tbody></table>`;
}

function nextTable(rows: readonly NextCrawl[]): Html {
  if (rows.length === 0) return html`<p class="hint">Nothing: every copy is probably right.</p>`;
  return html`<table><thead><tr><th>Page</th><th class="number">Out of date</th><th>Because</th></tr></thead><tbody>${rows.map(
    (row) => html`<tr><td>${row.url}</td><td class="number">${percent(row.stale)}</td><td>${because(row)}</td></tr>`,
  )}</tbody></table>`;
}

function because({ signals, changesPerDay, lastFetched }: NextCrawl): string {
  const told = Object.entries(signals).map(([source, n]) => `${n} × ${source}`);
  const age = `changes ${rate(changesPerDay)} times a day, fetched ${lastFetched.slice(0, 16).replace('T', ' ')}`;
  return told.length === 0 ? age : `${told.join(', ')}; ${age}`;
}

function sourceTable(rows: readonly SourceRecord[]): Html {
  if (rows.length === 0) return html`<p class="hint">No site has told of a change yet.</p>`;
  return html`<table><thead><tr><th>From</th><th class="number">Signals checked</th><th class="number">Waiting</th><th class="number">Changes it tells of</th><th class="number">False ones a page and day</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><td>${row.source}</td><td class="number">${row.answered}</td><td class="number">${row.waiting}</td><td class="number">${percent(row.recall)}</td><td class="number">${rate(row.noise)}</td></tr>`,
  )}</tbody></table>`;
}

/** A share as a small bar; the figure stands beside it. */
function bar(share: number): Html {
  return html`<meter min="0" max="1" value="${share.toFixed(3)}" aria-hidden="true"></meter>`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function rate(value: number): string {
  return String(Number(value.toPrecision(2)));
}
