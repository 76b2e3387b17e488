import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

export interface ProxiedHost {
  readonly port: number;
  /** Accept-Language by path; other paths are asked for with the crawler's own. */
  readonly languages: ReadonlyMap<string, string>;
}

export interface ReverseProxy {
  readonly port: number;
  /** 'host/path' of every request, in order. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/**
 * Stands before the servers and hands on what they say, so that the text alone tells: the status is 200, a robots
 * meta element forbids nothing. It has no robots.txt, so that a server that answers everything with 503 is crawled too.
 */
export function startReverseProxy(hosts: ReadonlyMap<string, ProxiedHost>): Promise<ReverseProxy> {
  const requests: string[] = [];
  const server = createServer((asked, answer) => {
    const host = asked.headers.host?.split(':')[0] ?? '';
    const path = asked.url ?? '/';
    requests.push(`${host}${path}`);
    const upstream = hosts.get(host);
    if (upstream === undefined || path === '/robots.txt') answer.writeHead(404).end();
    else handOn(asked, answer, upstream);
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const stop = (): Promise<void> =>
        new Promise((done) => {
          server.closeAllConnections();
          server.close(() => done());
        });
      resolve({ port, requests, stop });
    });
  });
}

function handOn(asked: IncomingMessage, answer: ServerResponse, upstream: ProxiedHost): void {
  const path = asked.url ?? '/';
  const { 'accept-encoding': _, ...headers } = asked.headers;
  const language = upstream.languages.get(path);
  if (language !== undefined) headers['accept-language'] = language;
  const passed = request({ host: '127.0.0.1', port: upstream.port, path, headers, agent: false }, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => {
      const status = response.statusCode ?? 502;
      answer.writeHead(status >= 400 ? 200 : status, response.headers);
      answer.end(withoutNoindex(Buffer.concat(parts)));
    });
  });
  passed.on('error', () => answer.destroy());
  passed.end();
}

/** As long as before, for the sake of Content-Length. */
function withoutNoindex(body: Buffer): Buffer {
  const text = body
    .toString('latin1')
    .replace(/<meta name="robots"[^>]*>/gi, (meta) => meta.replace(/noindex/i, '  index').replace(/none/i, ' all'));
  return Buffer.from(text, 'latin1');
}
