/** Longest class or id attribute kept, in UTF-16 units: real ones are shorter, hostile ones are megabytes. */
const MAX_NAME_LENGTH = 200;
/** Elements of a tag path; deeper ones share the path of their ancestor. */
const MAX_PATH_LENGTH = 40;
/** Classes named in one step of a path. */
const MAX_PATH_CLASSES = 4;

/** The number of the root element. */
export const ROOT = 0;

interface TablePathLimits {
  readonly elements: number;
  readonly paths: number;
}

/**
 * The elements of one page in document order, parents before children, as parallel arrays: a hundred thousand elements
 * cost a few allocations. Holds what rules over the whole document need.
 */
export class ElementTable {
  parent = new Int32Array(1024);
  tag = new Uint16Array(1024);
  /** 1 where the element hides its content by itself. */
  hidden = new Uint8Array(1024);
  depth = new Uint16Array(1024);
  readonly classNames: string[] = [];
  readonly ids: string[] = [];
  readonly roles: string[] = [];
  readonly paths: string[] = [];
  length = 0;
  private pathOf = new Int32Array(1024).fill(-1);
  private readonly pathNumbers = new Map<string, number>();
  private readonly limits: TablePathLimits;

  constructor(limits: TablePathLimits) {
    this.limits = limits;
  }

  get full(): boolean {
    return this.length >= this.limits.elements;
  }

  /** Adds an element and returns its number; when the table is full, the number of the parent. */
  add(parent: number, tag: number, className: string, id: string): number {
    if (this.full) return parent;
    const number = this.length++;
    if (number === this.parent.length) this.grow();
    this.parent[number] = parent;
    this.tag[number] = tag;
    this.depth[number] = number === ROOT ? 0 : (this.depth[parent] ?? 0) + 1;
    this.classNames.push(className.length > MAX_NAME_LENGTH ? cutAtSpace(className) : className);
    this.ids.push(id.length > MAX_NAME_LENGTH ? id.slice(0, MAX_NAME_LENGTH) : id);
    this.roles.push('');
    return number;
  }

  /** Number of the element's path in {@link paths}; the same path of two elements is one. */
  path(element: number, nameOf: (tag: number) => string): number {
    let start = element;
    while ((this.depth[start] ?? 0) >= MAX_PATH_LENGTH) start = this.parent[start] ?? ROOT;
    const open: number[] = [];
    let at = start;
    while (this.pathOf[at] === -1) {
      open.push(at);
      if (at === ROOT) break;
      at = this.parent[at] ?? ROOT;
    }
    let path = this.pathOf[at] ?? -1;
    while (open.length > 0) {
      const next = open.pop() ?? ROOT;
      path = this.intern(path, this.step(next, nameOf));
      this.pathOf[next] = path;
    }
    return path;
  }

  private intern(parentPath: number, step: string): number {
    const key = parentPath + ' ' + step;
    const known = this.pathNumbers.get(key);
    if (known !== undefined) return known;
    if (this.paths.length >= this.limits.paths) return Math.max(parentPath, 0);
    this.paths.push(parentPath < 0 ? step : this.paths[parentPath] + ' ' + step);
    this.pathNumbers.set(key, this.paths.length - 1);
    return this.paths.length - 1;
  }

  private step(element: number, nameOf: (tag: number) => string): string {
    const name = nameOf(this.tag[element] ?? 0);
    const className = this.classNames[element] ?? '';
    if (className !== '') {
      const classes = className.split(/[\t\n\f\r ]+/).filter((token) => token !== '');
      if (classes.length > 0) return name + '.' + classes.slice(0, MAX_PATH_CLASSES).join('.');
    }
    const id = this.ids[element] ?? '';
    return id === '' ? name : name + '#' + id.replace(/[\t\n\f\r ]+/g, '_');
  }

  private grow(): void {
    const size = this.parent.length * 2;
    this.parent = enlarge(this.parent, new Int32Array(size));
    this.tag = enlarge(this.tag, new Uint16Array(size));
    this.hidden = enlarge(this.hidden, new Uint8Array(size));
    this.depth = enlarge(this.depth, new Uint16Array(size));
    this.pathOf = enlarge(this.pathOf, new Int32Array(size).fill(-1));
  }
}

function enlarge<T extends Int32Array | Uint16Array | Uint8Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}

function cutAtSpace(text: string): string {
  const cut = text.slice(0, MAX_NAME_LENGTH);
  const space = cut.lastIndexOf(' ');
  return space > 0 ? cut.slice(0, space) : cut;
}
