import type { BeaconLines } from '../../engine/beacon-service.ts';
import type { GarbageRow } from '../../engine/garbage-list.ts';
import { BEACON_COUNTS, type BeaconCount, type BeaconCounters } from '../../model/changes.ts';
import type { StatusReport } from '../../model/reports.ts';
import { freshnessPanel } from './freshness-panel.ts';

import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

export function signInPage(failed: boolean): string {
  return layout({
    title: 'Admin · Winnow',
    section: 'admin',
    body: html`<main id="content" class="page"><h1>Admin</h1>
${failed && html`<p class="bad" role="alert">That is not the token.</p>`}
<p>The token was shown once, when <code>winnow serve</code> first started on this data folder. Lost it? Delete the file <code>admin-token</code> there and start again.</p>
<form class="line" method="post" action="/admin/sign-in"><label class="hidden-label" for="token">Token</label><input id="token" name="token" type="password" autocomplete="current-password" required><button>Sign in</button></form></main>`,
  });
}

export interface AdminPageOptions {
  readonly status: StatusReport;
  readonly garbage: readonly GarbageRow[];
  readonly beacon: BeaconCounters;
  readonly lines: BeaconLines;
  readonly message: string;
}

export function adminPage({ status, garbage, beacon, lines, message }: AdminPageOptions): string {
  return layout({
    title: 'Admin · Winnow',
    section: 'admin',
    scripts: ['live.js'],
    body: html`<header class="top"><a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"> Winnow</a></header>
<main id="content"><h1>This collection</h1>
${message !== '' && html`<p class="note" role="status">${message}</p>`}
<div class="cards">${card(status.pages['kept'] ?? 0, 'pages in the index')}${card(status.pages['garbage'] ?? 0, 'judged garbage')}${card(status.pages['duplicate'] ?? 0, 'duplicates')}${card(status.queue, 'waiting')}${card(status.hosts, 'hosts')}</div>
<h2>Crawl</h2>
<p>${status.lastRun === null ? 'Nothing was crawled yet.' : html`Last run: ${status.lastRun.summary ?? 'under way, or it was cut off'}`}</p>
<form class="line" method="post" action="/admin/crawl"><label class="hidden-label" for="urls">URLs</label><input id="urls" name="urls" placeholder="https://www.example.org/ (empty: go on with what is waiting)"><button>Start a crawl</button></form>
<form method="post" action="/admin/stop"><button>Stop the crawl</button></form>
<ul id="events" aria-live="polite"></ul>
${freshnessPanel(status.refresh)}
<h2>Why pages are where they are</h2>
${stateTable(status)}
<h2>Condemned domains</h2>
${garbageTable(garbage)}
<h2>Change beacon</h2>
<p>Every page of a registered site gets this line, if this is the address of the server for its visitors:</p><pre>${lines.tag}</pre>
<p>or this one, which asks for nothing before the page has loaded:</p><pre>${lines.inline}</pre>
<p>which a content security policy allows with</p><pre>${lines.policy}</pre>
<p class="hint">Since the server started:</p>
${beaconTable(beacon)}
<h2>Models</h2><p>spam: <code>${status.model.spam}</code>, soft-404: <code>${status.model['soft-404']}</code></p>
</main>`,
  });
}

function card(value: number, label: string): Html {
  return html`<div class="card"><b>${value.toLocaleString('en')}</b><span>${label}</span></div>`;
}

function stateTable(status: StatusReport): Html {
  const rows = Object.entries(status.pages).filter(([, n]) => n > 0);
  if (rows.length === 0) return html`<p class="hint">No URL is known yet.</p>`;
  return html`<table><thead><tr><th>State</th><th class="number">URLs</th></tr></thead><tbody>${rows.map(([state, n]) => html`<tr><td>${state}</td><td class="number">${n.toLocaleString('en')}</td></tr>`)}</tbody></table>`;
}

function garbageTable(rows: readonly GarbageRow[]): Html {
  if (rows.length === 0) return html`<p class="hint">None.</p>`;
  return html`<table><thead><tr><th>Domain</th><th>Listed as</th><th>Until</th><th class="number">Garbage of judged</th><th>By</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><td>${row.domain}</td><td>${row.listed}</td><td>${row.until?.slice(0, 10) ?? 'for good'}</td><td class="number">${row.garbage} of ${row.pages}</td><td>${row.by}</td></tr>`,
  )}</tbody></table>`;
}

const BEACON_WORDS: Readonly<Record<BeaconCount, string>> = {
  visits: 'visits',
  scripts: 'answered with the script',
  newEnough: 'new enough, waiting for a crawl, or not in the collection',
  notRegistered: 'pages outside the registered sites',
  shedVisitor: 'shed: too many of one visitor',
  shedSite: 'shed: too many of one site',
  shedLoad: 'shed: the machine was busy or the queue full',
  failed: 'failed',
  reports: 'reports',
  accepted: 'accepted',
  malformed: 'refused: malformed',
  reportsNotRegistered: 'refused: outside the registered sites',
  foreignOrigin: 'refused: sent by pages of another origin',
  reportsShedVisitor: 'shed: too many of one visitor',
  reportsShedSite: 'shed: too many of one site',
  reportsShedLoad: 'shed: the machine was busy or the queue full',
  queueFull: 'accepted and lost: the queue was full',
  signals: 'changes signalled',
  indexNowSignals: 'changes that sites told by IndexNow',
  indexNowRefused: 'IndexNow: refused',
};

function beaconTable(counters: BeaconCounters): Html {
  return html`<table><tbody>${BEACON_COUNTS.map((name) => html`<tr><td>${BEACON_WORDS[name]}</td><td class="number">${counters[name].toLocaleString('en')}</td></tr>`)}</tbody></table>`;
}
