/** Bits that say how an element behaves while a page is read. */
export const VOID = 1;
/** Its boundaries cut text blocks. */
export const BLOCK = 2;
/** Closes an open `p` (HTML standard, "in body" insertion mode). */
export const CLOSES_P = 4;
/** May stand in the head. */
export const HEAD = 8;
/** Handled by the adoption agency: a late end tag does not close the blocks opened inside. */
export const FORMATTING = 16;
/** End tags of elements outside do not reach through. */
export const SCOPE = 32;
/** Text inside is markup's own, not the page's. */
export const RAW = 64;
/** Text inside is a fallback or a drawing: not collected. */
export const SKIP = 128;
/** Its text counts as emphasised. */
export const STRONG = 256;
export const HEADING = 512;
/** "Special" of the HTML standard besides the blocks. */
export const SPECIAL = 1024;
/** Parts of a table that imply each other's end. */
export const TABLE_PART = 2048;

const GROUPS: readonly (readonly [string, number])[] = [
  ['area embed img input keygen wbr', VOID],
  ['br param source track col frame hr', VOID | SPECIAL],
  ['base basefont bgsound link meta', VOID | HEAD],
  ['title script style', HEAD | RAW | SPECIAL],
  ['noframes noembed iframe', RAW | SPECIAL],
  ['xmp', RAW | BLOCK | CLOSES_P],
  ['template', HEAD | SCOPE | SKIP | SPECIAL],
  ['noscript', HEAD | BLOCK],
  ['html body head frameset', BLOCK],
  [
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer',
    BLOCK | CLOSES_P,
  ],
  ['header hgroup main menu nav ol p section summary ul form search pre listing plaintext table', BLOCK | CLOSES_P],
  ['hr', BLOCK | CLOSES_P | VOID],
  ['li dd dt', BLOCK | CLOSES_P],
  ['h1 h2 h3 h4 h5 h6', BLOCK | CLOSES_P | HEADING],
  ['table', SCOPE],
  ['tr tbody thead tfoot colgroup', BLOCK | TABLE_PART],
  ['td th caption', BLOCK | TABLE_PART | SCOPE],
  ['optgroup option legend', BLOCK],
  ['select textarea', SPECIAL],
  ['textarea', RAW],
  ['button', SPECIAL],
  ['object marquee applet', SCOPE | SPECIAL],
  ['svg audio video canvas datalist', SKIP],
  ['a b big code em font i nobr s small strike strong tt u', FORMATTING],
  ['b strong em i mark', STRONG],
  ['html head body', SPECIAL],
  ['span label abbr cite dfn kbd samp var sub sup time ins del bdi bdo ruby rt rp rb rtc q output meter progress', 0],
  ['math slot picture map data image', 0],
];

/** Names of the elements with a fixed number; unknown ones get the numbers behind, page by page. */
export const KNOWN_TAGS: readonly string[] = [...new Set(GROUPS.flatMap(([names]) => names.split(' ')))];

export const KNOWN_TAG_NUMBERS: ReadonlyMap<string, number> = new Map(KNOWN_TAGS.map((name, number) => [name, number]));

/** Unknown elements told apart on one page; further names share the last number. */
export const UNKNOWN_TAGS = 256;

export const TAG_BITS = new Uint16Array(KNOWN_TAGS.length + UNKNOWN_TAGS);
for (const [names, bits] of GROUPS) {
  for (const name of names.split(' ')) TAG_BITS[tagNumber(name)] = bitsOf(name) | bits;
}

/** The number of a known element; throws for a name missing from the table, which is a mistake in this folder. */
export function tagNumber(name: string): number {
  const number = KNOWN_TAG_NUMBERS.get(name);
  if (number === undefined) throw new Error(`unknown element ${name}`);
  return number;
}

function bitsOf(name: string): number {
  return TAG_BITS[tagNumber(name)] ?? 0;
}
