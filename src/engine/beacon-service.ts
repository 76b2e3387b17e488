import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { messageOf } from '../config/errors.ts';
import { endWorker } from '../kit/end-worker.ts';
import type { BeaconCounters, ChangeReport, PageName, PageStanding, RegisteredSite } from '../model/changes.ts';
import { ReportBuffer } from '../modification-detection/queue/report-buffer.ts';
import {
  type ReportOutcome,
  RequestProcessor,
  type Visit,
} from '../modification-detection/request-processor/request-processor.ts';
import type { KeyedPages, Submitted, Taken } from './beacon-desk.ts';
import { LoadMeter } from './load-meter.ts';
import { keyRulesOf, queueLimitsOf, requestProcessorOptionsOf } from './options.ts';

export { BEACON_SCRIPT, BEACON_SCRIPT_GZIP, type BeaconLines, beaconLines } from './beacon-script.ts';

export type DeskOrder = { readonly id: number } & DeskQuestion;
type DeskQuestion =
  | { readonly kind: 'sites' }
  | { readonly kind: 'standing'; readonly page: PageName }
  | { readonly kind: 'reports'; readonly reports: readonly ChangeReport[] }
  | { readonly kind: 'submission'; readonly submission: KeyedPages }
  | { readonly kind: 'waiting' };

export type DeskAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The beacon inside the server: the request processor in the thread that serves, its databases in another. When that
 * one fails, every answer is the empty one, so that no site that carries the beacon notices.
 */
export class BeaconService {
  readonly #onSignals: () => void;
  readonly #processor: RequestProcessor;
  readonly #buffer: ReportBuffer;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #load: LoadMeter;
  #next = 1;
  #isFlushing = false;
  #isBroken = false;

  /** `onSignals`: pages are known to have changed and wait for the updating module. */
  constructor(dataDir: string, config: Config, onSignals: () => void) {
    const { beacon } = config;
    this.#onSignals = onSignals;
    this.#buffer = new ReportBuffer(queueLimitsOf(config));
    this.#load = new LoadMeter({ maxDelayMs: beacon.maxLoopDelayMs, periodMs: beacon.commitMs });
    this.#processor = new RequestProcessor(requestProcessorOptionsOf(config), {
      keyRules: keyRulesOf(config),
      newVisitorKey: () => randomBytes(32),
      standingOf: async (page) => (await this.#ask({ kind: 'standing', page })) as PageStanding,
      isBusy: () => this.#isBroken || this.#buffer.isFull || this.#load.isOverloaded,
      now: Date.now,
    });
    const entry = import.meta.url.endsWith('.ts') ? './beacon-worker.ts' : './beacon-worker.js';
    this.#worker = new Worker(new URL(entry, import.meta.url), { workerData: { dataDir, config } });
    this.#worker.on('message', (answer: DeskAnswer) => this.#answered(answer));
    this.#worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.unref();
    this.#timers = [
      setInterval(() => void this.#attempt(() => this.#flush()), beacon.commitMs).unref(),
      setInterval(() => void this.#attempt(() => this.#readSites()), beacon.sitesMs).unref(),
    ];
    void this.#attempt(() => this.#begin());
  }

  /** Whether the answer is the empty one without anything being looked up. */
  isPlainlyEmpty(referer: string | undefined): boolean {
    return this.#processor.isPlainlyEmpty(referer);
  }

  /** Whether the page's visitor gets the script; otherwise an empty answer. Never throws. */
  async wantsReport(visit: Visit): Promise<boolean> {
    try {
      return await this.#processor.wantsReport(visit);
    } catch (error) {
      this.#processor.count('failed');
      console.error(`beacon: ${messageOf(error)}`);
      return false;
    }
  }

  accept(body: string, from: { readonly origin: string | undefined; readonly address: string }): ReportOutcome {
    const outcome = this.#processor.accept(body, from);
    if (outcome.kind === 'accepted' && !this.#buffer.put(outcome.report)) this.#processor.count('queueFull');
    return outcome;
  }

  /** IndexNow: `fields` of a query or a JSON body. Returns the status that the protocol has for it. Never throws. */
  async submit(fields: unknown, address: string): Promise<number> {
    const { status, signals } = await this.#submit(fields, address);
    this.#processor.count('indexNowSignals', signals);
    if (status !== 200) this.#processor.count('indexNowRefused');
    if (signals > 0) this.#onSignals();
    return status;
  }

  /** Since the server started. */
  counters(): BeaconCounters {
    return this.#processor.counters();
  }

  /** Commits what was reported and ends. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#load.close();
    await this.#attempt(() => this.#flush());
    await endWorker(this.#worker);
  }

  async #submit(fields: unknown, address: string): Promise<{ readonly status: number; readonly signals: number }> {
    const submission = this.#processor.submit(fields, address);
    if ('problem' in submission) return { status: submission.status, signals: 0 };
    try {
      return (await this.#ask({ kind: 'submission', submission })) as Submitted;
    } catch (error) {
      console.error(`indexnow: ${messageOf(error)}`);
      return { status: 503, signals: 0 };
    }
  }

  async #begin(): Promise<void> {
    await this.#readSites();
    const signals = await this.#take([]);
    const waiting = await this.#ask({ kind: 'waiting' });
    if (signals + Number(waiting) > 0) this.#onSignals();
  }

  async #readSites(): Promise<void> {
    this.#processor.setSites((await this.#ask({ kind: 'sites' })) as readonly RegisteredSite[]);
  }

  /** One batch at a time: while the disk is slow, the bounded buffer fills and no further one. */
  async #flush(): Promise<void> {
    if (this.#isFlushing) return;
    const reports = this.#buffer.takeAll();
    if (reports.length === 0) return;
    this.#isFlushing = true;
    try {
      if ((await this.#take(reports)) > 0) this.#onSignals();
    } finally {
      this.#isFlushing = false;
    }
  }

  async #take(reports: readonly ChangeReport[]): Promise<number> {
    const { signals, dropped } = (await this.#ask({ kind: 'reports', reports })) as Taken;
    this.#processor.count('signals', signals);
    this.#processor.count('queueFull', dropped);
    return signals;
  }

  /** What a timer starts has nobody else to tell. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#isBroken) return;
    try {
      await work();
    } catch (error) {
      console.error(`beacon: ${messageOf(error)}`);
    }
  }

  #ask(question: DeskQuestion): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...question, id });
    });
  }

  #answered(answer: DeskAnswer): void {
    const asked = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('error' in answer) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer.result);
  }

  #fail(error: Error): void {
    this.#isBroken = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
