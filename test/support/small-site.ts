import { createServer, type Server } from 'node:http';
import { paragraph } from './prose.ts';

export interface SmallSite {
  /** 'http://127.0.0.1:port' */
  readonly origin: string;
  readonly requests: string[];
  stop(): Promise<void>;
}

/** A site of `pages` pages of distinct prose, linked from '/'; robots.txt forbids /private/. */
export async function startSmallSite(pages: number): Promise<SmallSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    if (path === '/robots.txt') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /private/\n');
      return;
    }
    const n = path === '/' ? 0 : Number(/^\/page-(\d+)\.html$/.exec(path)?.[1] ?? Number.NaN);
    if (!(n <= pages)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(n, pages));
  });
  const origin = await listen(server);
  return {
    origin,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function pageOf(n: number, pages: number): string {
  const links = Array.from({ length: pages }, (_, i) => `<li><a href="/page-${i + 1}.html">Letter ${i + 1}</a></li>`);
  const text = [0, 1, 2, 3].map((k) => `<p>${paragraph(n * 8 + k)}</p>`).join('\n');
  return `<!doctype html><html lang="en"><head><title>Letters from the harbour, number ${n}</title></head>
<body><main><h1>Letter number ${n}</h1>${text}</main>${n === 0 ? `<nav><ul>${links.join('')}</ul></nav>` : ''}</body></html>`;
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve(`http://127.0.0.1:${port}`);
    });
  });
}
