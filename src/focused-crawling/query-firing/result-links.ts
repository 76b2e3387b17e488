import type { LinkPosition } from '../../model/page.ts';

export interface AnswerLink {
  readonly url: string;
  readonly key: string;
  readonly position: LinkPosition;
  readonly hidden: boolean;
}

/** A page as far as telling results from furniture needs it. */
export interface SearchAnswer {
  /** URL that answered, without fragment. */
  readonly url: string;
  /** The search sent the reader on to this page. */
  readonly redirected: boolean;
  readonly links: readonly AnswerLink[];
}

/** Positions of a page's furniture. */
const CHROME: ReadonlySet<LinkPosition> = new Set(['nav', 'header', 'footer', 'aside', 'form']);

/**
 * The links of an answer that are results, in order: visible, no link to the search itself (paging, sorting), not in the
 * answer to a nonsense query, and not in the furniture of the page that the search was found on. Without an answer to a
 * nonsense query every link of that page counts as furniture.
 */
export function resultLinks(
  answer: SearchAnswer,
  context: { readonly page: SearchAnswer; readonly nonsense: SearchAnswer | undefined },
): readonly Pick<AnswerLink, 'url'>[] {
  const { page, nonsense } = context;
  if (isOnlyHit(answer, nonsense)) return [{ url: answer.url }];
  const furniture = new Set([
    ...(nonsense?.links ?? []).map((link) => link.key),
    ...page.links.filter((link) => nonsense === undefined || CHROME.has(link.position)).map((link) => link.key),
  ]);
  const own = pathOf(answer.url);
  return answer.links.filter((link) => !link.hidden && !furniture.has(link.key) && pathOf(link.url) !== own);
}

/** Many searches show their only hit at once; a search that sends every query on does so with nonsense too. */
function isOnlyHit(answer: SearchAnswer, nonsense: SearchAnswer | undefined): boolean {
  if (!answer.redirected || nonsense === undefined || nonsense.redirected) return false;
  return !pathOf(answer.url).startsWith(pathOf(nonsense.url));
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
