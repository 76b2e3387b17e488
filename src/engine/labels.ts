import type { Config } from '../config/config.ts';
import { VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import type { Database, MigrationStep } from '../kit/sqlite.ts';
import { logOdds } from '../learning/calibration.ts';
import type { DetectorName, Label, UrlState } from '../model/lists.ts';
import { StoredPages } from '../repository/stored-pages.ts';
import { resolveUrl } from '../url/url.ts';
import { asUnable, openForReading, openForShortWrites } from './collection.ts';
import { keyRulesOf, repositoryOptionsOf, visitedOptionsOf } from './options.ts';

const BOX = 'labels';
const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE labels (
     key TEXT PRIMARY KEY, url TEXT NOT NULL, label TEXT NOT NULL, kind TEXT, language TEXT, site TEXT,
     status INTEGER, at INTEGER NOT NULL) WITHOUT ROWID`,
];

/** A person's word on a page; what is not known is absent. */
export interface PageLabel {
  readonly url: string;
  readonly label: Label;
  readonly kind?: string | undefined;
  readonly language?: string | undefined;
  readonly site?: string | undefined;
  readonly status?: number | undefined;
}

/** A page whose label would teach the detectors most. */
export interface QueueRow {
  readonly url: string;
  readonly state: UrlState;
  readonly title: string;
  readonly language: string;
  readonly probability: { readonly spam: number; readonly 'soft-404': number };
  /** The detector that is in doubt, and how far its probability is from its threshold, in log-odds. */
  readonly detector: DetectorName;
  readonly margin: number;
}

interface Folder {
  readonly dataDir: string;
  readonly config: Config;
}

/** Stores labels by their URLs' keys, a later one over an earlier one. Runs beside a writer. Throws {@link UnableError}. */
export function putLabels(labels: readonly PageLabel[], folder: Folder & { readonly now: number }): void {
  const { dataDir, config, now } = folder;
  const database = openForShortWrites(dataDir, config);
  try {
    database.migrate(BOX, STEPS);
    database.transaction(() => {
      for (const label of labels) put(database, label, { key: keyOf(label.url, config) ?? label.url, now });
    });
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}

/** The key of a URL; undefined when it is none. */
export function keyOf(url: string, config: Config): string | undefined {
  const resolved = resolveUrl(url, undefined, keyRulesOf(config));
  return 'reason' in resolved ? undefined : resolved.key;
}

/** All labels in the order of their keys. Throws {@link UnableError} when there is no collection. */
export function readLabels({ dataDir, config }: Folder): PageLabel[] {
  const database = openForReading(dataDir, config);
  try {
    if (database.versionOf(BOX) === 0) return [];
    return database.all<LabelRow>('SELECT * FROM labels ORDER BY key').map((row) => ({
      url: row.url,
      label: row.label,
      kind: row.kind ?? undefined,
      language: row.language ?? undefined,
      site: row.site ?? undefined,
      status: row.status ?? undefined,
    }));
  } finally {
    database.close();
  }
}

/** Pages without a label whose probability is nearest to the threshold that decided, nearest first. */
export async function labelQueue(limit: number, { dataDir, config }: Folder): Promise<QueueRow[]> {
  const database = openForReading(dataDir, config);
  try {
    return await queueOf(database, limit, { dataDir, config });
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}

/** Rows looked at closely for each row wanted: thresholds differ by level, so the first order is only near the true one. */
const LOOKED_AT = 10;

async function queueOf(database: Database, limit: number, { dataDir, config }: Folder): Promise<QueueRow[]> {
  const pages = new StoredPages(database, repositoryOptionsOf(config, dataDir, Date.now));
  const visited = new VisitedUrls(database, visitedOptionsOf(config));
  const labelled = database.versionOf(BOX) === 0 ? '' : 'AND u.key NOT IN (SELECT key FROM labels)';
  const found = database.all<{ url: number }>(
    `SELECT p.url FROM page p JOIN urls u ON u.id = p.url
     WHERE p.spam IS NOT NULL AND p.state IN ('kept', 'garbage') ${labelled}
       AND p.version = (SELECT max(version) FROM page WHERE url = p.url)
     ORDER BY min(abs(p.spam - 0.5), abs(p.soft_404 - 0.5)) LIMIT ?`,
    limit * LOOKED_AT,
  );
  const details = await pages.detailsOf(found.map((row) => row.url));
  const rows: QueueRow[] = [];
  for (const { id, title, language, judgement } of details) {
    const url = await visited.get(id);
    if (judgement === undefined || url === undefined) continue;
    const { probability, threshold } = judgement;
    const spam = Math.abs(logOdds(probability.spam) - logOdds(threshold.spam));
    const soft = Math.abs(logOdds(probability['soft-404']) - logOdds(threshold['soft-404']));
    const doubt =
      spam <= soft ? ({ detector: 'spam', margin: spam } as const) : ({ detector: 'soft-404', margin: soft } as const);
    rows.push({ url: url.url, state: url.state, title, language, probability, ...doubt });
  }
  return rows.sort((a, b) => a.margin - b.margin || (a.url < b.url ? -1 : 1)).slice(0, limit);
}

function put(database: Database, label: PageLabel, { key, now }: { readonly key: string; readonly now: number }): void {
  database.run(
    'INSERT OR REPLACE INTO labels (key, url, label, kind, language, site, status, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    key,
    label.url,
    label.label,
    label.kind ?? null,
    label.language ?? null,
    label.site ?? null,
    label.status ?? null,
    now,
  );
}

interface LabelRow {
  readonly url: string;
  readonly label: Label;
  readonly kind: string | null;
  readonly language: string | null;
  readonly site: string | null;
  readonly status: number | null;
}
