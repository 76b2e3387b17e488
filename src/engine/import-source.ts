import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { HttpResponse } from '../model/fetch.ts';
import { MAX_RECORD_BYTES } from '../repository/stored-pages.ts';
import { parseResponse, type StoredResponse, type WarcRecord } from '../repository/warc-parse.ts';
import { readWarcFile } from '../repository/warc-reader.ts';

/** What a file to import holds, in order. `where` names the place: 'file:line' or 'file at byte n'. */
export type ImportItem =
  | { readonly kind: 'page'; readonly response: HttpResponse; readonly where: string }
  | { readonly kind: 'redirect'; readonly response: HttpResponse; readonly target: string; readonly where: string }
  /** Sound, but nothing to import: the reason is a word or two. */
  | { readonly kind: 'skipped'; readonly why: string }
  /** Damaged or not of the form. */
  | { readonly kind: 'problem'; readonly where: string; readonly detail: string };

/** Records of a WARC file, compressed or not. Damage is reported and passed over. */
export function* warcItems(file: string, maxBodyBytes: number): Generator<ImportItem> {
  for (const item of readWarcFile(file, { maxRecordBytes: MAX_RECORD_BYTES })) {
    const where = `${file} at byte ${item.offset}`;
    if (item.kind === 'problem') yield { kind: 'problem', where, detail: item.detail };
    else yield itemOf(item.record, where, maxBodyBytes);
  }
}

/** Lines of ExportedPage, or of { url, html, fetchedAt? } with a page's source. */
export async function* jsonItems(file: string, now: number): AsyncGenerator<ImportItem> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() !== '') yield lineItem(line, `${file}:${number}`, now);
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

function itemOf(record: WarcRecord, where: string, maxBodyBytes: number): ImportItem {
  if (record.type !== 'response') return { kind: 'skipped', why: `${record.type || 'untyped'} record` };
  const stored = parseResponse(record, maxBodyBytes);
  if (stored === undefined) return { kind: 'skipped', why: 'no HTTP answer' };
  if (!/^https?:\/\//i.test(stored.url)) return { kind: 'skipped', why: 'not an http URL' };
  if (!Number.isFinite(stored.fetchedAt)) return { kind: 'problem', where, detail: 'WARC-Date is missing or no date' };
  const [problem] = stored.problems;
  if (problem !== undefined) return { kind: 'problem', where, detail: problem };
  return answerItem(stored, where);
}

function answerItem(stored: StoredResponse, where: string): ImportItem {
  const { status, headers } = stored;
  const response = responseOf(stored);
  const location = headers['location'];
  if (REDIRECTS.has(status) && location !== undefined) {
    const target = URL.parse(location, stored.url)?.href;
    if (target === undefined) return { kind: 'skipped', why: 'redirect without a target' };
    return { kind: 'redirect', response, target, where };
  }
  if (status < 200 || status > 299) return { kind: 'skipped', why: `status ${status}` };
  const type = headers['content-type'];
  if (type !== undefined && !HTML.test(type)) return { kind: 'skipped', why: 'not HTML' };
  return { kind: 'page', response, where };
}

function responseOf(stored: StoredResponse): HttpResponse {
  const { url, status, statusText, httpVersion, rawHeaders, headers, encodedBody, body, truncated, address } = stored;
  return {
    ...{ url, status, statusText, httpVersion, rawHeaders, headers, encodedBody, body, truncated, address },
    hops: [],
    startedAt: stored.fetchedAt,
    milliseconds: 0,
    wireBytes: encodedBody.length,
    requests: 0,
  };
}

function lineItem(line: string, where: string, now: number): ImportItem {
  const fields = parseLine(line);
  if (typeof fields === 'string') return { kind: 'problem', where, detail: fields };
  const { url, title, language, text, html, fetchedAt } = fields;
  if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    return { kind: 'problem', where, detail: '"url" must be an http or https URL' };
  const at = fetchedAt === undefined ? now : Date.parse(fetchedAt);
  if (!Number.isFinite(at)) return { kind: 'problem', where, detail: `"fetchedAt" is no time: ${fetchedAt}` };
  const source = html ?? (text === undefined || text.trim() === '' ? undefined : pageSource({ title, language, text }));
  if (source === undefined) return { kind: 'skipped', why: 'without text' };
  return { kind: 'page', response: madeResponse(url, source, at), where };
}

const LINE_FIELDS = ['url', 'title', 'language', 'text', 'html', 'fetchedAt'] as const;

function parseLine(line: string): Readonly<Partial<Record<(typeof LINE_FIELDS)[number], string>>> | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : 'broken'}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object';
  const given = new Map<string, unknown>(Object.entries(value));
  const fields: Partial<Record<(typeof LINE_FIELDS)[number], string>> = {};
  for (const name of LINE_FIELDS) {
    const field = given.get(name);
    if (field === undefined || field === null) continue;
    if (typeof field !== 'string') return `"${name}" must be a string`;
    fields[name] = field;
  }
  return fields;
}

/** A page made of its text: the line ends of the main text part its blocks. */
function pageSource(page: {
  readonly title: string | undefined;
  readonly language: string | undefined;
  readonly text: string;
}): string {
  const { title = '', language = 'und', text } = page;
  const lang = /^[a-z]{2,3}$/.test(language) && language !== 'und' ? ` lang="${language}"` : '';
  const blocks = text.split('\n').filter((block) => block.trim() !== '');
  return `<!doctype html><html${lang}><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body><main>
${blocks.map((block) => `<p>${escapeHtml(block)}</p>`).join('\n')}
</main></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Says in its headers that no server sent it, since it is archived like an answer. */
function madeResponse(url: string, source: string, startedAt: number): HttpResponse {
  const body = Buffer.from(source);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'x-winnow-source': 'import of JSON lines' };
  return {
    ...{ url, status: 200, statusText: 'OK', httpVersion: '1.1', headers, encodedBody: body, body, startedAt },
    rawHeaders: ['Content-Type', headers['content-type'], 'X-Winnow-Source', headers['x-winnow-source']],
    hops: [],
    milliseconds: 0,
    wireBytes: body.length,
    requests: 0,
  };
}
