import { sequenceHash, termHash } from '../../inverted-index/forward.ts';
import type { Clause, MatchQuery } from '../../inverted-index/match-query.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { analyse, fold, type Token } from '../../text/text.ts';
import { type ParsedClause, type ParsedQuery, parseQuery } from './parse-query.ts';

export { type ParsedQuery, parseQuery } from './parse-query.ts';

/** One thing to count in documents: a word with its stems in the languages searched, or a name kept whole. */
export interface QueryTerm {
  readonly terms: readonly string[];
  readonly hashes: readonly number[];
  /** Times it stands in the query. */
  readonly weight: number;
  readonly stopWord: boolean;
  /** True for a name kept whole, whose parts are terms of their own. */
  readonly whole: boolean;
}

export interface Query {
  /** Without stop words, unless there is nothing else. */
  readonly match: MatchQuery;
  readonly terms: readonly QueryTerm[];
  /** Words in the order of the query, as places in `terms`. */
  readonly order: readonly number[];
  /** The whole query as {@link sequenceHash}, once per language. */
  readonly hashes: readonly number[];
  /** True when nothing can be found: no words, or only exclusions. */
  readonly empty: boolean;
}

/**
 * Text → what to match and what to count. Any text is a query: what is not understood is taken as words.
 * `languages` are those of the documents searched; a word is looked up with the stems of each.
 */
export function readQuery(text: string, languages: readonly string[]): Query {
  return compile(parseQuery(text), languages.length === 0 ? ['und'] : languages);
}

function compile(parsed: ParsedQuery, languages: readonly string[]): Query {
  const counted = new TermCollector(languages);
  const clauses: { readonly clause: Clause; readonly stopWord: boolean }[] = [];
  for (const group of parsed.groups) {
    const clause = asClause(group, languages);
    if (clause === undefined) continue;
    const stopWord = group.every((part) => !part.phrase && isStop(part.text, languages));
    clauses.push({ clause, stopWord });
    for (const part of group) counted.add(part.text, stopWord);
  }
  const content = clauses.filter(({ stopWord }) => !stopWord);
  const matched = content.length > 0 ? content : clauses;
  return {
    match: {
      clauses: matched.map(({ clause }) => clause),
      excluded: parsed.excluded.flatMap((part) => asClause([part], languages) ?? []),
      sites: parsed.sites,
      excludedSites: parsed.excludedSites,
    },
    terms: counted.terms(),
    order: counted.order,
    hashes: languages.map((language) => sequenceHash(wordsOf(parsed.groups.flat(), language))),
    empty: matched.length === 0,
  };
}

/** Collects the distinct terms of the query with all their forms. */
class TermCollector {
  readonly order: number[] = [];
  readonly #languages: readonly string[];
  readonly #places = new Map<string, number>();
  readonly #found: { terms: Set<string>; weight: number; stopWord: boolean; whole: boolean }[] = [];

  constructor(languages: readonly string[]) {
    this.#languages = languages;
  }

  /** Tokens of all languages that stand for the same characters are forms of one term. */
  add(text: string, stopWord: boolean): void {
    const spans = new Map<string, { terms: Set<string>; whole: boolean }>();
    for (const language of this.#languages) {
      for (const token of analyse(text, language)) {
        const key = `${token.start}:${token.end}`;
        const span = spans.get(key);
        if (span === undefined) spans.set(key, { terms: new Set([token.term]), whole: token.extra });
        else span.terms.add(token.term);
      }
    }
    for (const { terms, whole } of spans.values()) this.#count(terms, whole, stopWord);
  }

  terms(): QueryTerm[] {
    return this.#found.map(({ terms, weight, stopWord, whole }) => ({
      terms: [...terms],
      hashes: [...terms].map(termHash),
      weight,
      stopWord,
      whole,
    }));
  }

  #count(terms: Set<string>, whole: boolean, stopWord: boolean): void {
    const key = [...terms].sort().join(' ');
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#found.push({ terms, weight: 0, stopWord, whole }) - 1;
      this.#places.set(key, place);
    }
    const entry = this.#found[place];
    if (entry !== undefined) entry.weight++;
    if (!whole) this.order.push(place);
  }
}

/** The alternatives of a group: every spelling in every language. undefined when it holds no words. */
function asClause(group: readonly ParsedClause[], languages: readonly string[]): Clause | undefined {
  const alternatives = new Map<string, readonly string[]>();
  for (const { text } of group) {
    for (const language of languages) {
      const tokens = analyse(text, language);
      const words = tokens.filter((token) => !token.extra);
      add(
        alternatives,
        words.map((token) => token.term),
      );
      if (words.length === 1) for (const other of otherForms(tokens)) add(alternatives, [other]);
    }
  }
  if (alternatives.size === 0) return undefined;
  return { alternatives: [...alternatives.values()], phrase: group.every((part) => part.phrase) };
}

/** Further stems of a single word; not the names kept whole, which its word already finds. */
function otherForms(tokens: readonly Token[]): string[] {
  const word = tokens.find((token) => !token.extra);
  return tokens
    .filter((token) => token.extra && token.start === word?.start && token.end === word.end)
    .map((token) => token.term);
}

function add(alternatives: Map<string, readonly string[]>, terms: readonly string[]): void {
  if (terms.length > 0) alternatives.set(terms.join(' '), terms);
}

function isStop(text: string, languages: readonly string[]): boolean {
  const word = fold(text).replace(/[^\p{L}\p{N}'-]/gu, '');
  return languages.some((language) => isStopWord(word, language));
}

function* wordsOf(parts: readonly ParsedClause[], language: string): Generator<string> {
  for (const { text } of parts) {
    for (const token of analyse(text, language)) if (!token.extra) yield token.term;
  }
}
