import type { Socket } from 'node:net';
import { BodySink } from './body-sink.ts';
import type {
  Answer,
  BodyEnd,
  BodyLimit,
  ExchangeLimits,
  ExchangeResult,
  ResponseHead,
  WireRequest,
} from './exchange.ts';

/**
 * One request on a fresh socket, read by rules that the strict parser refuses to follow although RFC 9112 §6.3 gives them:
 * Transfer-Encoding wins over Content-Length, and equal Content-Length values are one. The connection is closed
 * afterwards. `host` is the Host header. Never rejects.
 */
export function exchangeLeniently(
  socket: Socket,
  request: WireRequest & { readonly host: string },
  conditions: {
    readonly limits: ExchangeLimits;
    readonly bodyLimit: BodyLimit;
    readonly maxHeaderBytes: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    const reader = new LenientReader(conditions.bodyLimit, conditions.maxHeaderBytes);
    const { deadline, headersTimeoutMs } = conditions.limits;
    const timer = setTimeout(
      () => finish('time'),
      Math.max(1, Math.min(deadline - performance.now(), headersTimeoutMs)),
    );
    const onAbort = (): void => finish('cut');
    const finish = (end: BodyEnd): void => {
      clearTimeout(timer);
      conditions.signal?.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(reader.result(end));
    };
    conditions.signal?.addEventListener('abort', onAbort, { once: true });
    socket.on('data', (chunk: Buffer) => {
      const end = reader.push(chunk);
      if (end !== undefined) finish(end);
    });
    socket.on('end', () => finish(reader.endsAtClose ? 'complete' : 'cut'));
    socket.on('close', () => finish('cut'));
    socket.on('error', () => finish('cut'));
    socket.write(serialise(request));
    if (request.body !== undefined) socket.write(request.body);
  });
}

function serialise(request: WireRequest & { readonly host: string }): Buffer {
  const lines = [`${request.method} ${request.path} HTTP/1.1`, `Host: ${request.host}`, 'Connection: close'];
  for (let index = 0; index < request.headers.length; index += 2) {
    lines.push(`${request.headers[index]}: ${request.headers[index + 1]}`);
  }
  if (request.body !== undefined) lines.push(`Content-Length: ${request.body.length}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

class LenientReader {
  /** No length was given: the end of the connection is the end of the body. */
  endsAtClose = false;
  readonly #bodyLimit: BodyLimit;
  readonly #maxHeaderBytes: number;
  #pending: Buffer = EMPTY;
  #head: ResponseHead | undefined;
  #failure = 'connection closed before the headers were whole';
  #expected = Number.POSITIVE_INFINITY;
  #chunked = false;
  /** Bytes of the chunk still to come, its line end included. */
  #chunkLeft = 0;
  #body = new BodySink(0);

  constructor(bodyLimit: BodyLimit, maxHeaderBytes: number) {
    this.#bodyLimit = bodyLimit;
    this.#maxHeaderBytes = maxHeaderBytes;
  }

  /** Takes bytes; gives back how the message ended once it did. */
  push(chunk: Buffer): BodyEnd | undefined {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    if (this.#head === undefined) {
      const end = this.#readHead();
      if (end !== undefined || this.#head === undefined) return end;
    }
    return this.#chunked ? this.#readChunks() : this.#readPlain();
  }

  result(end: BodyEnd): ExchangeResult {
    if (this.#head === undefined) {
      const code = end === 'time' ? 'ETIMEDOUT' : 'HPE_LENIENT';
      return { answer: undefined, error: Object.assign(new Error(this.#failure), { code }), begun: true };
    }
    const answer: Answer = { head: this.#head, body: this.#body.take(), end, detail: '' };
    return { answer };
  }

  #readHead(): BodyEnd | undefined {
    const end = this.#pending.indexOf('\r\n\r\n');
    if (end < 0 && this.#pending.length <= this.#maxHeaderBytes) return undefined;
    const lines = this.#pending.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n');
    this.#pending = this.#pending.subarray(end + 4);
    const status = /^HTTP\/(1\.[01]) (\d{3})(?: (.*))?$/.exec(lines[0] ?? '');
    const rawHeaders = status === null ? undefined : readFields(lines.slice(1));
    if (status === null || rawHeaders === undefined) return this.#refuse('not an HTTP/1 header section');
    const [, httpVersion = '1.1', code = '', statusText = ''] = status;
    if (code.startsWith('1')) return this.#pending.length === 0 ? undefined : this.#readHead();
    const problem = this.#frame(rawHeaders, Number(code));
    if (problem !== undefined) return this.#refuse(problem);
    this.#head = { status: Number(code), statusText, httpVersion, rawHeaders };
    const limit = this.#bodyLimit(this.#head);
    this.#body = new BodySink(limit);
    return limit === 0 ? 'limit' : undefined;
  }

  /** Message body length, RFC 9112 §6.3. */
  #frame(rawHeaders: readonly string[], status: number): string | undefined {
    const codings = valuesOf(rawHeaders, 'transfer-encoding');
    const lengths = new Set(valuesOf(rawHeaders, 'content-length'));
    this.#chunked = codings.at(-1)?.toLowerCase() === 'chunked';
    if (status === 204 || status === 304) this.#expected = 0;
    if (this.#chunked || this.#expected === 0) return undefined;
    if (codings.length > 0 || lengths.size === 0) this.endsAtClose = true;
    else if (lengths.size > 1) return 'several different Content-Length values';
    else this.#expected = Number([...lengths][0]);
    return Number.isNaN(this.#expected) ? 'Content-Length is no number' : undefined;
  }

  #refuse(problem: string): BodyEnd {
    this.#failure = problem;
    return 'cut';
  }

  #readPlain(): BodyEnd | undefined {
    const fits = this.#body.push(this.#pending.subarray(0, Math.max(0, this.#expected - this.#body.length)));
    this.#pending = EMPTY;
    if (!fits) return 'limit';
    return this.#body.length >= this.#expected ? 'complete' : undefined;
  }

  #readChunks(): BodyEnd | undefined {
    let offset = 0;
    let end: BodyEnd | undefined;
    while (end === undefined && offset < this.#pending.length) {
      if (this.#chunkLeft === 0) {
        const lineEnd = this.#pending.indexOf('\r\n', offset);
        if (lineEnd < 0) {
          if (this.#pending.length - offset > MAX_CHUNK_LINE) end = 'cut';
          break;
        }
        end = this.#readChunkSize(this.#pending.subarray(offset, lineEnd));
        offset = lineEnd + 2;
      } else {
        const piece = this.#pending.subarray(offset, offset + this.#chunkLeft);
        const dataLeft = Math.max(0, this.#chunkLeft - 2);
        if (!this.#body.push(piece.subarray(0, dataLeft))) end = 'limit';
        this.#chunkLeft -= piece.length;
        offset += piece.length;
      }
    }
    this.#pending = this.#pending.subarray(offset);
    return end;
  }

  #readChunkSize(line: Buffer): BodyEnd | undefined {
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(line.toString('latin1', 0, MAX_CHUNK_LINE))?.[1];
    if (size === undefined) return 'cut';
    const length = Number.parseInt(size, 16);
    this.#chunkLeft = length + 2;
    return length === 0 ? 'complete' : undefined;
  }
}

const EMPTY = Buffer.alloc(0);
const MAX_CHUNK_LINE = 4096;

/** Names and values alternating; undefined when a line is no field. */
function readFields(lines: readonly string[]): string[] | undefined {
  const raw: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return undefined;
    raw.push(name, line.slice(colon + 1).trim());
  }
  return raw;
}

/** Every comma-separated value of the fields called `name`. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue;
    for (const value of (rawHeaders[index + 1] ?? '').split(',')) values.push(value.trim());
  }
  return values;
}
