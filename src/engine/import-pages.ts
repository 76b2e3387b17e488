import { closeSync, openSync, readSync } from 'node:fs';
import { messageOf, UnableError, UsageError } from '../config/errors.ts';
import { idsInIndex } from '../inverted-index/ids-in-index.ts';
import { isDiskFull } from '../kit/sqlite.ts';
import type { GarbageAction, Level, StoppedReason } from '../model/lists.ts';
import type { Counts, CrawlReport } from '../model/reports.ts';
import { isOutOfSpace } from '../repository/repository.ts';
import { type ResolvedUrl, resolveUrl } from '../url/url.ts';
import { asUnable } from './collection.ts';
import { type CrawlMachine, openMachine } from './crawl-machine.ts';
import type { RunEnvironment } from './crawl-run.ts';
import { ticketOf } from './crawl-ticket.ts';
import type { CrawlTicket, Settled } from './crawl-types.ts';
import { freeDiskBytes } from './disk.ts';
import { pageOrEmpty } from './fetch-step.ts';
import { type ImportItem, jsonItems, warcItems } from './import-source.ts';
import { refreshIndex } from './index-refresh.ts';

export interface ImportRequest {
  readonly file: string;
  readonly level: Level | undefined;
  readonly garbage: GarbageAction | undefined;
}

/** The crawl's report of the pages that went through the boxes, and what else the file held. */
export interface ImportReport extends CrawlReport {
  readonly file: string;
  /** Records or lines read, damaged ones left out. */
  readonly records: number;
  /** Sound records that gave no page, by why. */
  readonly skipped: Counts;
  readonly problemCount: number;
  /** The first of them. */
  readonly problems: readonly { readonly where: string; readonly detail: string }[];
}

/**
 * Pages of a file through reading, comparing, judging and storing, as if they had just been fetched; nothing is
 * requested. Their links are followed by a later crawl as far as its scope goes. Throws {@link UsageError} when the
 * file cannot be read or is of no known form.
 */
export async function importPages(request: ImportRequest, environment: RunEnvironment): Promise<ImportReport> {
  const { file } = request;
  const { config, dataDir, now } = environment;
  const isWarc = formOf(file) === 'warc';
  const items = isWarc ? warcItems(file, config.http.maxBodyBytes) : jsonItems(file, now());
  // Bare text has nothing of what tells garbage from pages but its words: the verdict is noted, the page stays.
  const garbage = request.garbage ?? (isWarc ? undefined : 'flag');
  const machine = await openMachine(
    {
      ...{ seeds: [], include: [], exclude: [], level: request.level, garbage },
      ...{ scope: undefined, maxPages: undefined, maxDepth: undefined, seconds: undefined },
    },
    environment,
  );
  const startedAt = now();
  try {
    const run = machine.runs.begin('import', startedAt);
    await machine.begin(machine.runs.seeds(), run);
    const intake = new Intake(machine, environment, isWarc ? 'found' : 'listed');
    const stopped = await intake.run(items);
    await refreshIndex(machine, environment);
    await machine.finishCounts();
    const report = machine.counter.report(stopped, (now() - startedAt) / 1000);
    machine.runs.end(run, report, now());
    return { ...report, file, ...intake.findings() };
  } catch (error) {
    if (isDiskFull(error) || isOutOfSpace(error))
      throw new UnableError('the disk is full: what was committed is safe; free some space and import again');
    throw asUnable(error, dataDir);
  } finally {
    await machine.close();
  }
}

/** Pages under way at once. */
const BATCH = 32;
const MAX_PROBLEMS = 100;

interface Arrival {
  readonly item: Extract<ImportItem, { readonly kind: 'page' | 'redirect' }>;
  readonly resolved: ResolvedUrl;
}

/** Takes items in and commits them a batch at a time; two captures of one URL never share a batch. */
class Intake {
  readonly #machine: CrawlMachine;
  readonly #environment: RunEnvironment;
  readonly #skipped = new Map<string, number>();
  readonly #problems: { readonly where: string; readonly detail: string }[] = [];
  /** Whether the file's hosts count as found by links, or as listed by the operator: those are never condemned. */
  readonly #hosts: 'found' | 'listed';
  #problemCount = 0;
  #records = 0;
  #waiting = new Map<string, Arrival>();

  constructor(machine: CrawlMachine, environment: RunEnvironment, hosts: 'found' | 'listed') {
    this.#hosts = hosts;
    this.#machine = machine;
    this.#environment = environment;
  }

  async run(items: Iterable<ImportItem> | AsyncIterable<ImportItem>): Promise<StoppedReason> {
    const { signal, config, dataDir } = this.#environment;
    for await (const item of items) {
      if (signal.aborted) return await this.#end('interrupted');
      await this.#enter(item);
      if (this.#waiting.size < BATCH) continue;
      await this.#flush();
      if (freeDiskBytes(dataDir) < config.crawl.minFreeDiskBytes) return 'disk-full';
    }
    return await this.#end('frontier-empty');
  }

  findings(): Pick<ImportReport, 'records' | 'skipped' | 'problemCount' | 'problems'> {
    const skipped = Object.fromEntries(this.#skipped);
    return { records: this.#records, skipped, problemCount: this.#problemCount, problems: this.#problems };
  }

  async #end(stopped: StoppedReason): Promise<StoppedReason> {
    await this.#flush();
    return stopped;
  }

  async #enter(item: ImportItem): Promise<void> {
    if (item.kind === 'problem') return this.#noteProblem(item.where, item.detail);
    this.#records++;
    if (item.kind === 'skipped') return this.#skip(item.why);
    const machine = this.#machine;
    const resolved = resolveUrl(item.response.url, undefined, machine.keyRules);
    if ('reason' in resolved) return this.#noteProblem(item.where, `${item.response.url} is not a URL`);
    const { maxUrlLength } = machine.config.crawl;
    const { length } = resolved.url;
    if (length > maxUrlLength)
      return this.#noteProblem(item.where, `the URL has ${length} characters, more than ${maxUrlLength}`);
    if (machine.rules.ruleOf(resolved.key) === 'forget') return this.#skip('forgotten by hand');
    if (this.#waiting.has(resolved.key)) await this.#flush();
    this.#waiting.set(resolved.key, { item, resolved });
  }

  async #flush(): Promise<void> {
    const machine = this.#machine;
    const arrivals = [...this.#waiting.values()];
    this.#waiting = new Map();
    if (this.#hosts === 'listed') await this.#protect(arrivals);
    const tickets = await this.#ticketsFor(arrivals);
    const settled = await Promise.all(tickets.map(([ticket, item]) => visit(machine, ticket, item)));
    await machine.steps().settle(settled);
    this.#environment.progress(`${machine.counter.fetched} pages taken in, ${machine.counter.kept} kept`);
  }

  async #protect(arrivals: readonly Arrival[]): Promise<void> {
    const { garbage, now } = this.#machine;
    await garbage.protectMany([...new Set(arrivals.map(({ resolved }) => resolved.host))], 'seed', now);
  }

  /** Tickets of the pages that are newer than what is held. */
  async #ticketsFor(arrivals: readonly Arrival[]): Promise<(readonly [CrawlTicket, Arrival['item']])[]> {
    const { visited, frontier, database, repository, stamp } = this.#machine;
    return await database.asyncTransaction(async () => {
      const seen = await visited.seeMany(arrivals.map(candidateOf), stamp());
      const held = await repository.pages.getMany(seen.map(({ id }) => id));
      const heldAt = new Map(held.map((page) => [page.id, page.checkedAt]));
      const fresh = arrivals.flatMap(({ item }, i) => {
        const id = seen[i]?.id ?? 0;
        if ((heldAt.get(id) ?? -1) < item.response.startedAt) return [{ id, item }];
        this.#skip('not newer than what is held');
        return [];
      });
      const ids = fresh.map(({ id }) => id);
      await frontier.removeMany(ids);
      const urls = await visited.startMany(ids, stamp());
      const indexed = idsInIndex(database, ids);
      return urls.flatMap((url, i) => {
        const item = fresh[i]?.item;
        if (item === undefined) return [];
        return [[ticketOf(url, { deferred: false, isIndexed: indexed.has(url.id) }), item] as const];
      });
    });
  }

  #skip(why: string): void {
    this.#skipped.set(why, (this.#skipped.get(why) ?? 0) + 1);
  }

  #noteProblem(where: string, detail: string): void {
    this.#problemCount++;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ where, detail });
  }
}

function candidateOf({ resolved }: Arrival): Parameters<CrawlMachine['visited']['seeMany']>[0][number] {
  const { url, key, host } = resolved;
  return { url, key, host, depth: 0, priority: 0, state: 'queued' };
}

/** One page through the boxes; the steps are the crawl's own. */
async function visit(machine: CrawlMachine, ticket: CrawlTicket, item: Arrival['item']): Promise<Settled> {
  const steps = machine.steps();
  if (item.kind === 'redirect') return await steps.conclude(ticket, item);
  const answer = pageOrEmpty(item.response);
  if (answer.kind !== 'page') return await steps.conclude(ticket, answer);
  const page = await steps.read(ticket, item.response);
  const excluded = steps.exclude(ticket, page);
  if (excluded !== undefined) return excluded;
  const relation = await steps.compare(ticket, page);
  return relation === 'new' ? await steps.judge(ticket, page) : steps.copy(ticket, page, relation);
}

/** By its name, else by its first bytes. */
function formOf(file: string): 'warc' | 'jsonl' {
  const head = firstBytes(file);
  if (head.length === 0) throw new UsageError(`import: ${file} is empty`);
  if (/\.warc(?:\.gz)?$/i.test(file) || head.toString('latin1').startsWith('WARC/')) return 'warc';
  if (/\.(?:jsonl|ndjson)$/i.test(file) || head.toString('utf8').trimStart().startsWith('{')) return 'jsonl';
  if (head[0] === 0x1f && head[1] === 0x8b) return 'warc';
  throw new UsageError(`import: ${file} is neither a WARC file (.warc, .warc.gz) nor JSON lines (.jsonl)`);
}

function firstBytes(file: string): Buffer {
  try {
    const handle = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(256);
      return buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new UsageError(`import: cannot read ${file}: ${messageOf(error)}`);
  }
}
