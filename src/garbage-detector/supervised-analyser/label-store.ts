import type { Database } from '../../kit/sqlite.ts';
import type { Label } from '../../model/lists.ts';
import { formatLabels, type LabelProblem, parseLabels } from './label-file.ts';

/** A label a person gave. */
export interface StoredLabel {
  readonly url: string;
  readonly label: Label;
  readonly kind?: string | undefined;
  readonly language?: string | undefined;
  readonly site?: string | undefined;
  readonly status?: number | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A judged page as the queue sees it. */
export interface UncertainPage {
  readonly url: string;
  readonly host: string;
  readonly probability: { readonly spam: number; readonly 'soft-404': number };
  readonly threshold: { readonly spam: number; readonly 'soft-404': number };
}

export interface QueuedPage extends UncertainPage {
  /** Distance in log-odds of the nearer detector from its threshold: the smaller, the more a label teaches. */
  readonly distance: number;
}

/** Manual labels. The last one given to a URL holds. */
export class LabelStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.migrate('labels', MIGRATIONS);
  }

  async putMany(labels: readonly StoredLabel[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { url, label, kind, language, site, status, at } of labels) {
        this.#database.run(
          'INSERT OR REPLACE INTO labels (url, label, kind, language, site, status, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          ...[url, label, kind ?? null, language ?? null, site ?? null, status ?? null, at],
        );
      }
    });
  }

  /** In the order they were given. */
  async all(): Promise<StoredLabel[]> {
    const rows = this.#database.all<LabelRow>(
      'SELECT url, label, kind, language, site, status, at FROM labels ORDER BY at, url',
    );
    return rows.map(({ url, label, kind, language, site, status, at }) => ({
      url,
      label,
      kind: kind ?? undefined,
      language: language ?? undefined,
      site: site ?? undefined,
      status: status ?? undefined,
      at,
    }));
  }

  /** Takes over all lines of a labels CSV, or none when one is bad or names no URL. */
  async importCsv(
    text: string,
    now: number,
  ): Promise<{ readonly added: number; readonly problems: readonly LabelProblem[] }> {
    const { lines, problems } = parseLabels(text);
    const labels: StoredLabel[] = [];
    for (const { url, line, label, kind, language, site, status } of lines) {
      if (url === undefined) problems.push({ line, problem: 'no url: labels of files belong to evaluate and train' });
      else if (!URL.canParse(url)) problems.push({ line, problem: `"${url}" is no absolute URL` });
      else labels.push({ url, label, kind, language, site, status, at: now });
    }
    if (problems.length > 0) return { added: 0, problems: problems.sort((a, b) => a.line - b.line) };
    await this.putMany(labels);
    return { added: labels.length, problems: [] };
  }

  async exportCsv(): Promise<string> {
    return formatLabels(await this.all());
  }
}

/**
 * The pages most worth labelling: those nearest to a threshold, at most two of a host, labelled ones left out
 * (uncertainty sampling, Lewis and Gale 1994).
 */
export function labelQueue(pages: Iterable<UncertainPage>, labelled: ReadonlySet<string>, limit: number): QueuedPage[] {
  const queue: QueuedPage[] = [];
  for (const page of pages) {
    if (labelled.has(page.url)) continue;
    const distance = Math.min(
      Math.abs(logit(page.probability.spam) - logit(page.threshold.spam)),
      Math.abs(logit(page.probability['soft-404']) - logit(page.threshold['soft-404'])),
    );
    queue.push({ ...page, distance });
  }
  queue.sort((a, b) => a.distance - b.distance || (a.url < b.url ? -1 : 1));
  const perHost = new Map<string, number>();
  return queue
    .filter(({ host }) => {
      const n = (perHost.get(host) ?? 0) + 1;
      perHost.set(host, n);
      return n <= PER_HOST;
    })
    .slice(0, limit);
}

const PER_HOST = 2;

function logit(probability: number): number {
  const inside = Math.min(1 - 1e-6, Math.max(1e-6, probability));
  return Math.log(inside / (1 - inside));
}

interface LabelRow {
  readonly url: string;
  readonly label: Label;
  readonly kind: string | null;
  readonly language: string | null;
  readonly site: string | null;
  readonly status: number | null;
  readonly at: number;
}

const MIGRATIONS = [
  `CREATE TABLE labels (url TEXT PRIMARY KEY, label TEXT NOT NULL, kind TEXT, language TEXT, site TEXT, status INTEGER,
     at INTEGER NOT NULL) WITHOUT ROWID`,
];
