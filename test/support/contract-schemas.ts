import { z } from 'zod';
import {
  DETECTORS,
  FAILED_REASONS,
  FORM_TYPES,
  GARBAGE_KINDS,
  LABELS,
  LEVELS,
  REFRESH_POLICIES,
  REFUSED_REASONS,
  STOPPED_REASONS,
  URL_STATES,
  VERDICTS,
} from '../../src/model/lists.ts';

/** The JSON documents of the contract, written down a second time: a renamed field or a new word must show. */

/** ISO 8601, UTC. */
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
const count = z.int().min(0);
const share = z.number().min(0).max(1);
const language = z.string().regex(/^(?:[a-z]{2,3}|und)$/);
const probability = z.object({ spam: share, 'soft-404': share });
const state = z.enum(URL_STATES);

/** Counts by the words of a closed list, zeros left out. */
function counts(words: readonly [string, ...string[]]): z.ZodType<Record<string, number>> {
  return z.partialRecord(z.enum(words), count) as z.ZodType<Record<string, number>>;
}

export const crawlReport = z.object({
  ...{ fetched: count, kept: count, unchanged: count, notHtml: count, noindex: count, redirects: count, gone: count },
  ...{ httpErrors: count, bytes: count, seconds: z.number().min(0), pagesPerSecond: z.number().min(0) },
  garbage: counts(GARBAGE_KINDS),
  ...{ avoided: count, deferred: count, blocked: count },
  duplicates: z.object({ exact: count, near: count }),
  refused: counts(REFUSED_REASONS),
  failed: counts(FAILED_REASONS),
  overhead: z.object({ robots: count, sitemaps: count, probes: count, secondFetches: count, rendered: count }),
  levels: z.record(z.string(), count),
  stopped: z.enum(STOPPED_REASONS),
  summary: z.string().min(10),
});
export type CrawlReportJson = z.infer<typeof crawlReport>;

const facet = z.array(z.object({ value: z.string(), count }));
export const searchResult = z.object({
  ...{ query: z.string(), total: count, tookMs: z.number().min(0), relaxed: z.boolean() },
  suggestion: z.string().optional(),
  hits: z.array(
    z.object({
      ...{ url: z.url(), title: z.string(), snippet: z.string(), score: z.number(), site: z.string(), language },
      highlights: z.array(z.tuple([count, count])),
      fetchedAt: time,
      changedAt: time.optional(),
      flagged: z.enum(VERDICTS).optional(),
      duplicates: count,
      explanation: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  facets: z.object({ site: facet, language: facet, type: facet, time: facet }),
});

export const inspection = z.object({
  input: z.string(),
  url: z.url().optional(),
  page: z.object({
    ...{ charset: z.string().regex(/^[a-z0-9-_]+$/), title: z.string(), language, mainText: z.string() },
    canonical: z.string().optional(),
    robots: z.object({ index: z.boolean(), follow: z.boolean(), archive: z.boolean(), snippet: z.boolean() }),
    links: count,
    forms: z.array(
      z.object({ type: z.enum(FORM_TYPES), method: z.string(), action: z.string(), field: z.string().optional() }),
    ),
    redirect: z.object({ by: z.enum(['http', 'meta', 'script']), target: z.string(), seconds: z.number() }).optional(),
    problems: z.array(z.string()),
  }),
  verdict: z.enum(VERDICTS),
  kinds: z.array(z.enum(GARBAGE_KINDS)),
  ...{ probability, threshold: probability, level: z.enum(LEVELS) },
  features: z.record(z.string(), z.number()),
  reasons: z.array(z.string()).min(1),
  milliseconds: z.object({ parse: z.number(), judge: z.number() }),
});

export const urlHistory = z.object({
  ...{ url: z.url(), key: z.string(), state, reason: z.string().optional(), verdict: z.enum(VERDICTS).optional() },
  duplicateOf: z.url().optional(),
  depth: count,
  foundFrom: z.array(z.url()),
  robots: z.string(),
  domain: z.object({ listed: z.string().optional(), until: time.optional() }),
  next: z.object({ at: time, why: z.string() }).optional(),
  transitions: z
    .array(z.object({ at: time, from: state.nullable(), to: state, reason: z.string().optional(), run: count }))
    .min(1),
  changes: z.array(z.object({ notBefore: time, notAfter: time, parts: z.array(z.string()), signal: z.string() })),
});

const figures = {
  ...{ precision: share, recall: share, f1: share, rocAuc: share },
};
export const garbageEvaluation = z.object({
  ...{ detector: z.enum(DETECTORS), level: z.enum(LEVELS), pages: count, excluded: count, folds: count.optional() },
  ...{
    threshold: z.number(),
    truePositives: count,
    falsePositives: count,
    trueNegatives: count,
    falseNegatives: count,
  },
  ...figures,
  prAuc: share,
  recallAtFalseAlarms: z.object({ '0.002': share, '0.005': share, '0.02': share }),
  recallAtPrecision: z.object({ '0.90': share, '0.95': share, '0.97': share, '0.99': share }),
  spread: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])).optional(),
  byKind: z.record(z.string(), z.unknown()),
  byLanguage: z.record(z.string(), z.unknown()),
  curve: z.array(z.tuple([z.number(), z.number(), z.number()])),
  millisecondsPerPage: z.object({ parse: z.number(), judge: z.number(), p99: z.number() }),
  mistakes: z.array(z.object({ file: z.string(), label: z.enum(LABELS), probability: share })),
});

export const treesEvaluation = z.object({
  ...{ learner: z.enum(['c45', 'bagging', 'boosting']), iterations: count, instances: count, accuracy: share },
  ...figures,
  confusion: z.array(z.array(count)),
  ...{ treeSize: count.optional(), leaves: count.optional(), tree: z.string().optional(), seconds: z.number() },
});

export const trainReport = z.object({
  ...{ detector: z.enum(DETECTORS), level: z.enum(LEVELS), labels: z.record(z.string(), count) },
  ...{ old: garbageEvaluation.nullable(), new: garbageEvaluation, promoted: z.boolean(), why: z.string().min(1) },
  seconds: z.number(),
});

export const searchEvaluation = z.object({
  ...{ queries: count, map: share, ndcg10: share, p10: share, r100: share, mrr: share },
});

export const freshnessEvaluation = z.object({
  optimum: share.optional(),
  policies: z.array(
    z.object({
      ...{ policy: z.enum(REFRESH_POLICIES), freshness: share, meanAgeDays: z.number().min(0) },
      ...{ crawls: z.number().min(0), changesMissed: z.number().min(0) },
      spread: z.tuple([share, share, share]).optional(),
      bySeed: z.array(share).optional(),
    }),
  ),
  ...{ pages: count, days: z.number().optional(), budget: z.number(), seed: count, seeds: count },
  ...{ signals: z.enum(['none', 'noisy', 'beacon']), rates: z.enum(['true', 'learned']) },
});

export const statusReport = z.object({
  pages: z.record(z.enum(URL_STATES), count),
  ...{ hosts: count, queue: count },
  bytes: z.object({ db: count, warc: count, quarantine: count }),
  lastRun: z
    .object({ startedAt: time, endedAt: time.optional(), stopped: z.enum(STOPPED_REASONS).optional() })
    .nullable(),
  model: z.object({ spam: z.string(), 'soft-404': z.string() }),
  freshness: share.nullable(),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
});

/** `fetchedAt` and `probability` are absent where unknown: of URLs that were never fetched or judged. */
export const exportedPage = z.object({
  ...{ url: z.url(), key: z.string(), state, reason: z.string().optional(), title: z.string(), language },
  ...{ text: z.string(), fetchedAt: time.optional(), changedAt: time.optional(), duplicateOf: z.url().optional() },
  kinds: z.array(z.enum(GARBAGE_KINDS)).optional(),
  probability: probability.optional(),
});

export const focusReport = z.object({
  ...{ requests: count, fetched: count, seconds: z.number() },
  interfaces: z.array(
    z.object({
      ...{ site: z.string(), kind: z.enum(['form', 'opensearch', 'search-action', 'browser']), method: z.string() },
      ...{ action: z.string(), field: z.string(), state: z.string(), reason: z.string().optional() },
    }),
  ),
  relevant: z.array(
    z.object({
      ...{ url: z.url(), title: z.string(), depth: count, walkDepth: count.optional() },
      foundBy: z.array(z.enum(['form', 'provider', 'link'])),
      keywords: z.array(z.string()),
      fitness: z.object({ maxAncestor: z.number(), kLevel: z.number() }),
    }),
  ),
  harvest: z.array(z.tuple([count, count])),
  learnedKeywords: z.array(z.object({ word: z.string(), score: z.number() })),
  stopped: z.enum(STOPPED_REASONS),
});

export const findings = z
  .array(z.object({ check: z.string(), status: z.enum(['ok', 'warning', 'missing']), detail: z.string() }))
  .min(8);

export const rules = z.object({
  matched: count.optional(),
  changed: count.optional(),
  rules: z.array(z.object({ rule: z.enum(['hide', 'forget', 'pin']), pattern: z.string(), since: time })),
});

export const rows = z.array(z.record(z.string(), z.unknown()));
export const robotsLine = z.object({ allowed: z.boolean(), crawlDelay: z.number().nullable() });
export const urlLine = z.object({
  ...{ url: z.string().nullable(), key: z.string().nullable(), reason: z.string().optional() },
});
