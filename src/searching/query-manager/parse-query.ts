/** Words, or a quoted phrase, as typed. */
export interface ParsedClause {
  readonly text: string;
  readonly phrase: boolean;
}

export interface ParsedQuery {
  /** Each group must be met by one of its members; groups have one member unless joined by OR. */
  readonly groups: readonly (readonly ParsedClause[])[];
  readonly excluded: readonly ParsedClause[];
  /** Host names in lower case. */
  readonly sites: readonly string[];
  readonly excludedSites: readonly string[];
}

/** UTF-16 units and parts of a query that are read; the rest is ignored. */
const MAX_LENGTH = 8_000;
const MAX_PARTS = 200;

/**
 * Reads `word`, `"phrase"`, `-excluded`, `site:host`, `a OR b`, `a AND b`, `NOT a`. Never fails: an unbalanced quotation
 * mark is a character like others, unknown fields are words, operators with nothing to join are left out.
 */
export function parseQuery(text: string): ParsedQuery {
  const groups: ParsedClause[][] = [];
  const excluded: ParsedClause[] = [];
  const sites: string[] = [];
  const excludedSites: string[] = [];
  let joins = false;
  let negates = false;
  for (const part of split(text.slice(0, MAX_LENGTH))) {
    const operator = part.phrase || part.negative ? '' : part.text.replace(/[()]/g, '');
    if (operator === 'OR' || operator === '||') joins = groups.length > 0;
    else if (operator === 'NOT') negates = true;
    else if (operator !== 'AND' && operator !== '&&') {
      const site = part.phrase ? undefined : siteOf(part.text);
      const { text: words, phrase } = part;
      if (site !== undefined) {
        if (site !== '') (part.negative || negates ? excludedSites : sites).push(site);
      } else if (part.negative || negates) excluded.push({ text: words, phrase });
      else if (joins) groups.at(-1)?.push({ text: words, phrase });
      else groups.push([{ text: words, phrase }]);
      joins = negates = false;
    }
  }
  return groups.length > 0 || sites.length > 0 || text.trim() === ''
    ? { groups, excluded, sites, excludedSites }
    : { groups: operatorsAsWords(text), excluded, sites, excludedSites };
}

interface Part {
  readonly text: string;
  readonly phrase: boolean;
  readonly negative: boolean;
}

function split(text: string): Part[] {
  const plain = text.replace(/[\u201C\u201D\u201E\uFF02]/g, '"').replace(/\u3000/g, ' ');
  const parts: Part[] = [];
  let at = 0;
  while (at < plain.length && parts.length < MAX_PARTS) {
    if (isSpace(plain, at)) {
      at++;
      continue;
    }
    const negative = isExclusion(plain, at);
    const from = negative ? at + 1 : at;
    const close = plain[from] === '"' ? plain.indexOf('"', from + 1) : -1;
    let end = from + 1;
    if (close > 0) end = close + 1;
    else
      while (end < plain.length && !isSpace(plain, end) && !(plain[end] === '"' && plain.indexOf('"', end + 1) > 0))
        end++;
    const words = close > 0 ? plain.slice(from + 1, close) : plain.slice(from, end);
    if (words.trim() !== '') parts.push({ text: words, phrase: close > 0, negative });
    at = end;
  }
  return parts;
}

/** The host named by `site:…`; '' when none is named; undefined when it is not a site restriction. */
function siteOf(text: string): string | undefined {
  const value = /^\(*site:(.*)$/is.exec(text)?.[1];
  if (value === undefined) return undefined;
  return value
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^[*.]+/, '')
    .replace(/[/:?#)].*$/s, '')
    .replace(/\.$/, '');
}

/** A query of nothing but operators is about these words; one of nothing but exclusions finds nothing. */
function operatorsAsWords(text: string): ParsedClause[][] {
  const words = text.match(/\b(?:AND|OR|NOT)\b/g);
  const onlyOperators = words !== null && text.replace(/\b(?:AND|OR|NOT)\b|[\s()"]/g, '') === '';
  return onlyOperators ? words.map((word) => [{ text: word, phrase: false }]) : [];
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text[at] ?? '');
}

/** A minus before a word or a quotation. `-p` and `--help` are options of programs, which are looked for. */
function isExclusion(text: string, at: number): boolean {
  if (text[at] !== '-') return false;
  return /^-(?:"|[^\s-][^\s])/u.test(text.slice(at, at + 3));
}
