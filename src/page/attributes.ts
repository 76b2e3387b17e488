const NAMES = [
  ...['id', 'class', 'style', 'href', 'src', 'rel', 'name', 'content', 'property', 'http-equiv', 'charset', 'itemprop'],
  ...['type', 'value', 'action', 'method', 'enctype', 'accept-charset', 'target', 'role', 'alt', 'width', 'height'],
  ...['title', 'for', 'form', 'placeholder', 'aria-label', 'checked', 'selected', 'disabled', 'required', 'multiple'],
  ...['hidden', 'lang', 'hreflang', 'data-src', 'label', 'xml:lang', 'aria-modal'],
] as const;

export type AttributeName = (typeof NAMES)[number];

const NUMBERS: ReadonlyMap<string, number> = new Map(NAMES.map((name, number) => [name, number]));
const LONGEST = Math.max(...NAMES.map((name) => name.length));

/** The attributes of the start tag being read; only those that the page reader uses are kept. The first of a name counts. */
export class Attributes {
  private readonly values: (string | undefined)[] = new Array<string | undefined>(NAMES.length).fill(undefined);
  private readonly set: number[] = [];
  private current = -1;
  private value = '';

  /** Begins an attribute whose name stands in `source` from `start` to `end`. */
  begin(source: string, start: number, end: number): void {
    this.value = '';
    this.current = -1;
    if (end - start > LONGEST) return;
    const raw = source.slice(start, end);
    const number = NUMBERS.get(raw) ?? NUMBERS.get(raw.toLowerCase()) ?? -1;
    if (number >= 0 && this.values[number] === undefined) this.current = number;
  }

  /** Whether the value of the attribute begun is wanted. */
  get wanted(): boolean {
    return this.current >= 0;
  }

  append(piece: string): void {
    this.value = this.value === '' ? piece : this.value + piece;
  }

  end(): void {
    if (this.current < 0) return;
    this.values[this.current] = this.value;
    this.set.push(this.current);
    this.current = -1;
  }

  clear(): void {
    for (const number of this.set) this.values[number] = undefined;
    this.set.length = 0;
  }

  get any(): boolean {
    return this.set.length > 0;
  }

  /** undefined when the start tag has no such attribute. */
  get(name: AttributeName): string | undefined {
    return this.values[NUMBERS.get(name) ?? -1];
  }

  text(name: AttributeName): string {
    return this.get(name) ?? '';
  }

  has(name: AttributeName): boolean {
    return this.get(name) !== undefined;
  }
}

/** A frame or image of at most one pixel a side. */
export function isTiny(width: string | undefined, height: string | undefined): boolean {
  const tiny = /^\s*[01](?:px)?\s*$/;
  return width !== undefined && height !== undefined && tiny.test(width) && tiny.test(height);
}
