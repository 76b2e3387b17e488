import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { paragraph, wordsOf } from './prose.ts';

export interface GeneratedWebOptions {
  readonly pages: number;
  readonly hosts: number;
  /** Share of pages of each sort; the rest are ordinary pages. */
  readonly exact: number;
  readonly near: number;
  readonly redirects: number;
  readonly slow: number;
  /** Milliseconds that a slow page takes. */
  readonly slowMs: number;
}

type Sort = 'page' | 'exact' | 'near' | 'redirect';

export interface GeneratedWeb {
  readonly seeds: readonly string[];
  readonly port: number;
  /** Requests by URL since the last reset, robots.txt included. */
  readonly requests: Map<string, number>;
  writeHosts(file: string): void;
  stop(): Promise<void>;
}

/**
 * A web of `pages` URLs over `hosts` names of one server: page i links to 2i+1, 2i+2, i+1, i+5 and to two others, so that
 * all are reached from page 0 though some in between are redirects. Which page is a copy, a near copy, a redirect or slow depends on its number alone.
 */
export async function startGeneratedWeb(options: GeneratedWebOptions): Promise<GeneratedWeb> {
  const requests = new Map<string, number>();
  const server = createServer((request, response) => void answer(request, response, options, requests));
  server.keepAliveTimeout = 5_000;
  const port = await listen(server);
  return {
    seeds: [pageUrl(0, options, port)],
    port,
    requests,
    writeHosts: (file) => writeFileSync(file, hostLines(options.hosts)),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function hostLines(hosts: number): string {
  return Array.from({ length: hosts }, (_, h) => `127.0.0.${(h % 200) + 10} ${hostName(h)}\n`).join('');
}

function hostName(host: number): string {
  return `site${host}.generated.example`;
}

function pageUrl(i: number, options: GeneratedWebOptions, port: number): string {
  return `http://${hostName(i % options.hosts)}:${port}/${section(i)}/page-${i}.html`;
}

function section(i: number): string {
  return ['guides', 'notes', 'reports', 'letters'][i % 4] ?? 'guides';
}

/** A number in [0, 1) that depends on `i` and `salt` alone. */
function chance(i: number, salt: number): number {
  let x = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
}

function sortOf(i: number, options: GeneratedWebOptions): Sort {
  if (i < 8) return 'page';
  const x = chance(i, 1);
  if (x < options.exact) return 'exact';
  if (x < options.exact + options.near) return 'near';
  return x < options.exact + options.near + options.redirects ? 'redirect' : 'page';
}

/** The ordinary page that page i copies or leads to: the next lower one of sort 'page' on the same host. */
function original(i: number, options: GeneratedWebOptions): number {
  let j = i - options.hosts;
  while (j > 0 && sortOf(j, options) !== 'page') j -= options.hosts;
  return Math.max(0, j);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: GeneratedWebOptions,
  requests: Map<string, number>,
): Promise<void> {
  const url = `http://${request.headers.host ?? ''}${request.url ?? ''}`;
  requests.set(url, (requests.get(url) ?? 0) + 1);
  const port = Number((request.headers.host ?? '').split(':')[1]);
  const i = Number(/\/page-(\d+)\.html$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
  if (!(i < options.pages) || url !== pageUrl(i, options, port)) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
    return;
  }
  if (chance(i, 2) < options.slow) await new Promise((resolve) => setTimeout(resolve, options.slowMs));
  if (sortOf(i, options) === 'redirect') {
    response.writeHead(i % 2 ? 301 : 302, { location: pageUrl(original(i, options), options, port) }).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(i, options, port));
}

function html(i: number, options: GeneratedWebOptions, port: number): string {
  const links = [
    2 * i + 1,
    2 * i + 2,
    i + 1,
    i + 5,
    Math.floor(chance(i, 3) * options.pages),
    Math.floor(chance(i, 4) * options.pages),
  ]
    .filter((j) => j < options.pages)
    .map((j) => `<li><a href="${pageUrl(j, options, port)}">${wordsOf(j, 3)}</a></li>`);
  const sort = sortOf(i, options);
  const source = sort === 'page' ? i : original(i, options);
  const paragraphs = Array.from({ length: 6 }, (_, p) => `<p>${paragraph(source * 16 + p)}</p>`);
  if (sort === 'near') paragraphs[5] = `<p>${paragraph(source * 16 + 5)} ${wordsOf(i, 4)}.</p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${wordsOf(source, 4)}</title></head>
<body><main><h1>${wordsOf(source, 4)}</h1>${paragraphs.join('\n')}</main><nav><ul>${links.join('')}</ul></nav></body></html>`;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '0.0.0.0', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
