import type { IncomingHttpHeaders } from 'node:http';

/** A request to one of the demo's sites. `path` holds the query too. */
export interface DemoRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: URLSearchParams;
  /** 'http://name:port' of the site with the given name, or of this one. */
  origin(host?: string): string;
}

export interface DemoAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One small site of the demo's local web. */
export interface DemoSite {
  readonly host: string;
  readonly about: string;
  answer(request: DemoRequest): DemoAnswer;
}

export interface PageParts {
  readonly title: string;
  readonly language?: string;
  readonly head?: string;
  readonly navigation: string;
  readonly main: string;
  readonly footer?: string;
}

/** A page of ours: plain, valid, with the usual furniture. */
export function page(parts: PageParts): DemoAnswer {
  return {
    status: 200,
    body: `<!doctype html>
<html lang="${parts.language ?? 'en'}"><head><meta charset="utf-8"><title>${parts.title}</title>${parts.head ?? ''}</head>
<body><header><nav>${parts.navigation}</nav></header>
<main>${parts.main}</main>
<footer>${parts.footer ?? ''}</footer></body></html>`,
  };
}

export function notFound(): DemoAnswer {
  return {
    status: 404,
    body: '<!doctype html><title>Not found</title><h1>Not found</h1><p>There is no such page.</p>',
  };
}

export function redirect(target: string, status = 302): DemoAnswer {
  return { status, headers: { location: target }, body: '' };
}

export function text(body: string): DemoAnswer {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

export function paragraphs(lines: readonly string[]): string {
  return lines.map((line) => `<p>${line}</p>`).join('\n');
}

/** Links to `paths` with their names. */
export function menu(entries: readonly (readonly [path: string, name: string])[]): string {
  return entries.map(([path, name]) => `<a href="${path}">${name}</a>`).join(' ');
}
