import type { Config } from '../config/config.ts';
import type { BeaconService } from '../engine/beacon-service.ts';
import type { GarbageRow } from '../engine/garbage-list.ts';
import type { WriterEvent } from '../engine/writer-process.ts';
import type { SearchResult, StatusReport, UrlHistory } from '../model/reports.ts';

export interface SearchAsk {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly explain: boolean;
}

/** A line of the live event stream. */
export type LiveEvent = WriterEvent;

/** What the server needs of the rest of Winnow; every call answers from worker threads or other processes. */
export interface Services {
  readonly config: Config;
  readonly beacon: Pick<BeaconService, 'isPlainlyEmpty' | 'wantsReport' | 'accept' | 'submit' | 'counters'>;
  search(ask: SearchAsk): Promise<SearchResult>;
  status(): Promise<StatusReport>;
  explain(url: string): Promise<UrlHistory | undefined>;
  garbage(): Promise<readonly GarbageRow[]>;
  /** Starts the writer process; a sentence when it cannot. */
  startCrawl(urls: readonly string[]): Promise<{ readonly started: boolean; readonly message: string }>;
  stopCrawl(): Promise<boolean>;
  onEvent(listener: (event: LiveEvent) => void): () => void;
  now(): number;
  close(): Promise<void>;
}
