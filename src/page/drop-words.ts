import type { ElementTable } from './element-table.ts';
import { tagNumber } from './tags.ts';

/** Strengths of {@link dropWords}. */
export const DROP_SURROUNDING = 1;
export const DROP_COMMENTS = 2;
export const DROP_POPUPS = 3;
export const DROP_ALWAYS = 4;

/** Words of class names and ids of what is never a page's content. */
const ALWAYS: ReadonlySet<string> = new Set(
  'cookie cookies cookiebar cookieconsent cookiebanner gdpr ccpa consent onetrust'.split(' '),
);

/** Words of what surrounds the content; where nothing else is left they do not count. */
const SURROUNDING: ReadonlySet<string> = new Set(
  (
    'sidebar sidebars related recommended recommendations recirc share sharing sharebar ' +
    'social socials addthis newsletter subscribe subscription signup promo promos promotion advert adverts advertisement ads ' +
    'adsense sponsor sponsored outbrain taboola breadcrumb breadcrumbs pagination pager menu nav navbar navigation footer ' +
    'masthead skyscraper trending popular tags taglist toolbar login byline hatnote noprint navbox metadata shoutbox'
  ).split(' '),
);

/** Words of what readers wrote below the content. */
const COMMENTS: ReadonlySet<string> = new Set(
  'comment comments commentlist commentary disqus replies responses'.split(' '),
);

/** Words of what opens over the page. */
const POPUPS: ReadonlySet<string> = new Set('modal popup lightbox overlay'.split(' '));

/** Words that turn the word after them into a remark on the layout: `contentWithSidebar`, `has-sidebar`, `no-comments`. */
const LAYOUT: ReadonlySet<string> = new Set('with without has no is layout col'.split(' '));

const BODY = tagNumber('body');
const DIALOG = tagNumber('dialog');

/** What the names and the role of an element say: whole words only, `sharebar-top` holds `sharebar` and `top`. */
export function dropWords(table: ElementTable, element: number): number {
  const role = table.roles[element] ?? '';
  if (table.tag[element] === DIALOG || role === 'dialog' || role === 'alertdialog') return DROP_ALWAYS;
  // The names of the body tell which layout the page has.
  if (table.tag[element] === BODY) return 0;
  const className = table.classNames[element] ?? '';
  const id = table.ids[element] ?? '';
  if (className === '' && id === '') return 0;
  return rate(className + ' ' + id);
}

const remembered = new Map<string, number>();
const MAX_REMEMBERED = 20_000;

function rate(names: string): number {
  const known = remembered.get(names);
  if (known !== undefined) return known;
  let strength = 0;
  for (const token of names.split(/[\t\n\f\r ]+/)) strength = Math.max(strength, rateToken(token));
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(names, strength);
  return strength;
}

function rateToken(token: string): number {
  let strength = 0;
  let before = '';
  for (const word of token
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)) {
    if (!LAYOUT.has(before)) {
      if (ALWAYS.has(word)) strength = Math.max(strength, DROP_ALWAYS);
      else if (POPUPS.has(word)) strength = Math.max(strength, DROP_POPUPS);
      else if (COMMENTS.has(word)) strength = Math.max(strength, DROP_COMMENTS);
      else if (SURROUNDING.has(word)) strength = Math.max(strength, DROP_SURROUNDING);
    }
    before = word;
  }
  return strength;
}
