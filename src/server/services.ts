import type { Config } from '../config/config.ts';
import type { CrawlReport, SearchResult, StatusReport, UrlHistory } from '../model/reports.ts';

export interface SearchAsk {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly explain: boolean;
}

export interface GarbageRow {
  readonly domain: string;
  readonly listed: string;
  readonly until?: string;
  readonly pages: number;
  readonly garbage: number;
  readonly by: 'model' | 'hand';
}

/** A line of the live event stream. */
export interface LiveEvent {
  readonly kind: 'progress' | 'finished' | 'failed';
  readonly text: string;
  readonly report?: CrawlReport;
}

/** What the server needs of the rest of Winnow; every call answers from worker threads or other processes. */
export interface Services {
  readonly config: Config;
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
