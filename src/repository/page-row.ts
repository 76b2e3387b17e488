import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Judgement } from '../model/garbage.ts';
import type { GarbageKind } from '../model/lists.ts';
import type { WarcLocation } from './warc-files.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
}

/** What searching and indexing need of a page besides its title and text. */
export interface PageOutline {
  readonly description: string;
  readonly headings: readonly Heading[];
  /** False: the page asks that no text of it be shown (`nosnippet`). */
  readonly snippet: boolean;
  /** UTF-16 units of text that may be shown (`max-snippet`); undefined = no bound. */
  readonly maxSnippet?: number | undefined;
}

/** 'duplicate': held so that it can take the place of its representative without a new fetch. */
export type StoredState = 'kept' | 'garbage' | 'duplicate' | 'noindex' | 'unjudged';

/** What of a page is stored, as its worker leaves it. */
export interface PageContent {
  readonly title: string;
  readonly language: string;
  readonly charset: string;
  readonly mainText: string;
  readonly outline: PageOutline;
  /** Hash of each part of the page, by the part's name. */
  readonly parts: Readonly<Record<string, string>>;
  readonly judgement: Judgement | undefined;
}

/** {@link PageContent} with its large fields compressed. */
export interface PackedPage {
  readonly title: string;
  readonly language: string;
  readonly charset: string;
  readonly text: Uint8Array;
  readonly outline: Uint8Array;
  readonly parts: Uint8Array;
  readonly judgement: Uint8Array | undefined;
  readonly spam: number | undefined;
  readonly softError: number | undefined;
}

/** Compresses (zstd, some 100 µs a page): meant for a worker thread. */
export function packPage(content: PageContent): PackedPage {
  const { title, language, charset, mainText, judgement } = content;
  return {
    title,
    language,
    charset,
    text: packText(mainText),
    outline: packText(JSON.stringify(content.outline)),
    parts: packText(JSON.stringify(content.parts)),
    judgement: judgement && packText(JSON.stringify(judgement)),
    spam: judgement?.probability.spam,
    softError: judgement?.probability['soft-404'],
  };
}

export function packText(text: string): Uint8Array {
  return zstdCompressSync(text);
}

export function unpackText(bytes: Uint8Array): string {
  return zstdDecompressSync(bytes).toString('utf8');
}

/** Where the bytes of a version are held, and what a revisit record needs to point at them. */
export interface StoredCapture {
  readonly location: WarcLocation;
  readonly recordId: string;
  readonly date: string;
  readonly payloadDigest: string;
}

/** One version of a stored page. Times are milliseconds since 1970. */
export interface StoredPage {
  /** Id of its URL. */
  readonly id: number;
  /** 1 for the first, rising. */
  readonly version: number;
  readonly state: StoredState;
  readonly domain: string;
  /** Kind of garbage; undefined when it is none. */
  readonly kind: GarbageKind | undefined;
  readonly fetchedAt: number;
  /** When it was last seen unchanged; at least `fetchedAt`. */
  readonly checkedAt: number;
  /** When a change of its text was last seen; undefined when none was. */
  readonly changedAt: number | undefined;
  readonly status: number;
  readonly title: string;
  readonly language: string;
  readonly charset: string;
  readonly textHash: string;
  readonly spam: number | undefined;
  readonly softError: number | undefined;
  /** undefined: the bytes were let go (quarantine, compaction). */
  readonly capture: StoredCapture | undefined;
}

/** A version with its large fields. */
export interface StoredPageDetails extends StoredPage {
  readonly mainText: string;
  readonly outline: PageOutline;
  readonly parts: Readonly<Record<string, string>>;
  readonly judgement: Judgement | undefined;
}

export interface PageRow {
  readonly url: number;
  readonly version: number;
  readonly state: StoredState;
  readonly domain: string;
  readonly kind: GarbageKind | '';
  readonly fetched_at: number;
  readonly checked_at: number;
  readonly changed_at: number | null;
  readonly status: number;
  readonly title: string;
  readonly language: string;
  readonly charset: string;
  readonly text_hash: string;
  readonly spam: number | null;
  readonly soft_404: number | null;
  readonly file: string | null;
  readonly offset: number;
  readonly length: number;
  readonly span: number;
  readonly record_id: string;
  readonly record_date: string;
  readonly payload_digest: string;
}

export interface PageDetailsRow extends PageRow {
  readonly text: Uint8Array;
  readonly outline: Uint8Array;
  readonly parts: Uint8Array;
  readonly judgement: Uint8Array | null;
}

/** Columns of {@link PageRow}. */
export const PAGE_COLUMNS = `url, version, state, domain, kind, fetched_at, checked_at, changed_at, status, title,
  language, charset, text_hash, spam, soft_404, file, offset, length, span, record_id, record_date, payload_digest`;

export function fromRow(row: PageRow): StoredPage {
  return {
    id: row.url,
    version: row.version,
    state: row.state,
    domain: row.domain,
    kind: row.kind === '' ? undefined : row.kind,
    fetchedAt: row.fetched_at,
    checkedAt: row.checked_at,
    changedAt: row.changed_at ?? undefined,
    status: row.status,
    title: row.title,
    language: row.language,
    charset: row.charset,
    textHash: row.text_hash,
    spam: row.spam ?? undefined,
    softError: row.soft_404 ?? undefined,
    capture: captureOf(row),
  };
}

export function fromDetailsRow(row: PageDetailsRow): StoredPageDetails {
  return {
    ...fromRow(row),
    mainText: unpackText(row.text),
    outline: JSON.parse(unpackText(row.outline)) as PageOutline,
    parts: JSON.parse(unpackText(row.parts)) as Readonly<Record<string, string>>,
    judgement: row.judgement === null ? undefined : (JSON.parse(unpackText(row.judgement)) as Judgement),
  };
}

function captureOf(row: PageRow): StoredCapture | undefined {
  if (row.file === null) return undefined;
  return {
    location: { file: row.file, offset: row.offset, length: row.length, span: row.span },
    recordId: row.record_id,
    date: row.record_date,
    payloadDigest: row.payload_digest,
  };
}
