import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, UnableError, UsageError } from '../config/errors.ts';
import { type ExportLine, type ExportRequest, exportPages, exportWarc } from '../engine/export-pages.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';
import { isOn, textOf, wordOf } from './values.ts';

const FORMATS = ['jsonl', 'warc', 'csv'] as const;
type Format = (typeof FORMATS)[number];

export const exportCommand: Command = {
  name: 'export',
  summary: 'write the pages out as JSON lines, WARC or CSV',
  details: `jsonl  one page a line: url, key, state, title, language, text, fetchedAt, probability, …
warc   the captures of the kept pages as gzip members, readable by every WARC tool
csv    url,state,reason,title,language,fetchedAt; a title that a spreadsheet would take for a formula gets a ' before it

Examples:
  winnow export --format jsonl > pages.jsonl
  winnow export --format warc --output site.warc.gz`,
  options: [
    { name: 'format', value: 'FORMAT', choices: FORMATS, help: 'jsonl (default), warc or csv' },
    { name: 'all', help: 'every URL known, with its state; with warc also quarantined pages' },
    { name: 'output', value: 'FILE', help: 'write to a file instead of standard output' },
  ],
  async run({ options }, context) {
    const format = wordOf(options, 'format', FORMATS) ?? 'jsonl';
    const output = textOf(options, 'output');
    const request: ExportRequest = {
      dataDir: context.dataDir,
      config: context.config,
      which: isOn(options, 'all') ? 'all' : 'kept',
    };
    if (format === 'warc' && output === undefined && process.stdout.isTTY)
      throw new UsageError('export --format warc: name a file with --output, or send standard output to one');
    const chunks = chunksOf(format, request, { context, output });
    return output === undefined ? await begun(chunks) : await toFile(chunks, output);
  },
};

function chunksOf(
  format: Format,
  request: ExportRequest,
  { context, output }: { readonly context: CommandContext; readonly output: string | undefined },
): AsyncIterator<Uint8Array> {
  if (format !== 'warc') return (format === 'csv' ? csvChunks(request) : jsonChunks(request))[Symbol.asyncIterator]();
  const fileName = output === undefined ? 'winnow-export.warc.gz' : basename(output);
  const onLost = (url: string, detail: string): void => context.note(`${url} is left out: ${detail}`);
  return exportWarc({ ...request, now: context.now(), fileName, onLost })[Symbol.asyncIterator]();
}

/** The first chunk is awaited before anything is promised: a missing collection must be an error, not an empty file. */
async function begun(chunks: AsyncIterator<Uint8Array>): Promise<CommandResult> {
  const first = await chunks.next();
  return { kind: 'bytes', chunks: after(first, chunks) };
}

async function* after(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
}

async function toFile(chunks: AsyncIterator<Uint8Array>, output: string): Promise<CommandResult> {
  const first = await chunks.next();
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of after(first, withUnread(chunks))) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.from(counted()), createWriteStream(output));
  } catch (error) {
    if (error instanceof UnreadError)
      throw new UnableError(`export: cannot read the collection, ${output} is not complete: ${error.message}`);
    throw new UnableError(`export: cannot write ${output}: ${messageOf(error)}`);
  }
  return { kind: 'report', json: { file: output, bytes }, text: `${bytes} bytes written to ${output}` };
}

/** What the collection could not give: no fault of the file written to. */
class UnreadError extends Error {}

/** Only reading is watched: a failure to write also comes by, where the generator waits for the next chunk to be asked. */
function withUnread(chunks: AsyncIterator<Uint8Array>): AsyncIterator<Uint8Array> {
  return {
    next: () =>
      chunks.next().catch((error: unknown) => {
        throw new UnreadError(messageOf(error), { cause: error });
      }),
  };
}

async function* jsonChunks(request: ExportRequest): AsyncGenerator<Uint8Array> {
  for await (const line of exportPages(request)) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

const COLUMNS = ['url', 'state', 'reason', 'title', 'language', 'fetchedAt'] as const;

async function* csvChunks(request: ExportRequest): AsyncGenerator<Uint8Array> {
  const pages = exportPages(request);
  const first = await pages.next();
  yield Buffer.from(`${COLUMNS.join(',')}\r\n`);
  for (let next = first; next.done !== true; next = await pages.next()) yield Buffer.from(csvRow(next.value));
}

/** RFC 4180, with line ends as it names them. */
function csvRow(line: ExportLine): string {
  return `${COLUMNS.map((name) => csvCell(line[name] ?? '')).join(',')}\r\n`;
}

function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
