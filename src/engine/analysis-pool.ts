import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { TreeSize } from '../garbage-detector/system-configurator/system-configurator.ts';
import { endWorker } from '../kit/end-worker.ts';
import type { HttpResponse } from '../model/fetch.ts';
import type { Level } from '../model/lists.ts';
import type { AnalysisSetup, PageJudging, PageReading } from './analysis.ts';
import type { HostKnowledge } from './judging.ts';

export type AnalysisOrder =
  | { readonly kind: 'read'; readonly id: number; readonly page: number; readonly response: HttpResponse }
  | {
      readonly kind: 'judge';
      readonly id: number;
      readonly page: number;
      readonly level: Level;
      readonly host: HostKnowledge;
      readonly size: TreeSize;
    }
  | { readonly kind: 'drop'; readonly page: number };

export type AnalysisAnswer =
  | { readonly id: number; readonly result: PageReading | PageJudging }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (result: PageReading | PageJudging) => void;
  readonly reject: (error: Error) => void;
}

interface Member {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

/** A page between its two answers: which thread holds it. */
export interface PageHandle {
  readonly page: number;
  readonly member: number;
}

/** `threads` analysis workers; a page stays with the one that read it. */
export class AnalysisPool {
  readonly #members: readonly Member[];
  #next = 1;

  constructor(setup: AnalysisSetup, threads: number) {
    const count = threads > 0 ? threads : usualThreads(availableParallelism());
    this.#members = Array.from({ length: count }, () => startMember(setup));
  }

  async read(response: HttpResponse): Promise<{ readonly handle: PageHandle; readonly reading: PageReading }> {
    const member = this.#idlest();
    const handle = { page: this.#next++, member };
    const id = this.#next++;
    const reading = await this.#ask(member, { kind: 'read', id, page: handle.page, response });
    if (!('fingerprint' in reading)) throw new TypeError('an analysis worker answered a reading with something else');
    return { handle, reading };
  }

  async judge(
    handle: PageHandle,
    level: Level,
    by: { readonly host: HostKnowledge; readonly size: TreeSize },
  ): Promise<PageJudging> {
    const id = this.#next++;
    const judging = await this.#ask(handle.member, { kind: 'judge', id, page: handle.page, level, ...by });
    if (!('capture' in judging)) throw new TypeError('an analysis worker answered a judging with something else');
    return judging;
  }

  drop(handle: PageHandle): void {
    this.#members[handle.member]?.worker.postMessage({ kind: 'drop', page: handle.page } satisfies AnalysisOrder);
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ worker }) => endWorker(worker)));
  }

  #ask(index: number, order: Exclude<AnalysisOrder, { kind: 'drop' }>): Promise<PageReading | PageJudging> {
    const member = this.#members[index];
    if (member === undefined) return Promise.reject(new RangeError(`no analysis worker ${index}`));
    return new Promise((resolve, reject) => {
      member.waiting.set(order.id, { resolve, reject });
      member.worker.postMessage(order);
    });
  }

  #idlest(): number {
    let best = 0;
    this.#members.forEach((member, i) => {
      if (member.waiting.size < (this.#members[best]?.waiting.size ?? 0)) best = i;
    });
    return best;
  }
}

/**
 * One core is left to the main thread; on two cores both take a worker, for the main thread fills less than half of
 * one while a single worker is what everything waits for.
 */
function usualThreads(cores: number): number {
  return Math.min(cores, Math.max(2, cores - 1));
}

function startMember(setup: AnalysisSetup): Member {
  const entry = import.meta.url.endsWith('.ts') ? './analysis-worker.ts' : './analysis-worker.js';
  const worker = new Worker(new URL(entry, import.meta.url), { workerData: setup });
  const waiting = new Map<number, Waiting>();
  worker.on('message', (answer: AnalysisAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer.result);
  });
  worker.on('error', (error) => {
    const failure = error instanceof Error ? error : new Error(String(error));
    for (const asked of waiting.values()) asked.reject(failure);
    waiting.clear();
  });
  return { worker, waiting };
}
