import type { FreshnessRecord } from './freshness.ts';
import type { FeatureVector } from './garbage.ts';
import type {
  DetectorName,
  FormType,
  GarbageKind,
  Level,
  RefreshPolicy,
  StoppedReason,
  UrlState,
  Verdict,
} from './lists.ts';

/** JSON shapes of the command-line contract. Fields may be added, never renamed. */

export type Counts = Readonly<Record<string, number>>;

export interface CrawlReport {
  /** URLs with a final answer = kept + unchanged + Σgarbage + Σduplicates + notHtml + noindex + redirects + gone + httpErrors. */
  readonly fetched: number;
  readonly kept: number;
  readonly unchanged: number;
  readonly notHtml: number;
  readonly noindex: number;
  readonly redirects: number;
  readonly gone: number;
  /** = failed['http-4xx'] + failed['http-5xx']. */
  readonly httpErrors: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly garbage: Counts;
  /** Distinct URLs never requested thanks to the garbage repository. */
  readonly avoided: number;
  readonly deferred: number;
  readonly duplicates: { readonly exact: number; readonly near: number };
  readonly refused: Counts;
  readonly failed: Counts;
  readonly blocked: number;
  readonly overhead: {
    readonly robots: number;
    readonly sitemaps: number;
    readonly probes: number;
    readonly secondFetches: number;
    readonly rendered: number;
  };
  readonly levels: Counts;
  readonly stopped: StoppedReason;
  readonly summary: string;
}

export interface SearchHit {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly highlights: readonly (readonly [number, number])[];
  readonly score: number;
  readonly site: string;
  readonly language: string;
  readonly fetchedAt: string;
  readonly changedAt?: string;
  readonly flagged?: Verdict;
  readonly duplicates: number;
  readonly explanation?: Readonly<Record<string, unknown>>;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface SearchResult {
  readonly query: string;
  readonly total: number;
  readonly tookMs: number;
  readonly relaxed: boolean;
  readonly suggestion?: string;
  readonly hits: readonly SearchHit[];
  readonly facets: {
    readonly site: readonly FacetValue[];
    readonly language: readonly FacetValue[];
    readonly type: readonly FacetValue[];
    readonly time: readonly FacetValue[];
  };
}

export interface Inspection {
  readonly input: string;
  readonly url?: string;
  readonly page: {
    readonly charset: string;
    readonly title: string;
    readonly language: string;
    readonly mainText: string;
    readonly canonical?: string;
    readonly robots: {
      readonly index: boolean;
      readonly follow: boolean;
      readonly archive: boolean;
      readonly snippet: boolean;
    };
    readonly links: number;
    readonly forms: readonly {
      readonly type: FormType;
      readonly method: string;
      readonly action: string;
      readonly field?: string;
    }[];
    readonly redirect?: { readonly by: 'http' | 'meta' | 'script'; readonly target: string; readonly seconds: number };
    readonly problems: readonly string[];
  };
  readonly verdict: Verdict;
  readonly kinds: readonly GarbageKind[];
  readonly probability: { readonly spam: number; readonly 'soft-404': number };
  readonly threshold: { readonly spam: number; readonly 'soft-404': number };
  readonly level: Level;
  readonly features: FeatureVector;
  readonly reasons: readonly string[];
  readonly milliseconds: { readonly parse: number; readonly judge: number };
}

export interface Transition {
  readonly at: string;
  readonly from: UrlState | null;
  readonly to: UrlState;
  readonly reason?: string;
  readonly run: number;
}

export interface UrlHistory {
  readonly url: string;
  readonly key: string;
  readonly state: UrlState;
  readonly reason?: string;
  readonly verdict?: Verdict;
  readonly duplicateOf?: string;
  /** Why the page was judged as it was. */
  readonly reasons?: readonly string[];
  readonly depth: number;
  readonly foundFrom: readonly string[];
  readonly robots: string;
  readonly domain: { readonly listed?: string; readonly until?: string };
  readonly next?: { readonly at: string; readonly why: string };
  readonly transitions: readonly Transition[];
  readonly changes: readonly {
    readonly notBefore: string;
    readonly notAfter: string;
    readonly parts: readonly string[];
    readonly signal: string;
  }[];
}

export interface GarbageEvaluation {
  readonly detector: DetectorName;
  readonly level: Level;
  readonly pages: number;
  readonly excluded: number;
  readonly folds?: number;
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly rocAuc: number;
  readonly prAuc: number;
  readonly recallAtFalseAlarms: Readonly<Record<string, number>>;
  readonly recallAtPrecision: Readonly<Record<string, number>>;
  readonly spread?: Readonly<Record<string, readonly [number, number, number]>>;
  readonly byKind: Readonly<Record<string, { readonly pages: number; readonly found: number }>>;
  readonly byLanguage: Readonly<
    Record<
      string,
      { readonly ham: number; readonly falseAlarms: number; readonly garbage: number; readonly found: number }
    >
  >;
  readonly curve: readonly (readonly [number, number, number])[];
  /** Tenths of probability that hold pages, and the mean distance of their two numbers weighted by pages (ECE). */
  readonly calibration: {
    readonly error: number;
    readonly bins: readonly { readonly pages: number; readonly probability: number; readonly garbage: number }[];
  };
  readonly millisecondsPerPage: { readonly parse: number; readonly judge: number; readonly p99: number };
  readonly mistakes: readonly { readonly file: string; readonly label: string; readonly probability: number }[];
}

export interface TreesEvaluation {
  readonly learner: 'c45' | 'bagging' | 'boosting';
  readonly iterations: number;
  readonly instances: number;
  readonly accuracy: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly rocAuc: number;
  /** confusion[actual][predicted], in the order of the class attribute's values. */
  readonly confusion: readonly (readonly number[])[];
  readonly treeSize?: number;
  readonly leaves?: number;
  readonly tree?: string;
  readonly seconds: number;
}

export interface TrainReport {
  readonly detector: DetectorName;
  readonly level: Level;
  readonly labels: Counts;
  readonly old: GarbageEvaluation | null;
  readonly new: GarbageEvaluation;
  readonly promoted: boolean;
  readonly why: string;
  readonly seconds: number;
}

export interface SearchEvaluation {
  readonly queries: number;
  readonly map: number;
  readonly ndcg10: number;
  readonly p10: number;
  readonly r100: number;
  readonly mrr: number;
}

export interface FreshnessEvaluation {
  readonly optimum?: number;
  readonly policies: readonly {
    readonly policy: RefreshPolicy;
    readonly freshness: number;
    readonly meanAgeDays: number;
    readonly crawls: number;
    readonly changesMissed: number;
    readonly spread?: readonly [number, number, number];
    /** Freshness of each seed, when there are several. */
    readonly bySeed?: readonly number[];
  }[];
  readonly pages: number;
  /** Absent for a trace: each site has its window. */
  readonly days?: number;
  /** Crawls a day. */
  readonly budget: number;
  readonly signals: 'none' | 'noisy' | 'beacon';
  readonly rates: 'true' | 'learned';
  readonly seed: number;
  readonly seeds: number;
}

export interface SearchInterface {
  readonly site: string;
  readonly kind: 'form' | 'opensearch' | 'search-action' | 'browser';
  readonly method: string;
  readonly action: string;
  readonly field: string;
  readonly state: string;
  readonly reason?: string;
}

export interface FocusReport {
  readonly requests: number;
  readonly fetched: number;
  readonly seconds: number;
  readonly interfaces: readonly SearchInterface[];
  readonly relevant: readonly {
    readonly url: string;
    readonly title: string;
    readonly depth: number;
    readonly walkDepth?: number;
    readonly foundBy: readonly ('form' | 'provider' | 'link')[];
    readonly keywords: readonly string[];
    readonly fitness: { readonly maxAncestor: number; readonly kLevel: number };
  }[];
  readonly harvest: readonly (readonly [number, number])[];
  readonly learnedKeywords: readonly { readonly word: string; readonly score: number }[];
  readonly stopped: StoppedReason;
}

export interface StatusReport {
  readonly pages: Counts;
  readonly hosts: number;
  readonly bytes: { readonly db: number; readonly warc: number; readonly quarantine: number };
  readonly queue: number;
  readonly lastRun: {
    readonly id: number;
    readonly startedAt: string;
    readonly endedAt?: string;
    readonly stopped?: StoppedReason;
    readonly summary?: string;
  } | null;
  readonly model: { readonly spam: string; readonly 'soft-404': string };
  /** Share of kept pages believed fresh; null until the updating module has estimates. */
  readonly freshness: number | null;
  /** How the updating module saw the pages last; absent before its first look. */
  readonly refresh?: FreshnessRecord;
  readonly version: string;
}

export interface ExportedPage {
  readonly url: string;
  readonly key: string;
  readonly state: UrlState;
  readonly reason?: string;
  readonly title: string;
  readonly language: string;
  readonly text: string;
  readonly fetchedAt: string;
  readonly changedAt?: string;
  readonly duplicateOf?: string;
  readonly kinds?: readonly GarbageKind[];
  readonly probability: { readonly spam: number; readonly 'soft-404': number };
}
