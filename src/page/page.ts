import type { Form, Link, Page, PageContext, PageCounts, TextBlock } from '../model/page.ts';
import { BLOCK_CHROME, BLOCK_HIDDEN, BLOCK_MAIN, BLOCK_NOSCRIPT } from '../model/page.ts';
import { type DecodedText, decodeText } from './charset.ts';
import { isChrome, linkPosition, placesOf } from './chrome.ts';
import { declaredLanguage, pageDirectives, resolveBase, resolveCanonical, resolveRedirect } from './directives.ts';
import { detectLanguage } from './language.ts';
import { hideByLateStyles } from './late-styles.ts';
import { markMainText } from './main-text.ts';
import { PageContent } from './page-content.ts';
import type { PageOptions } from './page-options.ts';
import { KNOWN_TAGS, TAG_BITS } from './tags.ts';

/**
 * Reads a page: one tokenisation, then the rules that need the whole document (hidden text, main text, positions).
 * Never fails; what was odd is listed in `problems`. Time and memory are linear in the bytes.
 */
export function readPage(bytes: Uint8Array, context: PageContext, options: PageOptions): Page {
  const decoded = decodeText(bytes, {
    contentType: context.headers?.['content-type'],
    topLevelDomain: topLevelDomain(context.url),
  });
  const content = new PageContent(decoded.text, options);
  content.read();
  return assemble(content, { bytes: bytes.length, decoded, context, options });
}

interface Known {
  readonly bytes: number;
  readonly decoded: DecodedText;
  readonly context: PageContext;
  readonly options: PageOptions;
}

function assemble(content: PageContent, known: Known): Page {
  const { context, decoded } = known;
  if (content.lateStyles) hideByLateStyles(content);
  const places = placesOf(content.scanner.table, visibleTextOf(content));
  markBlocks(content, places);
  const { blocks } = content;
  const mainText = blocks
    .filter((block) => (block.flags & BLOCK_MAIN) !== 0)
    .map((block) => block.text)
    .join('\n');
  const declared = declaredLanguage(content, context);
  const baseUrl = resolveBase(context.url, content.baseHref);
  const { forms, loose } = finishForms(content, places);
  return {
    url: context.url,
    baseUrl,
    charset: decoded.charset,
    title: content.title ?? '',
    language: detectLanguage(languageSample(content, mainText), declared),
    declaredLanguage: declared,
    metas: content.metas,
    headLinks: content.headLinks,
    tagPaths: content.scanner.table.paths,
    blocks,
    mainText,
    links: finishLinks(content, places),
    forms,
    looseControls: loose,
    images: content.images,
    scripts: content.scripts,
    styles: content.styles,
    jsonLd: content.jsonLd,
    canonical: resolveCanonical(content, { headers: context.headers, baseUrl, url: context.url }),
    robots: pageDirectives(content, context, known.options.robotsToken),
    redirect: resolveRedirect(content, { context, baseUrl, visibleLength: visibleLength(blocks) }),
    counts: countsOf(content, known.bytes),
    problems: [...decoded.problems, ...content.problems, ...(context.truncated === true ? ['truncated'] : [])],
  };
}

/** The main text; where it is too short to tell, the title and whatever else is seen. */
function languageSample(content: PageContent, mainText: string): string {
  if (mainText.length >= SHORT_MAIN_TEXT) return mainText;
  let sample = (content.title ?? '') + ' ' + mainText;
  for (const block of content.blocks) {
    if (sample.length > LANGUAGE_SAMPLE) break;
    if ((block.flags & (UNSEEN | BLOCK_MAIN)) === 0) sample += ' ' + block.text;
  }
  return sample.trim();
}

/** UTF-16 units. */
const SHORT_MAIN_TEXT = 60;
const LANGUAGE_SAMPLE = 2000;

const UNSEEN = BLOCK_HIDDEN | BLOCK_NOSCRIPT;

/** UTF-16 units of visible text directly in each element. */
function visibleTextOf(content: PageContent): Float64Array {
  const units = new Float64Array(content.scanner.table.length);
  content.blocks.forEach((block, index) => {
    if ((block.flags & UNSEEN) !== 0) return;
    const element = content.blockElements[index] ?? 0;
    units[element] = (units[element] ?? 0) + block.text.length;
  });
  return units;
}

function markBlocks(content: PageContent, places: Uint8Array): void {
  const { blocks, blockElements, scanner } = content;
  blocks.forEach((block, index) => {
    if (isChrome(places[blockElements[index] ?? 0] ?? 0)) block.flags |= BLOCK_CHROME;
  });
  markMainText({ blocks, blockElements, table: scanner.table });
}

function finishLinks(content: PageContent, places: Uint8Array): Link[] {
  return content.links.map(({ link, parent }) => {
    const block = content.blocks[link.block];
    const isMain = block !== undefined && (block.flags & BLOCK_MAIN) !== 0;
    link.position = isMain ? 'main' : linkPosition(places[parent] ?? 0);
    if (block !== undefined && (block.flags & BLOCK_HIDDEN) !== 0) link.hidden = true;
    return link;
  });
}

function finishForms(content: PageContent, places: Uint8Array): { forms: Form[]; loose: Page['looseControls'] } {
  const { forms, loose } = content.forms.collector.finish();
  const { table } = content.scanner;
  const finished = forms.map(({ draft, controls, text }): Form => {
    const { element, run: _run, ...form } = draft;
    return { ...form, controls, text, position: linkPosition(places[table.parent[element] ?? 0] ?? 0) };
  });
  return { forms: finished, loose };
}

function visibleLength(blocks: readonly TextBlock[]): number {
  let length = 0;
  for (const block of blocks) if ((block.flags & UNSEEN) === 0) length += block.text.length;
  return length;
}

function countsOf(content: PageContent, bytes: number): PageCounts {
  const { counts, nameOf } = content.scanner;
  let hiddenLength = 0;
  for (const block of content.blocks) if ((block.flags & BLOCK_HIDDEN) !== 0) hiddenLength += block.text.length;
  const byTag: [string, number][] = [];
  for (let tag = 0; tag < TAG_BITS.length; tag++) {
    const count = counts.byTag[tag] ?? 0;
    if (count > 0) byTag.push([tag < KNOWN_TAGS.length ? (KNOWN_TAGS[tag] ?? '') : nameOf(tag), count]);
  }
  return {
    bytes,
    tags: counts.tags,
    maxDepth: counts.maxDepth,
    comments: counts.comments,
    commentLength: counts.commentLength,
    iframes: content.iframes,
    tinyFrames: content.tinyFrames,
    inlineScriptLength: content.inlineScriptLength,
    styleLength: content.styleLength,
    visibleLength: visibleLength(content.blocks),
    hiddenLength,
    byTag: Object.fromEntries(byTag),
  };
}

function topLevelDomain(url: string | undefined): string | undefined {
  const host = url === undefined ? undefined : URL.parse(url)?.hostname;
  return host === undefined ? undefined : host.slice(host.lastIndexOf('.') + 1);
}
