import type { Config } from '../config/config.ts';
import type { CopyRelation } from '../crawling/crawl.ts';
import type { ExtractedLink } from '../crawling/url-extractor/url-extractor.ts';
import type { UrlValidator, Yield } from '../crawling/url-validator/url-validator.ts';
import type { VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import type { Admission, DocumentController } from '../document-controller/document-controller.ts';
import { oneLevelHigher } from '../garbage-detector/system-configurator/system-configurator.ts';
import { LruMap } from '../kit/lru.ts';
import type { Judgement } from '../model/garbage.ts';
import type { GarbageAction, GarbageKind, Level, RefusedReason } from '../model/lists.ts';
import { type CompiledKeyRules, registrableDomain, resolveUrl } from '../url/url.ts';
import type { PageJudging } from './analysis.ts';
import type { AnalysisPool } from './analysis-pool.ts';
import type { CrawlTicket, LinkToEnter, ReadPage, Settled } from './crawl-types.ts';
import { redirected } from './fetch-step.ts';
import { neighbourCounts, type SpamDomains } from './garbage-neighbours.ts';
import type { JudgingLoad } from './judging-load.ts';
import type { PageRule } from './page-rules.ts';
import { inheritsGarbage, type PendingMoves } from './regroup.ts';

export interface PageStepParts {
  readonly config: Config;
  readonly controller: DocumentController;
  /** Takes note of pages that change places. */
  readonly moves: PendingMoves;
  readonly validator: UrlValidator;
  readonly visited: Pick<VisitedUrls, 'get'>;
  readonly spamDomains: SpamDomains;
  readonly pool: AnalysisPool;
  readonly load: JudgingLoad;
  readonly keyRules: CompiledKeyRules;
  readonly level: Level;
  /** What was asked for by hand; undefined = flag on hosts the operator listed, drop elsewhere. */
  readonly garbage: GarbageAction | undefined;
  /** Hosts of the seeds. */
  readonly listedHosts: ReadonlySet<string>;
  /** Version of the models and level: a verdict passes to copies only under the same. */
  readonly judgedBy: string;
  /** Rules by hand. */
  readonly ruleOf: (key: string) => PageRule | undefined;
  readonly now: () => number;
}

/** Texts without their numbers that are remembered to notice repetition. */
const MAX_SKELETONS = 100_000;

/** Seconds up to which a meta or script redirect stands for a redirect of the server. */
const QUICK_REDIRECT_SECONDS = 5;

/** The steps of a crawl that concern a page: exclusion, copies, judging, and what each leads to. */
export class PageSteps {
  readonly #parts: PageStepParts;
  readonly #admissions = new Map<number, Admission>();
  readonly #skeletons = new LruMap<string, true>(MAX_SKELETONS);

  constructor(parts: PageStepParts) {
    this.#parts = parts;
  }

  /** Pages that say themselves that they are not for the index, unchanged ones, and quick redirects within the site. */
  exclude(ticket: CrawlTicket, page: ReadPage): Settled | undefined {
    const { reading } = page;
    const { robots, redirect } = reading;
    if (!robots.index || (robots.unavailableAfter !== undefined && robots.unavailableAfter <= this.#parts.now())) {
      this.#parts.pool.drop(page.handle);
      const settled = this.#answered(ticket, page, { state: 'noindex' });
      return { ...settled, links: this.#links(ticket, page, 'enter'), unindex: ticket.known.wasKept };
    }
    if (
      redirect !== undefined &&
      redirect.seconds <= QUICK_REDIRECT_SECONDS &&
      this.#isSameSite(ticket, redirect.target)
    ) {
      this.#parts.pool.drop(page.handle);
      const settled = redirected(ticket, redirect.target, undefined);
      return {
        ...settled,
        counted: { ...settled.counted, bytes: page.bytes },
        links: this.#links(ticket, page, 'enter'),
      };
    }
    if (ticket.known.wasKept && ticket.known.textHash === reading.fingerprint.textHash) {
      this.#parts.pool.drop(page.handle);
      const settled = this.#answered(ticket, page, { state: 'kept' });
      const links = this.#links(ticket, page, 'enter');
      return { ...settled, counted: { ...settled.counted, unchanged: true }, touched: page.fetchedAt, links };
    }
    return undefined;
  }

  /** Asks the document controller; the answer is kept for the step that follows. */
  async compare(ticket: CrawlTicket, page: ReadPage): Promise<CopyRelation> {
    const { controller, judgedBy } = this.#parts;
    const { fingerprint, extraction } = page.reading;
    const candidate = {
      id: ticket.id,
      key: ticket.key,
      url: ticket.url,
      canonical: extraction.canonical?.key,
      site: ticket.host,
    };
    const admission = controller.admit(candidate, fingerprint, judgedBy);
    this.#parts.moves.note(admission);
    this.#admissions.set(ticket.id, admission);
    if (admission.relation !== 'garbage-copy') return admission.relation;
    return !this.#isPinned(ticket) && (await inheritsGarbage(ticket, admission.of, this.#parts.visited))
      ? 'garbage-copy'
      : 'new';
  }

  async copy(ticket: CrawlTicket, page: ReadPage, relation: Exclude<CopyRelation, 'new'>): Promise<Settled> {
    const admission = this.#takeAdmission(ticket.id);
    const unindex = ticket.known.wasKept;
    if (relation === 'garbage-copy') {
      const kinds: readonly GarbageKind[] = ['copy-of-garbage'];
      const settled = this.#answered(ticket, page, { state: 'garbage', kinds });
      // What it inherits decides about the page; what it says itself counts for or against its host.
      const { judgement } = await this.#ask(ticket, page);
      if (judgement !== undefined && judgement.verdict !== 'spam') this.#observe(ticket, page, 'same');
      const links = this.#links(ticket, page, 'avoid');
      return {
        ...settled,
        settlement: { ...settled.settlement, reason: 'copy-of-garbage', kinds, duplicateOf: admission.of },
        links,
        judged: this.#record(ticket, page, judgement),
        admitted: true,
        unindex,
      };
    }
    this.#parts.pool.drop(page.handle);
    this.#observe(ticket, page, relation === 'near' ? 'near' : 'same');
    const settled = this.#answered(ticket, page, { state: 'duplicate', copy: relation });
    return {
      ...settled,
      settlement: { ...settled.settlement, reason: relation, duplicateOf: admission.of },
      links: this.#links(ticket, page, 'enter'),
      admitted: true,
      unindex,
    };
  }

  async judge(ticket: CrawlTicket, page: ReadPage): Promise<Settled> {
    this.#admissions.delete(ticket.id);
    const judged = await this.#ask(ticket, page);
    const judging = this.#isPinned(ticket) ? pinned(judged) : judged;
    const { judgement } = judging;
    const settled =
      judgement === undefined || judgement.verdict === 'keep'
        ? this.#keep(ticket, page, judging)
        : this.#garbage(ticket, page, judging, judgement);
    return { ...settled, admitted: true };
  }

  /** The garbage detector, in the page's worker, which lets go of the page. */
  async #ask(ticket: CrawlTicket, page: ReadPage): Promise<PageJudging> {
    const { pool, level, load, spamDomains, now } = this.#parts;
    const judgedAt = this.#levelFor(ticket, level);
    const size = load.sizeFor(judgedAt);
    const neighbours = neighbourCounts(ticket.host, page.reading.extraction.links, spamDomains, now());
    const host = { possibleSoft404: ticket.deferred, neighbours };
    const judging = await pool.judge(page.handle, judgedAt, { host, size });
    load.noteCost(judging.judgeMs, size);
    return judging;
  }

  #isPinned(ticket: CrawlTicket): boolean {
    return this.#parts.ruleOf(ticket.key) === 'pin';
  }

  /** Possible soft-404 URLs are judged one level higher (DESIGN part 4, item 4). */
  #levelFor(ticket: CrawlTicket, level: Level): Level {
    return ticket.deferred ? oneLevelHigher(level) : level;
  }

  #keep(ticket: CrawlTicket, page: ReadPage, judging: PageJudging): Settled {
    const { redirect } = page.reading;
    const { judgement } = judging;
    if (redirect !== undefined && redirect.seconds <= QUICK_REDIRECT_SECONDS) {
      const settled = redirected(ticket, redirect.target, undefined);
      return {
        ...settled,
        counted: { ...settled.counted, bytes: page.bytes, trees: judgement?.trees },
        links: this.#links(ticket, page, 'enter'),
      };
    }
    this.#observe(ticket, page, 'new');
    return {
      ...this.#indexed(ticket, page, judging),
      links: this.#links(ticket, page, 'enter'),
      judged: this.#record(ticket, page, judgement),
    };
  }

  #garbage(ticket: CrawlTicket, page: ReadPage, judging: PageJudging, judgement: Judgement): Settled {
    const action = this.#parts.garbage ?? (this.#parts.listedHosts.has(ticket.host) ? 'flag' : 'drop');
    const judged = this.#record(ticket, page, judgement);
    // Spam is left to the garbage repository, which can forgive; a trap stays shut.
    if (judgement.verdict !== 'spam') this.#observe(ticket, page, 'same');
    if (action !== 'drop') {
      // A page flagged on a host the operator listed may well be a good one: the crawl must not end with it.
      const links = this.#links(ticket, page, action === 'flag' ? 'enter' : 'avoid');
      return { ...this.#indexed(ticket, page, judging), links, judged };
    }
    const kinds = judgement.kinds;
    const settled = this.#answered(ticket, page, { state: 'garbage', kinds, trees: judgement.trees });
    return {
      ...settled,
      settlement: { ...settled.settlement, reason: kinds[0], kinds, verdict: judgement.verdict },
      page: this.#version(ticket, page, judging, 'garbage'),
      links: this.#links(ticket, page, 'avoid'),
      judged,
      condemnedText: true,
      unindex: ticket.known.wasKept,
    };
  }

  /** Kept, whether clean, flagged or ranked down. */
  #indexed(ticket: CrawlTicket, page: ReadPage, judging: PageJudging): Settled {
    const { judgement } = judging;
    const settled = this.#answered(ticket, page, { state: 'kept', trees: judgement?.trees });
    const version = this.#version(ticket, page, judging, judgement === undefined ? 'unjudged' : 'kept');
    const isGarbage = judgement !== undefined && judgement.verdict !== 'keep';
    return {
      ...settled,
      settlement: { ...settled.settlement, verdict: judgement?.verdict, kinds: judgement?.kinds ?? [] },
      page: version,
      feeds: page.reading.feeds,
      index: {
        id: ticket.id,
        document: judging.document,
        facts: {
          type: 'html',
          time: version.changedAt ?? version.fetchedAt,
          garbage:
            judgement === undefined ? 0 : Math.max(judgement.probability.spam, judgement.probability['soft-404']),
          demoted: isGarbage,
        },
      },
    };
  }

  #version(
    ticket: CrawlTicket,
    page: ReadPage,
    judging: PageJudging,
    state: 'kept' | 'garbage' | 'unjudged',
  ): NonNullable<Settled['page']> {
    const { fingerprint } = page.reading;
    const isChanged = ticket.known.wasKept && ticket.known.textHash !== fingerprint.textHash;
    return {
      state,
      kind: state === 'garbage' ? (judging.judgement?.kinds[0] ?? 'content') : undefined,
      content: judging.packed,
      capture: judging.capture,
      fetchedAt: page.fetchedAt,
      changedAt: isChanged ? page.fetchedAt : undefined,
      status: page.status,
      textHash: fingerprint.textHash,
    };
  }

  #record(ticket: CrawlTicket, page: ReadPage, judgement: Judgement | undefined): Settled['judged'] {
    if (judgement === undefined) return undefined;
    const path = ticket.key.slice(ticket.key.indexOf('/', ticket.key.indexOf('://') + 3));
    return {
      host: ticket.host,
      path,
      textHash: page.reading.fingerprint.textHash,
      verdict: judgement.verdict,
      kinds: judgement.kinds,
      at: page.fetchedAt,
    };
  }

  #answered(ticket: CrawlTicket, page: ReadPage, counted: Omit<Settled['counted'], 'bytes' | 'host'>): Settled {
    const { etag, lastModified, status, bytes } = page;
    return {
      ticket,
      settlement: {
        id: ticket.id,
        state: counted.state,
        textHash: page.reading.fingerprint.textHash,
        pageType: page.reading.type,
        fetched: { status, etag, lastModified, bytes },
      },
      counted: { ...counted, bytes, host: ticket.host },
    };
  }

  /**
   * Tells the trap watch what a page yielded. A text that differs from one of the same folder in numbers only (an empty
   * month of a calendar, a page counter) yields nothing, though it is no copy.
   */
  #observe(ticket: CrawlTicket, page: ReadPage, yielded: Yield): void {
    if (ticket.known.wasKept) return;
    const skeleton = `${ticket.host} ${page.reading.skeleton}`;
    const isRepeated = this.#skeletons.get(skeleton) === true;
    this.#skeletons.set(skeleton, true);
    this.#parts.validator.observe(ticket.key, yielded === 'new' && isRepeated ? 'same' : yielded);
  }

  #takeAdmission(id: number): Admission {
    const admission = this.#admissions.get(id);
    if (admission === undefined) throw new RangeError(`the document controller was not asked about URL ${id}`);
    this.#admissions.delete(id);
    return admission;
  }

  #isSameSite(ticket: CrawlTicket, target: string): boolean {
    const resolved = resolveUrl(target, ticket.url, this.#parts.keyRules);
    return (
      !('reason' in resolved) &&
      resolved.key !== ticket.key &&
      registrableDomain(resolved.host) === registrableDomain(ticket.host)
    );
  }

  /** `avoid`: links of garbage enter the link graph and never the frontier. */
  #links(ticket: CrawlTicket, page: ReadPage, how: 'enter' | 'avoid'): LinkToEnter[] {
    const canFollow = page.reading.robots.follow;
    return page.reading.extraction.links.map((link) =>
      this.#linkToEnter(ticket, link, how === 'avoid' ? how : canFollow && link.followed ? 'enter' : 'nofollow'),
    );
  }

  #linkToEnter(ticket: CrawlTicket, link: ExtractedLink, how: 'enter' | 'avoid' | 'nofollow'): LinkToEnter {
    const depth = ticket.depth + 1;
    const { url, key, host, text, credited, position } = link;
    const base = { url, key, host, depth, priority: -depth, text, credited, position };
    if (how === 'avoid') return { ...base, state: 'avoided' };
    if (how === 'nofollow') return { ...base, state: 'refused', reason: 'nofollow' };
    const checked = this.#parts.validator.validate({ url, key, depth, from: ticket.key });
    if (checked.kind === 'accept') return { ...base, state: 'queued' };
    if (checked.kind !== 'refused') return { ...base, state: checked.kind };
    return { ...base, state: 'refused', reason: enterReason(checked.reason) };
  }

  /** A redirect's target as a link; its depth is that of the URL which led there. */
  redirectLink(ticket: CrawlTicket, target: string): LinkToEnter | undefined {
    const resolved = resolveUrl(target, ticket.url, this.#parts.keyRules);
    if ('reason' in resolved || resolved.key === ticket.key) return undefined;
    const { url, key, host } = resolved;
    const base = {
      url,
      key,
      host,
      depth: ticket.depth,
      priority: ticket.priority,
      text: '',
      credited: true,
      position: 'other',
    } as const;
    const checked = this.#parts.validator.validateRedirect({ url, key, depth: ticket.depth });
    if (checked.kind === 'accept') return { ...base, state: 'queued' };
    if (checked.kind !== 'refused') return { ...base, state: checked.kind };
    return { ...base, state: 'refused', reason: enterReason(checked.reason) };
  }
}

/** A person's word for the page. The judgement itself is stored as it is (`packed`), for whoever asks why. */
function pinned(judging: PageJudging): PageJudging {
  const { judgement } = judging;
  if (judgement === undefined) return judging;
  const probability = { spam: 0, 'soft-404': 0 };
  return { ...judging, judgement: { ...judgement, verdict: 'keep', kinds: [], probability } };
}

function enterReason(reason: RefusedReason): NonNullable<LinkToEnter['reason']> {
  return reason === 'robots' || reason === 'address' ? 'scope' : reason;
}
