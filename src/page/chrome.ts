import type { LinkPosition } from '../model/page.ts';
import type { ElementTable } from './element-table.ts';
import { tagNumber } from './tags.ts';

/** What an element stands in, per element; the innermost decides. */
export const PLACE_NONE = 0;
export const PLACE_NAV = 1;
export const PLACE_HEADER = 2;
export const PLACE_FOOTER = 3;
export const PLACE_ASIDE = 4;
export const PLACE_FORM = 5;
export const PLACE_BUTTON = 6;
/** article, main, or a header inside one of them. */
export const PLACE_ARTICLE = 7;

const POSITIONS: readonly LinkPosition[] = ['other', 'nav', 'header', 'footer', 'aside', 'form', 'form', 'other'];

/** Share of the page's visible text from which on a form is the page's wrapper and says nothing. */
const WRAPPER_SHARE = 0.5;

const BY_TAG = new Map<number, number>([
  [tagNumber('nav'), PLACE_NAV],
  [tagNumber('menu'), PLACE_NAV],
  [tagNumber('header'), PLACE_HEADER],
  [tagNumber('footer'), PLACE_FOOTER],
  [tagNumber('aside'), PLACE_ASIDE],
  [tagNumber('form'), PLACE_FORM],
  [tagNumber('search'), PLACE_FORM],
  [tagNumber('button'), PLACE_BUTTON],
  [tagNumber('article'), PLACE_ARTICLE],
  [tagNumber('main'), PLACE_ARTICLE],
]);

const BY_ROLE = new Map<string, number>(
  Object.entries({
    navigation: PLACE_NAV,
    menu: PLACE_NAV,
    menubar: PLACE_NAV,
    banner: PLACE_HEADER,
    contentinfo: PLACE_FOOTER,
    complementary: PLACE_ASIDE,
    search: PLACE_FORM,
    form: PLACE_FORM,
    button: PLACE_BUTTON,
    main: PLACE_ARTICLE,
    article: PLACE_ARTICLE,
  }),
);

const FORM = tagNumber('form');
const HEADER = PLACE_HEADER;

/** The place of each element. `textOf` holds the visible text directly in each element, in UTF-16 units. */
export function placesOf(table: ElementTable, textOf: Float64Array): Uint8Array {
  const wrappers = wrapperForms(table, textOf);
  const places = new Uint8Array(table.length);
  for (let element = 1; element < table.length; element++) {
    const outer = places[table.parent[element] ?? 0] ?? 0;
    const role = table.roles[element] ?? '';
    let own = (role === '' ? undefined : BY_ROLE.get(role)) ?? BY_TAG.get(table.tag[element] ?? 0) ?? PLACE_NONE;
    if (own === PLACE_FORM && wrappers.has(element)) own = PLACE_NONE;
    // The header of an article holds its title and its authors.
    if (own === HEADER && outer === PLACE_ARTICLE) own = PLACE_ARTICLE;
    // An article in a sidebar is a teaser.
    if (own === PLACE_ARTICLE && outer !== PLACE_NONE && outer !== PLACE_ARTICLE) own = outer;
    places[element] = own === PLACE_NONE ? outer : own;
  }
  return places;
}

export function isChrome(place: number): boolean {
  return place !== PLACE_NONE && place !== PLACE_ARTICLE;
}

export function linkPosition(place: number): LinkPosition {
  return POSITIONS[place] ?? 'other';
}

/** Forms around most of the page, as ASP.NET makes them. */
function wrapperForms(table: ElementTable, textOf: Float64Array): ReadonlySet<number> {
  const wrappers = new Set<number>();
  const inside = subtreeSums(table, textOf);
  const total = inside[0] ?? 0;
  for (let element = 0; element < table.length; element++) {
    if (table.tag[element] === FORM && (inside[element] ?? 0) > total * WRAPPER_SHARE) wrappers.add(element);
  }
  return wrappers;
}

/** Sums over each element's subtree; parents stand before their children. */
export function subtreeSums(table: ElementTable, values: Float64Array): Float64Array {
  const sums = values.slice(0, table.length);
  for (let element = table.length - 1; element > 0; element--) {
    const parent = table.parent[element] ?? 0;
    sums[parent] = (sums[parent] ?? 0) + (sums[element] ?? 0);
  }
  return sums;
}
