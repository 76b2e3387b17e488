import { BLOCK, HEADING, SCOPE, SPECIAL, TAG_BITS, tagNumber } from './tags.ts';

/** Elements nested deeper are read as siblings, as browsers do. */
export const MAX_DEPTH = 512;

const P = tagNumber('p');
const LI = tagNumber('li');
const DD = tagNumber('dd');
const DT = tagNumber('dt');
const DIV = tagNumber('div');
const ADDRESS = tagNumber('address');
const TABLE = tagNumber('table');
const TEMPLATE = tagNumber('template');
const HTML = tagNumber('html');
const BUTTON = tagNumber('button');

/**
 * The stack of open elements: tag, number in the element table and inherited state of each. Implied end tags follow the
 * HTML standard's scopes. Every operation costs at most the depth, which is bounded.
 */
export class OpenElements {
  readonly tags = new Uint16Array(MAX_DEPTH);
  readonly elements = new Int32Array(MAX_DEPTH);
  readonly states = new Int32Array(MAX_DEPTH);
  /** Nearest block-level element, per open element. */
  readonly blocks = new Int32Array(MAX_DEPTH);
  length = 0;
  /** Elements opened beyond the depth bound and not closed yet. */
  overflow = 0;
  private readonly open = new Int32Array(TAG_BITS.length);
  private readonly onPop: (tag: number, index: number) => void;

  constructor(onPop: (tag: number, index: number) => void) {
    this.onPop = onPop;
  }

  get top(): number {
    return this.length - 1;
  }

  get topTag(): number {
    return this.tags[this.length - 1] ?? 0;
  }

  get state(): number {
    return this.states[this.length - 1] ?? 0;
  }

  isOpen(tag: number): boolean {
    return (this.open[tag] ?? 0) > 0;
  }

  push(tag: number, element: number, state: number): void {
    const index = this.length++;
    this.tags[index] = tag;
    this.elements[index] = element;
    this.states[index] = state;
    this.blocks[index] = (bits(tag) & BLOCK) !== 0 || index === 0 ? element : (this.blocks[index - 1] ?? 0);
    this.open[tag] = (this.open[tag] ?? 0) + 1;
  }

  pop(): void {
    const index = this.length - 1;
    const tag = this.tags[index] ?? 0;
    this.onPop(tag, index);
    this.length = index;
    this.open[tag] = (this.open[tag] ?? 0) - 1;
  }

  /** Pops down to and including `index`. */
  popTo(index: number): void {
    while (this.length > index) this.pop();
  }

  /** Takes one element out from the middle; those above stay open and keep `keep` of their inherited state. */
  remove(index: number, keep: number): void {
    const tag = this.tags[index] ?? 0;
    this.onPop(tag, index);
    for (let at = index; at < this.length - 1; at++) {
      this.tags[at] = this.tags[at + 1] ?? 0;
      this.elements[at] = this.elements[at + 1] ?? 0;
      this.states[at] = (this.states[at + 1] ?? 0) & keep;
      this.blocks[at] = this.blocks[at + 1] ?? 0;
    }
    this.length--;
    this.open[tag] = (this.open[tag] ?? 0) - 1;
  }

  /** Index of the nearest open `tag`, not looking past a scope boundary; -1 when there is none. */
  inScope(tag: number): number {
    if (!this.isOpen(tag)) return -1;
    for (let at = this.length - 1; at >= 0; at--) {
      const other = this.tags[at] ?? 0;
      if (other === tag) return at;
      if ((bits(other) & SCOPE) !== 0 || (tag === P && other === BUTTON)) return -1;
    }
    return -1;
  }

  /** Index of the nearest open `tag` inside the current table-like boundary (table, template, html); -1 when none. */
  inTableScope(tag: number): number {
    if (!this.isOpen(tag)) return -1;
    for (let at = this.length - 1; at >= 0; at--) {
      const other = this.tags[at] ?? 0;
      if (other === tag) return at;
      if (other === TABLE || other === TEMPLATE || other === HTML) return -1;
    }
    return -1;
  }

  /** Index of the nearest open element of `tag` with no special element above it; -1 when none. */
  withinInline(tag: number): number {
    if (!this.isOpen(tag)) return -1;
    for (let at = this.length - 1; at >= 0; at--) {
      const other = this.tags[at] ?? 0;
      if (other === tag) return at;
      if ((bits(other) & (BLOCK | SPECIAL | SCOPE)) !== 0) return -1;
    }
    return -1;
  }

  closeParagraph(): void {
    const at = this.inScope(P);
    if (at >= 0) this.popTo(at);
  }

  /** A list item ends the one before unless another list lies between; `dd` and `dt` end each other. */
  closeItem(tag: number): void {
    if (!this.isOpen(LI) && !this.isOpen(DD) && !this.isOpen(DT)) return;
    for (let at = this.length - 1; at > 0; at--) {
      const other = this.tags[at] ?? 0;
      const ends = tag === LI ? other === LI : other === DD || other === DT;
      if (ends) {
        this.popTo(at);
        return;
      }
      if (other === DIV || other === P || other === ADDRESS) continue;
      if ((bits(other) & (BLOCK | SPECIAL | SCOPE)) !== 0) return;
    }
  }

  /** Pops elements until the top is one of `tags` or the document's own. */
  clearBackTo(tags: ReadonlySet<number>): void {
    while (this.length > 1 && !tags.has(this.topTag) && this.topTag !== TEMPLATE) this.pop();
  }

  headingOpen(): number {
    for (let at = this.length - 1; at >= 0; at--) {
      const other = bits(this.tags[at] ?? 0);
      if ((other & HEADING) !== 0) return at;
      if ((other & SCOPE) !== 0) return -1;
    }
    return -1;
  }
}

function bits(tag: number): number {
  return TAG_BITS[tag] ?? 0;
}
