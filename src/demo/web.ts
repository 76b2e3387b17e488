import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { blog } from './sites/blog.ts';
import { docs, mirror } from './sites/docs.ts';
import { farms, parked, softNotFound } from './sites/garbage.ts';
import { library } from './sites/library.ts';
import { multilingual } from './sites/multilingual.ts';
import { createNews } from './sites/news.ts';
import { shop } from './sites/shop.ts';
import { type DemoAnswer, type DemoSite, notFound } from './sites/site.ts';

export interface DemoWeb {
  readonly port: number;
  readonly sites: readonly DemoSite[];
  /** Where a crawl of the demo begins: the sites an operator would list. */
  readonly seeds: readonly string[];
  /** hosts-file lines: every name at 127.0.0.1. */
  readonly hosts: string;
  /** Requests answered so far, by host. */
  readonly requests: ReadonlyMap<string, number>;
  /** Changes the newspaper's page /latest. */
  publish(title: string, text: string): void;
  stop(): Promise<void>;
}

const MAX_FORM_BYTES = 64 * 1024;

/** The demo's web: one server on 127.0.0.1, its sites told apart by the Host header. `beacon` = the Winnow server. */
export async function startDemoWeb(options: {
  readonly port: number;
  readonly beaconOrigin: string;
}): Promise<DemoWeb> {
  const news = createNews();
  const sites: readonly DemoSite[] = [
    docs,
    mirror,
    shop,
    blog,
    multilingual,
    ...farms,
    softNotFound,
    parked,
    news,
    library,
  ];
  const byHost = new Map(sites.map((site) => [site.host, site]));
  const requests = new Map<string, number>();
  let port = options.port;
  const server = createServer((request, response) => {
    const name = (request.headers.host ?? '').split(':')[0] ?? '';
    requests.set(name, (requests.get(name) ?? 0) + 1);
    const site = byHost.get(name);
    const originOf = (host = name): string =>
      host === 'winnow-beacon.example' ? options.beaconOrigin : `http://${host}:${port}`;
    void answer(request, response, (body) =>
      site === undefined ? notFound() : respond(site, request, { body, originOf }),
    );
  });
  port = await listen(server, options.port);
  return {
    port,
    sites,
    seeds: [docs, shop, blog].map((site) => `http://${site.host}:${port}/`),
    hosts: sites.map((site) => `127.0.0.1 ${site.host}\n`).join(''),
    requests,
    publish: (title, text) => news.publish(title, text),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function respond(
  site: DemoSite,
  request: IncomingMessage,
  given: { readonly body: URLSearchParams; readonly originOf: (host?: string) => string },
): DemoAnswer {
  const path = request.url ?? '/';
  const at = path.indexOf('?');
  return site.answer({
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(at < 0 ? '' : path.slice(at + 1)),
    headers: request.headers,
    body: given.body,
    origin: given.originOf,
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  make: (body: URLSearchParams) => DemoAnswer,
): Promise<void> {
  const made = make(new URLSearchParams(await bodyOf(request)));
  response.writeHead(made.status, { 'content-type': 'text/html; charset=utf-8', ...made.headers });
  response.end(request.method === 'HEAD' ? undefined : made.body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_FORM_BYTES) return '';
  }
  return text;
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
