import { BLOCK_CHROME, BLOCK_HIDDEN, BLOCK_MAIN, BLOCK_NOSCRIPT } from '../model/page.ts';
import { subtreeSums } from './chrome.ts';
import { DROP_ALWAYS, DROP_COMMENTS, DROP_POPUPS, DROP_SURROUNDING, dropWords } from './drop-words.ts';
import { type ElementTable, ROOT } from './element-table.ts';
import type { DraftBlock } from './page-content.ts';
import { BLOCK, TAG_BITS, tagNumber } from './tags.ts';

export interface MainTextInput {
  readonly blocks: DraftBlock[];
  readonly blockElements: readonly number[];
  readonly table: ElementTable;
}

/** Shortest block that counts as prose, in UTF-16 units. */
const PROSE_LENGTH = 25;
/** Share of link text from which on a block is no prose. */
const PROSE_LINKS = 0.5;
/** Share of a container's prose that one child must hold for the search to go into it. */
const DESCENT_SHARE = 0.5;
/** The same on short pages, in UTF-16 units of prose: they have no long article to look for. */
const SHORT_DESCENT_SHARE = 0.8;
const SHORT_PAGE = 1000;
/** Share of the chosen container's prose from which on a sibling full of prose belongs to it. */
const SIBLING_SHARE = 0.2;
/** Link share up to which a sibling may belong to the content. */
const SIBLING_LINKS = 0.2;
/** Length from which on a paragraph beside the chosen container belongs to it, in UTF-16 units. */
const LONE_PARAGRAPH = 80;
/** What prose in a list item counts: teasers and comments stand in lists more often than articles do. */
const ITEM_WEIGHT = 0.3;
/** Link share from which on a list, table or box inside the chosen container is left out. */
const GROUP_LINKS = 0.5;
/** Main texts shorter than both, as a share of the text outside navigation and links, are distrusted. */
const LEAST_SHARE = 0.1;
const DOUBTFUL_LENGTH = 500;
/** Main texts shorter than this are always distrusted. */
const LEAST_LENGTH = 140;
/** An element with more than this share of the prose is the content, whatever it is called. */
const MAJORITY = 0.6;
/** And more than this share of all text, links included: of a page of links a footer may hold all the prose there is. */
const MAJORITY_OF_TEXT = 0.4;
/** A page has one popup or two; many are something else. */
const MANY_POPUPS = 3;
/** Prose that must remain beside the comments, or the comments are the content. */
const LEAST_BESIDE_COMMENTS = 250;

const UNSEEN = BLOCK_HIDDEN | BLOCK_NOSCRIPT;

/** Marks the blocks of the page's main text with BLOCK_MAIN: one pass over blocks and elements each way. */
export function markMainText(input: MainTextInput): void {
  const dropped = droppedElements(input);
  if (mark(input, dropped, DROP_SURROUNDING) || mark(input, dropped, DROP_POPUPS)) return;
  mark(input, dropped, DROP_ALWAYS + 1);
  if (!input.blocks.some((block) => (block.flags & BLOCK_MAIN) !== 0)) markAnyProse(input.blocks);
}

/** For pages that stand in a header or a form altogether. */
function markAnyProse(blocks: readonly DraftBlock[]): void {
  for (const block of blocks) {
    if ((block.flags & UNSEEN) === 0 && block.linkLength <= block.text.length * PROSE_LINKS) block.flags |= BLOCK_MAIN;
  }
}

/** Per element: what its names and those around it call it, see {@link dropWords}; 0 for content. */
function droppedElements(input: MainTextInput): Uint8Array {
  const { blocks, table } = input;
  const { prose, text } = sumBlocks(input, (index) => ((blocks[index]?.flags ?? 0) & (UNSEEN | BLOCK_CHROME)) === 0);
  const total = prose[ROOT] ?? 0;
  const isMost = (element: number): boolean =>
    (prose[element] ?? 0) > total * MAJORITY && (text[element] ?? 0) > (text[ROOT] ?? 0) * MAJORITY_OF_TEXT;
  const dropped = new Uint8Array(table.length);
  const titled = titledElements(input);
  let comments = 0;
  const popups = { count: 0, prose: 0 };
  for (let element = 1; element < table.length; element++) {
    const outer = dropped[table.parent[element] ?? ROOT] ?? 0;
    if (outer !== 0) {
      dropped[element] = outer;
      continue;
    }
    const words = dropWords(table, element);
    if (words === DROP_SURROUNDING && isMost(element)) continue;
    // `module-http.cookies` names what the text is about; a cookie banner does not hold the page's first heading.
    if (words === DROP_ALWAYS && titled[element] === 1) continue;
    if (words === DROP_COMMENTS) comments += prose[element] ?? 0;
    if (words === DROP_POPUPS) {
      popups.count++;
      popups.prose += prose[element] ?? 0;
    }
    dropped[element] = words;
  }
  // A forum may call its posts comments, and a list of articles may call every summary a popup.
  const keepComments = comments > 0 && total - comments < LEAST_BESIDE_COMMENTS;
  const keepPopups = popups.count >= MANY_POPUPS && popups.prose > total * MAJORITY;
  if (!keepComments && !keepPopups) return dropped;
  return dropped.map((words) =>
    (keepComments && words === DROP_COMMENTS) || (keepPopups && words === DROP_POPUPS) ? 0 : words,
  );
}

/** Per element: 1 when a visible h1 stands in it. */
function titledElements({ blocks, blockElements, table }: MainTextInput): Uint8Array {
  const titled = new Uint8Array(table.length);
  blocks.forEach((block, index) => {
    if (block.headingLevel !== 1 || (block.flags & UNSEEN) !== 0) return;
    let element = blockElements[index] ?? ROOT;
    while (element !== ROOT && titled[element] === 0) {
      titled[element] = 1;
      element = table.parent[element] ?? ROOT;
    }
  });
  return titled;
}

interface Sums {
  readonly text: Float64Array;
  readonly links: Float64Array;
  readonly prose: Float64Array;
}

/** Leaves out elements dropped with at least the strength `from`; false when what remains is suspiciously little. */
function mark(input: MainTextInput, dropped: Uint8Array, from: number): boolean {
  const { blocks, blockElements, table } = input;
  const usable = (index: number): boolean => {
    if (((blocks[index]?.flags ?? 0) & (UNSEEN | BLOCK_CHROME)) !== 0) return false;
    return (dropped[blockElements[index] ?? ROOT] ?? 0) < from;
  };
  const sums = sumBlocks(input, usable);
  const chosen = chooseContainers(table, sums);
  const lists = linkGroups(table, sums, chosen);
  let length = 0;
  let total = 0;
  blocks.forEach((block, index) => {
    block.flags &= ~BLOCK_MAIN;
    if (!usable(index)) return;
    total += block.text.length - block.linkLength;
    const element = blockElements[index] ?? 0;
    if (chosen[element] === 0 || lists[element] === 1) return;
    if (block.linkLength > block.text.length * 0.8 && block.headingLevel === 0 && !LISTS.has(table.tag[element] ?? 0))
      return;
    block.flags |= BLOCK_MAIN;
    length += block.text.length;
  });
  if (length >= DOUBTFUL_LENGTH || (length >= LEAST_LENGTH && length >= total * LEAST_SHARE)) return true;
  // Too little: everything outside the page's chrome. A list of links is the content of an index page, and better than a
  // notice in the footer.
  const [least, left] = from === DROP_SURROUNDING ? [LEAST_LENGTH, sums.text[ROOT] ?? 0] : [1, total];
  if (left < least && from !== DROP_ALWAYS + 1) return false;
  blocks.forEach((block, index) => {
    if (usable(index)) block.flags |= BLOCK_MAIN;
  });
  return true;
}

function sumBlocks({ blocks, blockElements, table }: MainTextInput, usable: (index: number) => boolean): Sums {
  const text = new Float64Array(table.length);
  const links = new Float64Array(table.length);
  const prose = new Float64Array(table.length);
  const inItem = insideItems(table);
  blocks.forEach((block, index) => {
    if (!usable(index)) return;
    const element = blockElements[index] ?? 0;
    text[element] = (text[element] ?? 0) + block.text.length;
    links[element] = (links[element] ?? 0) + block.linkLength;
    prose[element] = (prose[element] ?? 0) + proseScore(block) * (inItem[element] === 1 ? ITEM_WEIGHT : 1);
  });
  return { text: subtreeSums(table, text), links: subtreeSums(table, links), prose: subtreeSums(table, prose) };
}

function insideItems(table: ElementTable): Uint8Array {
  const inside = new Uint8Array(table.length);
  for (let element = 1; element < table.length; element++) {
    inside[element] = table.tag[element] === LI ? 1 : (inside[table.parent[element] ?? ROOT] ?? 0);
  }
  return inside;
}

/** How much a block reads like running text. */
function proseScore(block: DraftBlock): number {
  const { length } = block.text;
  if (length < PROSE_LENGTH || block.linkLength > length * PROSE_LINKS || block.headingLevel > 0) return 0;
  return length - block.linkLength;
}

/** Per element: 1 inside the containers chosen as the page's content, 2 for the containers themselves. */
function chooseContainers(table: ElementTable, sums: Sums): Uint8Array {
  const { prose } = sums;
  const best = bestChildren(table, prose);
  const path: number[] = [ROOT];
  const needed = (prose[ROOT] ?? 0) < SHORT_PAGE ? SHORT_DESCENT_SHARE : DESCENT_SHARE;
  let at = ROOT;
  for (;;) {
    const child = best[at] ?? -1;
    const share = (prose[child] ?? 0) / (prose[at] ?? 0);
    // A paragraph is content, not a container.
    if (child < 0 || !(share >= needed) || PARAGRAPHS.has(table.tag[child] ?? 0)) break;
    at = child;
    path.push(at);
  }
  const onPath = new Set(path);
  const chosen = new Uint8Array(table.length);
  chosen[at] = 2;
  for (let element = 1; element < table.length; element++) {
    const parent = table.parent[element] ?? ROOT;
    if ((chosen[parent] ?? 0) > 0) chosen[element] = 1;
    else if (onPath.has(parent) && !onPath.has(element)) {
      const twin = path[(table.depth[parent] ?? 0) + 1] ?? ROOT;
      if (belongs(table, sums, { element, twin, core: prose[at] ?? 0 })) chosen[element] = 2;
    }
  }
  return chosen;
}

/** Whether a sibling of the way to the chosen container is a part of the same content. */
function belongs(
  table: ElementTable,
  { prose, text, links }: Sums,
  { element, twin, core }: { element: number; twin: number; core: number },
): boolean {
  const own = prose[element] ?? 0;
  if (own === 0 || (links[element] ?? 0) > (text[element] ?? 0) * SIBLING_LINKS) return false;
  const alike = table.tag[element] === table.tag[twin] && table.classNames[element] === table.classNames[twin];
  if (alike || own >= core * SIBLING_SHARE) return true;
  return PARAGRAPHS.has(table.tag[element] ?? 0) && own >= LONE_PARAGRAPH;
}

const PARAGRAPHS: ReadonlySet<number> = new Set('p blockquote pre'.split(' ').map(tagNumber));
const LI = tagNumber('li');
const LISTS: ReadonlySet<number> = new Set(
  'ul ol li table tbody thead tr td th dl dt dd h1 h2 h3 h4'.split(' ').map(tagNumber),
);

function bestChildren(table: ElementTable, values: Float64Array): Int32Array {
  const best = new Int32Array(table.length).fill(-1);
  for (let element = 1; element < table.length; element++) {
    const parent = table.parent[element] ?? ROOT;
    const rival = best[parent] ?? -1;
    if (rival < 0 || (values[element] ?? 0) > (values[rival] ?? 0)) best[parent] = element;
  }
  return best;
}

/** Per element: 1 inside a list, table or box that is mostly links. */
function linkGroups(table: ElementTable, { text, links }: Sums, chosen: Uint8Array): Uint8Array {
  const inside = new Uint8Array(table.length);
  for (let element = 1; element < table.length; element++) {
    const parent = table.parent[element] ?? ROOT;
    if (inside[parent] === 1) {
      inside[element] = 1;
      continue;
    }
    const tag = table.tag[element] ?? 0;
    if (chosen[element] !== 1) continue;
    if (((TAG_BITS[tag] ?? 0) & BLOCK) === 0 || LISTS.has(tag)) continue;
    const length = text[element] ?? 0;
    if (length > 0 && (links[element] ?? 0) > length * GROUP_LINKS) inside[element] = 1;
  }
  return inside;
}
