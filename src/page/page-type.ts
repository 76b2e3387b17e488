import type { PageType } from '../model/lists.ts';
import { BLOCK_HIDDEN, type Page } from '../model/page.ts';

/**
 * What sort of page it is, as far as change rates go: pages of one sort on one site change at similar rates. Told, in
 * this order, from its address, from what it declares (schema.org types, Open Graph), and from its build.
 */
export function pageType(page: Page, url: string | undefined): PageType {
  const path = url === undefined ? '' : (URL.parse(url)?.pathname ?? '');
  const hasQuery = url?.includes('?') === true;
  if (HOME.test(path) && !hasQuery) return 'home';
  const declared = declaredTypes(page);
  if (declared.some((type) => THREADS.test(type)) || THREAD_PATH.test(path)) return 'thread';
  if (declared.some((type) => PRODUCTS.test(type))) return 'product';
  if (isListing(page)) return 'listing';
  if (declared.some((type) => ARTICLES.test(type)) || isDated(page)) return 'article';
  return page.mainText.length >= DOCUMENT_LENGTH ? 'document' : 'other';
}

const HOME = /^\/(?:index\.\w{2,5}|home|start)?$/i;
const THREADS = /^(?:DiscussionForumPosting|QAPage|Question)$/i;
const THREAD_PATH = /\/(?:threads?|topics?|viewtopic|showthread|discussions?|questions)(?:[/.-]|$)/i;
const PRODUCTS = /^(?:Product|ProductGroup|og:product(?:\.item)?)$/i;
const ARTICLES = /^(?:\w*Article|BlogPosting|Report|og:article)$/i;
/** UTF-16 units of main text. */
const DOCUMENT_LENGTH = 1500;
const JSON_LD = 64 * 1024;

/** Types in JSON-LD, and og:type with 'og:' before it. */
function declaredTypes(page: Page): string[] {
  const text = page.jsonLd.join('\n').slice(0, JSON_LD);
  const types = Array.from(text.matchAll(/"@type"\s*:\s*"(\w{1,40})"/g), ([, type = '']) => type);
  const og = page.metas.find(({ name }) => name === 'og:type')?.content.trim();
  return og === undefined ? types : [...types, `og:${og}`];
}

const LISTED_LINKS = 20;
const LISTED_SHARE = 0.5;

/** Most of what is to be seen is links, and there are many. */
function isListing(page: Page): boolean {
  let text = 0;
  let linked = 0;
  let blocks = 0;
  for (const block of page.blocks) {
    if ((block.flags & BLOCK_HIDDEN) !== 0) continue;
    text += block.text.length;
    linked += block.linkLength;
    if (block.linkLength > 0) blocks++;
  }
  return blocks >= LISTED_LINKS && linked >= LISTED_SHARE * text;
}

function isDated({ metas }: Page): boolean {
  return metas.some(({ name }) => name === 'article:published_time' || name === 'datepublished');
}
