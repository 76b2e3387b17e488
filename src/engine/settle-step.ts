import type { Frontier, FrontierEntry } from '../crawling/frontier/frontier.ts';
import type { Candidate, SeenUrl, Stamp, VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import type { DocumentController } from '../document-controller/document-controller.ts';
import type { GarbageRepository } from '../garbage-detector/garbage-repository/garbage-repository.ts';
import type { InvertedIndex } from '../inverted-index/inverted-index.ts';
import type { Database } from '../kit/sqlite.ts';
import type { LinkGraph } from '../link-graph/link-graph.ts';
import type { StoredCapture } from '../repository/page-row.ts';
import type { PageRevisit, PageVersion, Repository } from '../repository/repository.ts';
import type { PageChecks } from '../updating/page-checks.ts';
import type { ToldSources } from '../updating/told-sources.ts';
import { hostName, registrableDomain } from '../url/url.ts';
import { checksOf } from './check-step.ts';
import type { ReportCounter } from './crawl-report.ts';
import type { CrawlTicket, LinkToEnter, PageToStore, Settled } from './crawl-types.ts';
import type { PageRule } from './page-rules.ts';
import { commitMoves, type PendingMoves, regroup } from './regroup.ts';

export interface SettleParts {
  readonly database: Database;
  readonly visited: VisitedUrls;
  readonly frontier: Frontier;
  readonly repository: Repository;
  readonly graph: LinkGraph;
  readonly index: InvertedIndex;
  readonly garbage: GarbageRepository;
  readonly checks: PageChecks;
  readonly told: ToldSources;
  readonly counter: ReportCounter;
  readonly controller: DocumentController;
  readonly moves: PendingMoves;
  /** Rules by hand. */
  readonly ruleOf: (key: string) => PageRule | undefined;
  readonly judgedBy: string;
  /** Milliseconds since 1970: start of the run that the counter counts. */
  readonly startedAt: number;
  readonly stamp: () => Stamp;
}

/**
 * Commits a batch: bytes to the WARC files and to disk first, then one transaction with everything that points at
 * them. A process killed at any moment leaves all of it or nothing; bytes without rows are cut off at the next opening.
 */
export async function settleBatch(finished: readonly Settled[], parts: SettleParts): Promise<void> {
  const captures = await appendCaptures(finished, parts.repository);
  const batch = await parts.database.asyncTransaction(() => commitBatch(finished, captures, parts));
  for (const settled of batch) parts.counter.add(settled.counted);
}

async function commitBatch(
  finished: readonly Settled[],
  captures: ReadonlyMap<CrawlTicket, StoredCapture>,
  parts: SettleParts,
): Promise<readonly Settled[]> {
  const batch = (await regroup(finished, parts)).map((settled) => hiddenByHand(settled, parts));
  await parts.checks.noteMany(await checksOf(batch, { pages: parts.repository.pages, now: parts.stamp().now }));
  await parts.repository.putMany(versionsOf(batch, captures));
  await parts.repository.touchMany(batch.flatMap(revisitOf));
  await enterLinks(batch, parts);
  await parts.index.removeMany(
    batch.filter((s) => s.unindex === true && s.index === undefined).map((s) => s.ticket.id),
  );
  await parts.index.putMany(batch.flatMap((s) => (s.index === undefined ? [] : [s.index])));
  await parts.garbage.recordMany(batch.flatMap((s) => (s.judged === undefined ? [] : [s.judged])));
  await parts.visited.settleMany(
    batch.map((s) => s.settlement),
    parts.stamp(),
  );
  await parts.told.addMany(batch.flatMap(feedsOf));
  await parts.frontier.putMany(batch.flatMap(entryAgain));
  await commitMoves(parts.moves, parts);
  return batch;
}

/** A page hidden by hand is stored and kept up to date as any other (and counted so), but stays out of the index. */
function hiddenByHand(settled: Settled, { ruleOf }: SettleParts): Settled {
  if (settled.settlement.state !== 'kept' || ruleOf(settled.ticket.key) !== 'hide') return settled;
  const settlement = { ...settled.settlement, state: 'hidden', reason: 'hide' } as const;
  return { ...settled, settlement, index: undefined, unindex: true };
}

/** Of the page's own site only: others tell of others. */
function feedsOf({ feeds = [], ticket }: Settled) {
  const domain = registrableDomain(ticket.host);
  return feeds
    .map((url) => ({ kind: 'feed' as const, url, host: hostName(url) }))
    .filter(({ host }) => registrableDomain(host) === domain);
}

function revisitOf(settled: Settled): PageRevisit[] {
  if (settled.touched === undefined) return [];
  return [{ id: settled.ticket.id, checkedAt: settled.touched, location: undefined }];
}

async function appendCaptures(
  batch: readonly Settled[],
  repository: Repository,
): Promise<Map<CrawlTicket, StoredCapture>> {
  const captures = new Map<CrawlTicket, StoredCapture>();
  for (const series of ['pages', 'quarantine'] as const) {
    const members = batch.filter((s) => s.page !== undefined && seriesOf(s.page) === series);
    const stored = await repository.appendMany(
      series,
      members.flatMap((s) => (s.page === undefined ? [] : [s.page.capture])),
    );
    members.forEach((settled, i) => {
      const capture = stored[i];
      if (capture !== undefined) captures.set(settled.ticket, capture);
    });
  }
  return captures;
}

function seriesOf(page: PageToStore): 'pages' | 'quarantine' {
  return page.state === 'garbage' ? 'quarantine' : 'pages';
}

function versionsOf(batch: readonly Settled[], captures: ReadonlyMap<CrawlTicket, StoredCapture>): PageVersion[] {
  return batch.flatMap((settled) => {
    const { page, ticket } = settled;
    if (page === undefined) return [];
    const { state, kind, content, fetchedAt, changedAt, status, textHash } = page;
    const capture = captures.get(ticket);
    return [
      {
        id: ticket.id,
        domain: registrableDomain(ticket.host),
        state,
        kind,
        content,
        fetchedAt,
        changedAt,
        status,
        textHash,
        capture,
      },
    ];
  });
}

/** Links of the whole batch against the seen-set, their edges, and what is new into the frontier. */
async function enterLinks(batch: readonly Settled[], parts: SettleParts): Promise<void> {
  const sources = batch.filter((s) => s.links !== undefined);
  const candidates = sources.flatMap((s) => (s.links ?? []).map((link) => candidateOf(link, s.ticket.id)));
  if (candidates.length === 0) return;
  const seen = await parts.visited.seeMany(candidates, parts.stamp());
  await parts.frontier.putMany(newEntries(candidates, seen));
  countLinks(candidates, seen, parts.counter);
  let at = 0;
  const pages = sources.map((s) => {
    const links = s.links ?? [];
    const ids = seen.slice(at, (at += links.length));
    return {
      sourceId: s.ticket.id,
      sourceHost: s.ticket.hostId,
      links: links.flatMap((link, i) => {
        const target = ids[i];
        if (target === undefined) return [];
        return [
          {
            targetId: target.id,
            targetHost: target.hostId,
            text: link.text,
            nofollow: !link.credited,
            position: link.position,
          },
        ];
      }),
    };
  });
  await parts.graph.putMany(pages);
}

function candidateOf(link: LinkToEnter, foundFrom: number): Candidate {
  const { url, key, host, depth, priority, state, reason } = link;
  return { url, key, host, depth, priority, state, reason, foundFrom };
}

/** Frontier entries of the candidates that were seen for the first time, or are to be requested after all. */
export function newEntries(candidates: readonly Candidate[], seen: readonly SeenUrl[]): FrontierEntry[] {
  return seen.flatMap(({ id, hostId, news }, i) => {
    const candidate = candidates[i];
    if (candidate === undefined || news === 'known') return [];
    if (candidate.state !== 'queued' && candidate.state !== 'deferred') return [];
    return [{ urlId: id, hostId, priority: candidate.priority, deferred: candidate.state === 'deferred' }];
  });
}

function countLinks(candidates: readonly Candidate[], seen: readonly SeenUrl[], counter: ReportCounter): void {
  const refused: Record<string, number> = {};
  let deferred = 0;
  seen.forEach(({ news }, i) => {
    const candidate = candidates[i];
    if (news !== 'new' || candidate === undefined) return;
    if (candidate.state === 'deferred') deferred++;
    if (candidate.state === 'refused')
      refused[candidate.reason ?? 'scope'] = (refused[candidate.reason ?? 'scope'] ?? 0) + 1;
  });
  counter.addLinks({ avoided: 0, deferred, refused });
}

function entryAgain(settled: Settled): FrontierEntry[] {
  const { ticket, again } = settled;
  if (again === undefined) return [];
  return [
    {
      urlId: ticket.id,
      hostId: ticket.hostId,
      priority: ticket.priority,
      notBefore: again.notBefore,
      deferred: again.deferred,
    },
  ];
}
