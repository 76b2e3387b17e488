import type { PageContext, PageRedirect, RobotsDirectives } from '../model/page.ts';
import { primarySubtag } from './language.ts';
import type { PageContent } from './page-content.ts';
import { parseRefresh } from './refresh.ts';
import { parseRobotsDirectives, type RobotsValue } from './robots-directives.ts';
import { scriptRedirect } from './script-redirect.ts';

/** UTF-16 units of visible text up to which a page may be nothing but a redirect by script. */
const TINY_PAGE = 600;

type Headers = PageContext['headers'];

/** The document's base URL (HTML standard, "document base URL"): the first base element with a href counts. */
export function resolveBase(url: string | undefined, baseHref: string | undefined): string | undefined {
  if (baseHref === undefined) return url;
  const resolved = URL.parse(baseHref.trim(), url);
  if (resolved === null || resolved.protocol === 'javascript:' || resolved.protocol === 'data:') return url;
  return resolved.href;
}

/** The first canonical link, from the elements or else the Link header (RFC 6596, RFC 8288), resolved. */
export function resolveCanonical(
  content: PageContent,
  known: { headers: Headers; baseUrl: string | undefined; url: string | undefined },
): string | undefined {
  for (const link of content.headLinks) {
    if (!link.rel.includes('canonical')) continue;
    const resolved = webUrl(link.href.trim(), known.baseUrl);
    if (resolved !== undefined) return resolved;
  }
  for (const target of canonicalTargets(known.headers?.['link'] ?? '')) {
    const resolved = webUrl(target, known.url);
    if (resolved !== undefined) return resolved;
  }
  return undefined;
}

/** Targets of the Link header's canonical relations. */
function canonicalTargets(header: string): string[] {
  const targets: string[] = [];
  for (const match of header.matchAll(
    /<([^>]{0,4000})>((?:\s*;\s*[^\s=;,<]{1,40}\s*(?:=\s*(?:"[^"]{0,400}"|[^\s";,<]{0,400}))?){0,20})/g,
  )) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))/i.exec(match[2] ?? '');
    const tokens = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/);
    if (tokens.includes('canonical') && match[1] !== undefined) targets.push(match[1].trim());
  }
  return targets;
}

function webUrl(reference: string, base: string | undefined): string | undefined {
  if (reference === '') return undefined;
  const url = URL.parse(reference, base);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

/** Meta robots, metas addressed to `agent`, and X-Robots-Tag, merged. */
export function pageDirectives(content: PageContent, context: PageContext, agent: string): RobotsDirectives {
  const values: RobotsValue[] = [];
  for (const meta of content.metas) {
    if (meta.attribute === 'name' && (meta.name === 'robots' || meta.name === agent.toLowerCase())) {
      values.push({ source: 'meta', agent: meta.name, content: meta.content });
    }
  }
  const header = context.headers?.['x-robots-tag'];
  if (header !== undefined) values.push({ source: 'header', content: header });
  return parseRobotsDirectives(values, agent);
}

/** As declared by `<html lang>`, the meta element or the header; primary subtag. */
export function declaredLanguage(content: PageContent, context: PageContext): string | undefined {
  const meta = content.metas.find(({ attribute, name }) => attribute === 'http-equiv' && name === 'content-language');
  const declared = [content.htmlLanguage, meta?.content, context.headers?.['content-language']];
  for (const tag of declared) {
    const subtag = tag === undefined ? undefined : primarySubtag(tag);
    if (subtag !== undefined) return subtag;
  }
  return undefined;
}

interface RedirectKnown {
  readonly context: PageContext;
  readonly baseUrl: string | undefined;
  readonly visibleLength: number;
}

/** Where the page sends its visitors: Location or Refresh header, meta refresh, or a plain script on a tiny page. */
export function resolveRedirect(content: PageContent, known: RedirectKnown): PageRedirect | undefined {
  const { context, baseUrl } = known;
  const status = context.status ?? 200;
  const location = status >= 300 && status < 400 ? context.headers?.['location'] : undefined;
  const found = location === undefined ? undefined : asRedirect('http', { target: location, seconds: 0 }, context.url);
  if (found !== undefined) return found;
  const header = context.headers?.['refresh'];
  const byHeader = header === undefined ? undefined : refreshOf('http', header, context.url);
  if (byHeader !== undefined && !isSelf(byHeader.target, context.url)) return byHeader;
  for (const meta of content.metas) {
    if (meta.attribute !== 'http-equiv' || meta.name !== 'refresh' || content.inertMetas.has(meta)) continue;
    const byMeta = refreshOf('meta', meta.content, baseUrl);
    if (byMeta !== undefined && !isSelf(byMeta.target, context.url)) return byMeta;
  }
  return known.visibleLength <= TINY_PAGE ? byScript(content, known) : undefined;
}

function byScript(content: PageContent, { context, baseUrl }: RedirectKnown): PageRedirect | undefined {
  for (const script of content.scripts) {
    if (script.text === '' || script.type === 'application/ld+json') continue;
    const target = scriptRedirect(script.text);
    const redirect = target === undefined ? undefined : asRedirect('script', { target, seconds: 0 }, baseUrl);
    if (redirect !== undefined && !isSelf(redirect.target, context.url)) return redirect;
  }
  return undefined;
}

function refreshOf(by: PageRedirect['by'], value: string, base: string | undefined): PageRedirect | undefined {
  const refresh = parseRefresh(value);
  return refresh === undefined || refresh.target === '' ? undefined : asRedirect(by, refresh, base);
}

/** Resolved where that is possible; a relative target of a page without a URL stays as written. */
function asRedirect(
  by: PageRedirect['by'],
  { target, seconds }: { target: string; seconds: number },
  base: string | undefined,
): PageRedirect | undefined {
  const url = URL.parse(target, base);
  if (url === null) return base === undefined && target !== '' ? { by, target, seconds } : undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' ? { by, target: url.href, seconds } : undefined;
}

function isSelf(target: string, url: string | undefined): boolean {
  if (url === undefined) return false;
  const own = URL.parse(url);
  const other = URL.parse(target);
  if (own === null || other === null || other.hash !== '') return false;
  own.hash = '';
  return own.href === other.href;
}
