import type { Counts, CrawlReport } from '../model/reports.ts';

/** A crawl's report for people: the summary sentence first, then the figures that are not zero. */
export function renderCrawlReport(report: CrawlReport): string {
  const lines = [report.summary, ''];
  const add = (label: string, value: number, more = ''): void => {
    if (value > 0) lines.push(`  ${label.padEnd(22)}${String(value).padStart(8)}${more === '' ? '' : `  (${more})`}`);
  };
  add('answers', report.fetched, `${report.pagesPerSecond.toFixed(1)} a second, ${bytes(report.bytes)}`);
  add('kept', report.kept);
  add('unchanged', report.unchanged);
  add('garbage', total(report.garbage), detail(report.garbage));
  add('duplicates', report.duplicates.exact + report.duplicates.near, detail(report.duplicates));
  add('redirects', report.redirects);
  add('not HTML', report.notHtml);
  add('noindex', report.noindex);
  add('gone', report.gone);
  add('avoided', report.avoided, 'never requested: condemned hosts, or linked from garbage only');
  add('deferred', report.deferred, 'possible soft-404');
  add('refused', total(report.refused), detail(report.refused));
  add('blocked', report.blocked, 'bot walls and rate limits; kept for later');
  add('failed', total(report.failed), detail(report.failed));
  add('robots, sitemaps', report.overhead.robots + report.overhead.sitemaps, 'extra requests');
  return lines.join('\n');
}

/** 0 done; 1 nothing of what was asked could be done; 130 interrupted. */
export function exitOfCrawl(report: CrawlReport): 0 | 1 | 130 {
  if (report.stopped === 'interrupted') return 130;
  if (report.stopped === 'disk-full' && report.fetched === 0) return 1;
  const nothing = report.fetched === report.httpErrors + report.gone;
  const tried = total(report.failed) + report.blocked + report.gone + (report.refused['address'] ?? 0);
  return nothing && tried > 0 ? 1 : 0;
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}

function detail(counts: Counts): string {
  return Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ');
}

export function bytes(n: number): string {
  if (n < 1024) return `${n} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = n / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
