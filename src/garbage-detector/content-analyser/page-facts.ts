import type { Page, PageContext, TextBlock } from '../../model/page.ts';
import { BLOCK_CHROME, BLOCK_HEADING, BLOCK_HIDDEN, BLOCK_MAIN, BLOCK_NOSCRIPT } from '../../model/page.ts';
import { type LinkFacts, linkFacts } from './link-facts.ts';
import type { PageCompany } from './page-company.ts';
import { MAX_TOKENS, tokenize } from './tokens.ts';

/** Everything that several heuristics ask of a page, gathered in one pass over it. */
export interface PageFacts {
  readonly page: Page;
  readonly context: PageContext;
  readonly company: PageCompany;
  /** Visible words in document order, at most {@link MAX_TOKENS}. */
  readonly words: readonly string[];
  readonly wordCounts: ReadonlyMap<string, number>;
  /** The same words as numbers: position in `wordCounts`. */
  readonly wordIds: Int32Array;
  /** Where in `words` each visible block begins; at the end their number. Blocks beyond {@link MAX_TOKENS} are empty. */
  readonly blockStarts: Int32Array;
  /** UTF-16 units of the visible text. */
  readonly visibleLength: number;
  readonly titleWords: readonly string[];
  readonly headingWords: readonly string[];
  /** Words of all h1. */
  readonly topHeadingWords: readonly string[];
  /** Visible words inside blocks of the main text. */
  readonly mainWords: number;
  readonly descriptionWords: readonly string[];
  readonly description: string;
  readonly keywords: string;
  readonly hiddenWords: readonly string[];
  /** Texts a reader meets first: title, headings and the first visible blocks, each short. */
  readonly openings: readonly Opening[];
  readonly visibleBlocks: readonly TextBlock[];
  readonly links: LinkFacts;
  /** Inline JavaScript, cut at 256 K units. */
  readonly script: string;
}

export interface Opening {
  readonly where: 'title' | 'heading' | 'block';
  readonly words: readonly string[];
}

export function pageFacts(page: Page, context: PageContext, company: PageCompany = {}): PageFacts {
  const visibleBlocks = page.blocks.filter((block) => (block.flags & (BLOCK_HIDDEN | BLOCK_NOSCRIPT)) === 0);
  const text = readBlocks(page, visibleBlocks);
  const description = metaContent(page, 'description');
  return {
    page,
    context,
    company,
    ...text,
    ...countWords(text.words),
    titleWords: tokenize(page.title, [], 200),
    descriptionWords: tokenize(description, [], 500),
    description,
    keywords: metaContent(page, 'keywords'),
    openings: openingsOf(page, visibleBlocks),
    visibleBlocks,
    links: linkFacts(page, context),
    script: joinScripts(page),
  };
}

const FIRST_UNITS = 20_000;

/** The first 20,000 units of the visible text, a line a block: a sample of one size for what is counted by characters. */
export function firstText({ visibleBlocks }: PageFacts): string {
  let text = '';
  for (const block of visibleBlocks) {
    if (text.length >= FIRST_UNITS) break;
    text += `${block.text.slice(0, FIRST_UNITS)}\n`;
  }
  return text.slice(0, FIRST_UNITS);
}

/** Content of the first `<meta name=…>` or `<meta property=…>` of that name, '' without one. */
export function metaContent(page: Page, name: string): string {
  for (const meta of page.metas) if (meta.name === name) return meta.content;
  return '';
}

interface BlockText {
  words: string[];
  blockStarts: Int32Array;
  headingWords: string[];
  topHeadingWords: string[];
  hiddenWords: string[];
  mainWords: number;
  visibleLength: number;
}

function readBlocks(page: Page, visible: readonly TextBlock[]): BlockText {
  const found: BlockText = {
    words: [],
    blockStarts: new Int32Array(visible.length + 1),
    headingWords: [],
    topHeadingWords: [],
    hiddenWords: [],
    mainWords: 0,
    visibleLength: 0,
  };
  for (const [at, block] of visible.entries()) {
    found.visibleLength += block.text.length + 1;
    const before = found.words.length;
    if (before < MAX_TOKENS) tokenize(block.text, found.words);
    found.blockStarts[at + 1] = found.words.length;
    if (block.flags & BLOCK_MAIN) found.mainWords += found.words.length - before;
    if ((block.flags & BLOCK_HEADING) === 0) continue;
    for (let i = before; i < found.words.length; i++) {
      const word = found.words[i] ?? '';
      found.headingWords.push(word);
      if (block.headingLevel === 1) found.topHeadingWords.push(word);
    }
  }
  for (const block of page.blocks) {
    if (block.flags & BLOCK_HIDDEN) tokenize(block.text, found.hiddenWords, HIDDEN_TOKENS);
  }
  return found;
}

const HIDDEN_TOKENS = 4000;

function countWords(words: readonly string[]): Pick<PageFacts, 'wordCounts' | 'wordIds'> {
  const numbers = new Map<string, number>();
  const wordIds = new Int32Array(words.length);
  const counts: number[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    let id = numbers.get(word);
    if (id === undefined) {
      id = counts.length;
      numbers.set(word, id);
      counts.push(0);
    }
    wordIds[at] = id;
    counts[id] = (counts[id] as number) + 1;
  }
  for (const [word, id] of numbers) numbers.set(word, counts[id] as number);
  return { wordCounts: numbers, wordIds };
}

/** Blocks looked at for what the page opens with. */
const OPENING_BLOCKS = 12;
/** Units of a block beyond which it is an article's paragraph, not a notice. */
const OPENING_LENGTH = 400;

function openingsOf(page: Page, visible: readonly TextBlock[]): Opening[] {
  const openings: Opening[] = [{ where: 'title', words: tokenize(page.title, [], 60) }];
  let blocks = 0;
  let headings = 0;
  for (const block of visible) {
    if (block.text.length > OPENING_LENGTH) continue;
    const isHeading = (block.flags & BLOCK_HEADING) !== 0;
    if (isHeading && headings++ < 6) openings.push({ where: 'heading', words: tokenize(block.text, [], 60) });
    else if ((block.flags & BLOCK_CHROME) === 0 && blocks++ < OPENING_BLOCKS) {
      openings.push({ where: 'block', words: tokenize(block.text, [], 60) });
    }
    if (blocks >= OPENING_BLOCKS && headings >= 6) break;
  }
  return openings;
}

const SCRIPT_LENGTH = 256 * 1024;

function joinScripts(page: Page): string {
  let all = '';
  for (const script of page.scripts) {
    if (script.text === '' || /json|template|html|markdown/i.test(script.type)) continue;
    all += script.text.slice(0, SCRIPT_LENGTH - all.length) + '\n';
    if (all.length >= SCRIPT_LENGTH) break;
  }
  return all;
}
