import type { GarbageKind, StoppedReason, UrlState } from '../model/lists.ts';
import type { CrawlReport } from '../model/reports.ts';

/** One URL's end in this run, as far as the report counts it. */
export interface Counted {
  readonly state: UrlState;
  readonly reason?: string | undefined;
  readonly kinds?: readonly GarbageKind[] | undefined;
  readonly copy?: 'exact' | 'near' | undefined;
  readonly unchanged?: boolean | undefined;
  /** Bytes over the wire. */
  readonly bytes: number;
  readonly trees?: readonly string[] | undefined;
  readonly host: string;
  readonly detail?: string | undefined;
}

export interface Overhead {
  robots: number;
  sitemaps: number;
  probes: number;
  secondFetches: number;
  rendered: number;
}

type Tally = Map<string, number>;

/** Counts of one run. Its memory does not depend on the number of URLs, only on hosts with trouble (bounded). */
export class ReportCounter {
  readonly overhead: Overhead = { robots: 0, sitemaps: 0, probes: 0, secondFetches: 0, rendered: 0 };
  readonly #states: Tally = new Map();
  readonly #garbage: Tally = new Map();
  readonly #refused: Tally = new Map();
  readonly #failed: Tally = new Map();
  readonly #levels: Tally = new Map();
  readonly #troubles: Tally = new Map();
  readonly #hosts = new Set<string>();
  #unchanged = 0;
  readonly #copies = { exact: 0, near: 0 };
  #bytes = 0;
  #avoided = 0;
  #deferred = 0;

  /** URLs with a final answer so far. */
  get fetched(): number {
    const { httpErrors } = this;
    const copies = this.#copies.exact + this.#copies.near;
    const states: readonly UrlState[] = ['kept', 'not-html', 'noindex', 'redirect', 'gone', 'hidden'];
    return (
      states.reduce((sum, state) => sum + this.#of(state), 0) +
      this.#unchanged +
      sum(this.#garbage) +
      copies +
      httpErrors
    );
  }

  get kept(): number {
    return this.#of('kept');
  }

  get httpErrors(): number {
    return (this.#failed.get('http-4xx') ?? 0) + (this.#failed.get('http-5xx') ?? 0);
  }

  add(counted: Counted): void {
    this.#bytes += counted.bytes;
    if (this.#hosts.size < MAX_HOSTS) this.#hosts.add(counted.host);
    for (const tree of counted.trees ?? []) bump(this.#levels, tree);
    this.#place(counted);
    if (counted.detail !== undefined && this.#troubles.size < MAX_TROUBLES) bump(this.#troubles, counted.detail);
  }

  /** A page counted earlier in this run turned out to be something else. */
  move(from: 'kept' | 'exact' | 'near', to: 'exact' | 'near' | 'copy-of-garbage' | 'none'): void {
    if (from === 'kept') bump(this.#states, 'kept', -1);
    else this.#copies[from]--;
    if (to === 'copy-of-garbage') bump(this.#garbage, to);
    else if (to !== 'none') this.#copies[to]++;
  }

  /** Links that were never requested: dropped by the garbage repository, or put off as possible soft-404. */
  addLinks(links: {
    readonly avoided: number;
    readonly deferred: number;
    readonly refused: Readonly<Record<string, number>>;
  }): void {
    this.#avoided += links.avoided;
    this.#deferred += links.deferred;
    for (const [reason, n] of Object.entries(links.refused)) bump(this.#refused, reason, n);
  }

  report(stopped: StoppedReason, seconds: number): CrawlReport {
    const fetched = this.fetched;
    const report = {
      fetched,
      kept: this.kept,
      unchanged: this.#unchanged,
      notHtml: this.#of('not-html'),
      noindex: this.#of('noindex'),
      redirects: this.#of('redirect'),
      gone: this.#of('gone'),
      httpErrors: this.httpErrors,
      bytes: this.#bytes,
      seconds,
      pagesPerSecond: seconds > 0 ? fetched / seconds : 0,
      garbage: Object.fromEntries(this.#garbage),
      avoided: this.#avoided,
      deferred: this.#deferred,
      duplicates: { ...this.#copies },
      refused: Object.fromEntries(this.#refused),
      failed: Object.fromEntries(this.#failed),
      blocked: this.#of('blocked'),
      overhead: { ...this.overhead },
      levels: Object.fromEntries(this.#levels),
      stopped,
    };
    return { ...report, summary: summarize(report, this.#hosts.size, this.#troubles) };
  }

  #of(state: UrlState): number {
    return this.#states.get(state) ?? 0;
  }

  #place(counted: Counted): void {
    const { state, reason = 'other' } = counted;
    if (counted.unchanged === true) this.#unchanged++;
    else if (state === 'garbage') bump(this.#garbage, counted.kinds?.[0] ?? 'content');
    else if (state === 'duplicate') this.#copies[counted.copy ?? 'exact']++;
    else if (state === 'refused') bump(this.#refused, reason);
    else if (state === 'failed') bump(this.#failed, reason);
    else bump(this.#states, state);
  }
}

const MAX_HOSTS = 100_000;
const MAX_TROUBLES = 200;

function bump(tally: Tally, name: string, by = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + by);
}

function sum(tally: Tally): number {
  let total = 0;
  for (const n of tally.values()) total += n;
  return total;
}

const STOPPED_TEXT: Readonly<Record<StoppedReason, string>> = {
  'frontier-empty': '',
  'max-pages': 'Stopped at the page limit; "winnow crawl" goes on from here.',
  'max-requests': 'Stopped at the request limit.',
  time: 'Stopped at the time limit; "winnow crawl" goes on from here.',
  interrupted: 'Interrupted; everything is saved and "winnow crawl" goes on from here.',
  'disk-full': 'Stopped before the disk was full: free some space, then "winnow crawl" goes on from here.',
  'stop-rule': 'Stopped by the stop rule.',
  error: 'Stopped by an error.',
};

/** One sentence or two that a person understands; the reasons come first when little or nothing was kept. */
function summarize(report: Omit<CrawlReport, 'summary'>, hosts: number, troubles: Tally): string {
  const sentences = [outcome(report, hosts)];
  const garbage = Object.values(report.garbage).reduce((a, b) => a + b, 0);
  const copies = report.duplicates.exact + report.duplicates.near;
  if (garbage + copies > 0) sentences.push(keptOut(report, garbage, copies));
  if (report.kept + report.unchanged === 0 || isLittle(report)) sentences.push(...reasonsFor(report, troubles));
  sentences.push(STOPPED_TEXT[report.stopped]);
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function outcome(report: Omit<CrawlReport, 'summary'>, hosts: number): string {
  const seconds = report.seconds < 10 ? report.seconds.toFixed(1) : report.seconds.toFixed(0);
  if (report.kept + report.unchanged === 0) {
    return report.fetched === 0
      ? 'Nothing was fetched and nothing kept.'
      : `Nothing was kept of ${count(report.fetched, 'answer')}.`;
  }
  const unchanged = report.unchanged > 0 ? ` and found ${report.unchanged} unchanged` : '';
  return `Kept ${count(report.kept, 'page')}${unchanged} of ${count(report.fetched, 'answer')} from ${count(hosts, 'host')} in ${seconds} s.`;
}

function keptOut(report: Omit<CrawlReport, 'summary'>, garbage: number, copies: number): string {
  const all = report.fetched + report.avoided;
  const share = all > 0 ? Math.round((100 * (garbage + copies + report.avoided)) / all) : 0;
  const parts = [];
  if (garbage > 0) parts.push(`${garbage} garbage`);
  if (copies > 0) parts.push(count(copies, 'duplicate'));
  const avoided =
    report.avoided > 0 ? `, and ${count(report.avoided, 'URL')} never requested because only garbage leads there` : '';
  return `Kept out: ${parts.join(' and ')}${avoided} (${share} % of all pages).`;
}

/** Little: less than a tenth of the answers and not merely garbage, copies or redirects. */
function isLittle(report: Omit<CrawlReport, 'summary'>): boolean {
  const trouble = report.httpErrors + report.gone + report.blocked + report.noindex + (report.refused['robots'] ?? 0);
  return trouble > 0 && report.kept + report.unchanged < trouble;
}

function reasonsFor(report: Omit<CrawlReport, 'summary'>, troubles: Tally): string[] {
  const reasons: string[] = [];
  const add = (n: number, text: string): void => {
    if (n > 0) reasons.push(`${text} ${n}`);
  };
  add(report.refused['robots'] ?? 0, 'forbidden by robots.txt:');
  add(report.refused['address'] ?? 0, 'private or loopback address (allow with --allow-private):');
  add(report.blocked, 'blocked by bot walls or rate limits:');
  for (const [reason, n] of Object.entries(report.failed)) add(n, `${FAILED_TEXT[reason] ?? reason}:`);
  add(report.gone, 'gone (404, 410):');
  add(report.noindex, 'the pages ask not to be indexed:');
  add(report.notHtml, 'not HTML:');
  if (reasons.length === 0) return [];
  const details = [...troubles]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([text]) => text);
  return [`Reasons: ${reasons.join(', ')}.${details.length > 0 ? ` First of them: ${details.join('; ')}.` : ''}`];
}

const FAILED_TEXT: Readonly<Record<string, string>> = {
  dns: 'no address found for the host name',
  connect: 'no connection',
  tls: 'TLS failed',
  'tls-chain': 'the certificate chain is not trusted or not complete',
  timeout: 'no answer in time',
  protocol: 'the answer was not HTTP',
  'redirect-loop': 'redirects in a circle',
  'redirect-limit': 'too many redirects',
  'too-large': 'too large',
  'http-4xx': 'client error (4xx)',
  'http-5xx': 'server error (5xx)',
  'rate-limited': 'rate limited',
  decode: 'could not be decoded',
};

function count(n: number, word: string): string {
  return `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
}
