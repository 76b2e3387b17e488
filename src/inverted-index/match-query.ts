import { COLUMN_END } from './index-document.ts';

/**
 * One thing that a document must hold: any of the alternatives, each a sequence of terms standing side by side.
 */
export interface Clause {
  readonly alternatives: readonly (readonly string[])[];
  /** Quoted by the user: the words must stand side by side. */
  readonly phrase: boolean;
}

/** What to match, terms as the text analysis gives them. */
export interface MatchQuery {
  readonly clauses: readonly Clause[];
  readonly excluded: readonly Clause[];
  /** Host names; a document of the host or of a host below it fits. Empty = everywhere. */
  readonly sites: readonly string[];
  readonly excludedSites: readonly string[];
}

/** FTS5 expression for one clause. */
export function clauseExpression(clause: Clause): string {
  const parts = clause.alternatives.filter((terms) => terms.length > 0).map((terms) => quoted(terms.join(' ')));
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' OR ')})`;
}

/**
 * FTS5 expression: the clauses joined, and not what is excluded, and within the sites. `columns` is a column filter for
 * the clauses, '' = all columns.
 */
export function matchExpression(query: MatchQuery, joiner: 'AND' | 'OR', columns = ''): string {
  let expression = `${columns}(${query.clauses.map(clauseExpression).join(` ${joiner} `)})`;
  if (query.sites.length > 0) expression += ` AND (${query.sites.map((site) => quoted(siteTerm(site))).join(' OR ')})`;
  const excluded = [
    ...query.excluded.map(clauseExpression),
    ...query.excludedSites.map((site) => quoted(siteTerm(site))),
  ];
  return excluded.length === 0 ? expression : `(${expression}) NOT (${excluded.join(' OR ')})`;
}

/** Terms of the `site` column: the host and every domain above it. */
export function siteTerms(host: string): string {
  const labels = host
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '');
  return labels.map((_, i) => siteTerm(labels.slice(i).join('.'))).join(' ');
}

/** True when the host is the site or below it. */
export function isWithin(host: string, site: string): boolean {
  return host === site || host.endsWith(`.${site}`);
}

function siteTerm(site: string): string {
  return COLUMN_END + site;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '')}"`;
}
