import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { messageOf, UnableError } from '../config/errors.ts';
import { VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import { StoredPages } from '../repository/stored-pages.ts';
import { hostName } from '../url/url.ts';
import { openForReading } from './collection.ts';
import { keyOf, type PageLabel, readLabels } from './labels.ts';
import { repositoryOptionsOf, visitedOptionsOf } from './options.ts';

/** A label as `train` reads it: with the file that holds the page. */
export interface ExportedLabel extends PageLabel {
  /** Name in the folder of pages; absent when the page's bytes are not held. */
  readonly file?: string;
}

/**
 * All labels with the newest stored bytes of their pages, written into `folder` one file a page. Throws
 * {@link UnableError} when there is no collection or a file cannot be written.
 */
export async function exportLabels(
  folder: string,
  { dataDir, config }: { readonly dataDir: string; readonly config: Config },
): Promise<ExportedLabel[]> {
  const labels = readLabels({ dataDir, config });
  const database = openForReading(dataDir, config);
  try {
    const visited = new VisitedUrls(database, visitedOptionsOf(config));
    const pages = new StoredPages(database, repositoryOptionsOf(config, dataDir, Date.now));
    mkdirSync(folder, { recursive: true });
    const exported = [];
    for (const label of labels) {
      const page = await bytesOf(label.url, { visited, pages, config });
      if (page === undefined) {
        exported.push(label);
        continue;
      }
      const file = `${createHash('sha256').update(page.body).digest('hex').slice(0, 16)}.html`;
      writeFileSync(join(folder, file), page.body);
      // The site is what keeps pages of one owner in one fold.
      exported.push({ ...label, file, site: label.site ?? hostName(label.url), status: label.status ?? page.status });
    }
    return exported;
  } catch (error) {
    throw error instanceof UnableError ? error : new UnableError(`label export: ${messageOf(error)}`);
  } finally {
    database.close();
  }
}

async function bytesOf(
  url: string,
  from: { readonly visited: VisitedUrls; readonly pages: StoredPages; readonly config: Config },
): Promise<{ readonly body: Uint8Array; readonly status: number } | undefined> {
  const key = keyOf(url, from.config);
  const seen = key === undefined ? undefined : await from.visited.find(key, hostName(url));
  const [stored] = seen === undefined ? [] : await from.pages.getMany([seen.id]);
  if (stored?.capture === undefined) return undefined;
  const outcome = await from.pages.read(stored.capture.location);
  return outcome.kind === 'response' ? outcome.response : undefined;
}
