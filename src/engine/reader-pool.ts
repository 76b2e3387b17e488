import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { endWorker } from '../kit/end-worker.ts';
import type { SearchResult, StatusReport, UrlHistory } from '../model/reports.ts';
import { DATABASE_FILE } from './collection.ts';
import type { GarbageRow } from './garbage-list.ts';
import type { SearchRequest } from './search-service.ts';
import { emptyStatus } from './status.ts';

export type ReaderOrder = { readonly id: number } & (
  | { readonly kind: 'search'; readonly request: SearchRequest }
  | { readonly kind: 'status' }
  | { readonly kind: 'explain'; readonly url: string }
  | { readonly kind: 'garbage' }
);

export type ReaderAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Member {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

/** Read-only connections in worker threads. A collection that does not exist yet answers as an empty one. */
export class ReaderPool {
  readonly #dataDir: string;
  readonly #config: Config;
  readonly #members: Member[] = [];
  readonly #threads: number;
  #next = 1;

  constructor(dataDir: string, config: Config, threads: number) {
    this.#dataDir = dataDir;
    this.#config = config;
    this.#threads = threads;
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    if (!this.#exists()) return emptyResult(request.query);
    return (await this.#ask({ kind: 'search', request, id: this.#next++ })) as SearchResult;
  }

  async status(): Promise<StatusReport> {
    if (!this.#exists()) return emptyStatus();
    return (await this.#ask({ kind: 'status', id: this.#next++ })) as StatusReport;
  }

  async explain(url: string): Promise<UrlHistory | undefined> {
    if (!this.#exists()) return undefined;
    return (await this.#ask({ kind: 'explain', url, id: this.#next++ })) as UrlHistory | undefined;
  }

  async garbage(): Promise<readonly GarbageRow[]> {
    if (!this.#exists()) return [];
    return (await this.#ask({ kind: 'garbage', id: this.#next++ })) as readonly GarbageRow[];
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ worker }) => endWorker(worker)));
  }

  #exists(): boolean {
    return existsSync(join(this.#dataDir, DATABASE_FILE));
  }

  #ask(order: ReaderOrder): Promise<unknown> {
    const member = this.#idlest();
    return new Promise((resolve, reject) => {
      member.waiting.set(order.id, { resolve, reject });
      member.worker.postMessage(order);
    });
  }

  #idlest(): Member {
    const idle = this.#members.find((member) => member.waiting.size === 0);
    if (idle !== undefined) return idle;
    if (this.#members.length < this.#threads) {
      const fresh = this.#start();
      this.#members.push(fresh);
      return fresh;
    }
    return this.#members.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a));
  }

  #start(): Member {
    const entry = import.meta.url.endsWith('.ts') ? './search-worker.ts' : './search-worker.js';
    const worker = new Worker(new URL(entry, import.meta.url), {
      workerData: { dataDir: this.#dataDir, config: this.#config },
    });
    const member: Member = { worker, waiting: new Map() };
    worker.on('message', (answer: ReaderAnswer) => {
      const asked = member.waiting.get(answer.id);
      member.waiting.delete(answer.id);
      if ('error' in answer) asked?.reject(new Error(answer.error));
      else asked?.resolve(answer.result);
    });
    worker.on('error', (error) => this.#lose(member, error instanceof Error ? error : new Error(String(error))));
    worker.unref();
    return member;
  }

  #lose(member: Member, error: Error): void {
    const at = this.#members.indexOf(member);
    if (at >= 0) this.#members.splice(at, 1);
    for (const asked of member.waiting.values()) asked.reject(error);
  }
}

function emptyResult(query: string): SearchResult {
  return {
    query,
    total: 0,
    tookMs: 0,
    relaxed: false,
    hits: [],
    facets: { site: [], language: [], type: [], time: [] },
  };
}
