import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { type VisitedUrl, VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import type { Database } from '../kit/sqlite.ts';
import type { ExportedPage } from '../model/reports.ts';
import { readMember } from '../repository/gzip-members.ts';
import type { StoredPageDetails } from '../repository/page-row.ts';
import { MAX_RECORD_BYTES, StoredPages } from '../repository/stored-pages.ts';
import { buildWarcinfo } from '../repository/warc-record.ts';
import { asUnable, openForReading } from './collection.ts';
import { repositoryOptionsOf, visitedOptionsOf } from './options.ts';

/** {@link ExportedPage}; of a URL that was never fetched or judged, time and probabilities are unknown and absent. */
export type ExportLine = Omit<ExportedPage, 'fetchedAt' | 'probability'> &
  Partial<Pick<ExportedPage, 'fetchedAt' | 'probability'>>;

export interface ExportRequest {
  readonly dataDir: string;
  readonly config: Config;
  /** Kept pages, or every URL known. */
  readonly which: 'kept' | 'all';
}

const BATCH = 200;

/** Pages in the order in which their URLs were found. Throws {@link UnableError} when there is no collection. */
export async function* exportPages(request: ExportRequest): AsyncGenerator<ExportLine> {
  for await (const { url, page, visited } of storedUrls(request)) {
    const copyOf = url.answer?.duplicateOf === undefined ? undefined : await visited.get(url.answer.duplicateOf);
    yield lineOf(url, page, copyOf?.url);
  }
}

/** A WARC file of the newest capture of each kept page, as gzip members: what the crawl stored, byte by byte. */
export async function* exportWarc(
  request: ExportRequest & {
    readonly now: number;
    readonly fileName: string;
    readonly onLost: (url: string, detail: string) => void;
  },
): AsyncGenerator<Uint8Array> {
  const { software, folder } = repositoryOptionsOf(request.config, request.dataDir, () => request.now);
  yield buildWarcinfo({ fileName: request.fileName, software, at: request.now, newId: randomUUID });
  for await (const { url, page } of storedUrls(request)) {
    const location = page?.capture?.location;
    const bytes = location === undefined ? undefined : await readSpan(join(folder, location.file), location);
    const damage = bytes === undefined ? undefined : damageIn(bytes);
    if (bytes !== undefined && damage === undefined) yield bytes;
    else if (location !== undefined && damage !== undefined)
      request.onLost(url.url, `${location.file} at byte ${location.offset + damage.at}: ${damage.detail}`);
    else if (url.state === 'kept') request.onLost(url.url, 'no archived bytes are left');
  }
}

interface StoredUrl {
  readonly url: VisitedUrl;
  readonly page: StoredPageDetails | undefined;
  readonly visited: VisitedUrls;
}

/** A batch is read at a time, so a crawl may go on meanwhile and memory does not grow. */
async function* storedUrls({ dataDir, config, which }: ExportRequest): AsyncGenerator<StoredUrl> {
  const database = openForReading(dataDir, config);
  try {
    const visited = new VisitedUrls(database, visitedOptionsOf(config));
    const pages = openPages(database, dataDir, config);
    for (let after = 0; ; ) {
      const urls = await visited.list({ state: which === 'all' ? undefined : 'kept', after, limit: BATCH });
      if (urls.length === 0) return;
      const stored = await pages.detailsOf(urls.map((url) => url.id));
      const byId = new Map(stored.map((page) => [page.id, page]));
      for (const url of urls) yield { url, page: byId.get(url.id), visited };
      after = urls.at(-1)?.id ?? after;
    }
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}

function openPages(database: Database, dataDir: string, config: Config): StoredPages {
  return new StoredPages(database, repositoryOptionsOf(config, dataDir, Date.now));
}

function lineOf(url: VisitedUrl, page: StoredPageDetails | undefined, duplicateOf: string | undefined): ExportLine {
  const fetchedAt = page?.checkedAt ?? url.answer?.fetchedAt;
  const kinds = url.answer?.kinds ?? [];
  return {
    url: url.url,
    key: url.key,
    state: url.state,
    ...(url.reason === undefined ? {} : { reason: url.reason }),
    title: page?.title ?? '',
    language: page?.language ?? 'und',
    text: page?.mainText ?? '',
    ...(fetchedAt === undefined ? {} : { fetchedAt: new Date(fetchedAt).toISOString() }),
    ...(page?.changedAt === undefined ? {} : { changedAt: new Date(page.changedAt).toISOString() }),
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(page?.spam === undefined ? {} : { probability: { spam: page.spam, 'soft-404': page.softError ?? 0 } }),
  };
}

/** Where the members of a capture break off; undefined when all of them are whole. */
function damageIn(bytes: Buffer): { readonly at: number; readonly detail: string } | undefined {
  for (let at = 0; at < bytes.length; ) {
    const member = readMember(bytes.subarray(at), MAX_RECORD_BYTES);
    if (member.kind !== 'member')
      return { at, detail: member.kind === 'cut' ? 'the gzip member is cut off' : member.detail };
    at += member.length;
  }
  return undefined;
}

/** Response and request record of a capture; undefined when the file no longer holds them. */
async function readSpan(
  path: string,
  { offset, span }: { readonly offset: number; readonly span: number },
): Promise<Buffer | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(span), 0, span, offset);
      return bytesRead === span ? buffer : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
