import type { Candidate } from '../inverted-index/candidate.ts';
import { type TermTable, termHash } from '../inverted-index/forward.ts';
import type { DocumentGroup, InvertedIndex } from '../inverted-index/inverted-index.ts';
import type { Verdict } from '../model/lists.ts';
import type { FacetValue, SearchHit, SearchResult } from '../model/reports.ts';
import { analyse } from '../text/text.ts';
import { type Query, readQuery } from './query-manager/query-manager.ts';
import { type Ranked, type RankingOptions, rank } from './ranking/ranking.ts';
import { cutSnippet, makeSnippet, type Snippet, type SoughtTerm } from './snippets/snippets.ts';
import { suggest } from './suggestion.ts';

export interface SearchOptions {
  readonly ranking: RankingOptions;
  /** Fewer documents than this with all words: documents with any of them are shown too. */
  readonly relaxBelow: number;
  /** A query word is looked up with the stems of every language that has at least this share of the documents. */
  readonly languageShare: number;
  /** UTF-16 units of a snippet. */
  readonly snippetLength: number;
  /** Values shown per facet. */
  readonly facetValues: number;
}

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly explain: boolean;
}

/** What the result page shows of a stored page. */
export interface StoredDocument {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  /** Main text, blocks separated by line feeds. */
  readonly text: string;
  readonly language: string;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly changedAt?: number | undefined;
  /** Verdict of a page that is shown in spite of it. */
  readonly flagged?: Verdict | undefined;
  /** Further URLs with the same content. */
  readonly duplicates: number;
  /** False: `nosnippet`. */
  readonly snippet: boolean;
  /** UTF-16 units, from `max-snippet`. */
  readonly maxSnippet?: number | undefined;
}

export interface SearchContext {
  readonly index: InvertedIndex;
  /** Stored documents in any order; ids that are gone may be missing. */
  readonly loadDocuments: (ids: readonly number[]) => Promise<readonly StoredDocument[]>;
  readonly options: SearchOptions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Found {
  readonly query: Query;
  readonly total: number;
  readonly relaxed: boolean;
  /** Best first; no more than the index gives candidates. */
  readonly ranked: readonly Ranked[];
  /** Matching documents, ranked ones first; no more than the index gives by id. */
  readonly ids: readonly number[];
}

/** Answers a query: match, rank, show. Never fails on any query text. */
export async function search(request: SearchRequest, context: SearchContext): Promise<SearchResult> {
  const started = performance.now();
  const { index, options } = context;
  const found = find(request.query, index, options);
  const page = found.ranked.slice(request.offset, request.offset + request.limit);
  const documents = await context.loadDocuments(page.map(({ candidate }) => candidate.id));
  const byId = new Map(documents.map((document) => [document.id, document]));
  const sought = soughtTerms(found.query, index);
  const hits = page.flatMap((ranked) => {
    const document = byId.get(ranked.candidate.id);
    return document === undefined ? [] : [asHit(ranked, document, sought, { request, options })];
  });
  const suggestion = found.total === 0 || found.relaxed ? suggestionFor(request.query, index, options) : undefined;
  return {
    query: request.query,
    total: found.total,
    tookMs: Math.round((performance.now() - started) * 10) / 10,
    relaxed: found.relaxed,
    ...(suggestion === undefined ? {} : { suggestion }),
    hits,
    facets: facetsOf(index.groupsOf(found.ids), context),
  };
}

/** Matches and ranks without reading any stored page. */
export function find(text: string, index: InvertedIndex, options: SearchOptions): Found {
  const statistics = index.statistics();
  const query = readQuery(text, searchedLanguages(index, options));
  if (query.empty) return { query, total: 0, relaxed: false, ranked: [], ids: [] };
  let matches = index.matchAll(query.match);
  let relaxed = false;
  if (matches.total < options.relaxBelow && query.match.clauses.length > 1) {
    const any = index.matchAny(query.match);
    relaxed = any.total > matches.total;
    if (relaxed) matches = any;
  }
  const ranked = rank(matches.candidates, query, {
    statistics,
    documentFrequency: (term) => index.documentFrequency(term),
    sequences: (ids) => index.sequences(ids),
    options: options.ranking,
  });
  return { query, total: matches.total, relaxed, ranked, ids: matches.ids };
}

function searchedLanguages(index: InvertedIndex, options: SearchOptions): string[] {
  const { documents, languages } = index.statistics();
  const common = languages.filter((entry) => entry.documents >= documents * options.languageShare);
  return common.map((entry) => entry.language);
}

function asHit(
  { candidate, score, parts }: Ranked,
  document: StoredDocument,
  sought: readonly SoughtTerm[],
  { request, options }: { readonly request: SearchRequest; readonly options: SearchOptions },
): SearchHit {
  const { text, highlights } = snippetOf(document, candidate, sought, options);
  return {
    url: document.url,
    title: document.title,
    snippet: text,
    highlights,
    score,
    site: candidate.site,
    language: document.language,
    fetchedAt: new Date(document.fetchedAt).toISOString(),
    ...(document.changedAt === undefined ? {} : { changedAt: new Date(document.changedAt).toISOString() }),
    ...(document.flagged === undefined ? {} : { flagged: document.flagged }),
    duplicates: document.duplicates,
    ...(request.explain ? { explanation: parts } : {}),
  };
}

function snippetOf(
  document: StoredDocument,
  { terms, language }: Candidate,
  sought: readonly SoughtTerm[],
  options: SearchOptions,
): Snippet {
  if (!document.snippet || document.maxSnippet === 0) return { text: '', highlights: [] };
  // Words that the page does not hold would make the snippet read all of it in vain.
  const held = sought.filter((term) => term.terms.some((form) => isInText(terms, form)));
  const { text } = document;
  const snippet = makeSnippet({ text, language, sought: held, maxLength: options.snippetLength });
  return document.maxSnippet === undefined ? snippet : cutSnippet(snippet, document.maxSnippet);
}

function isInText(terms: TermTable, form: string): boolean {
  const place = terms.find(termHash(form));
  return place >= 0 && SHOWN_FIELDS.some((field) => terms.count(place, field) > 0);
}

/** Fields whose words stand in the stored text. */
const SHOWN_FIELDS = ['body', 'headings', 'aside'] as const;

/** Stop words are marked only when nothing else is sought. */
function soughtTerms(query: Query, index: InvertedIndex): SoughtTerm[] {
  const content = query.terms.filter((term) => !term.stopWord);
  const all = index.statistics().documents;
  return (content.length > 0 ? content : query.terms).map(({ terms }) => {
    const documents = Math.min(all, Math.max(0, ...terms.map((term) => index.documentFrequency(term))));
    return { terms, idf: Math.log(1 + (all - documents + 0.5) / (documents + 0.5)) };
  });
}

function suggestionFor(text: string, index: InvertedIndex, options: SearchOptions): string | undefined {
  const languages = searchedLanguages(index, options);
  const isKnown = (word: string): boolean =>
    languages.some((language) => analyse(word, language).some(({ term }) => index.documentFrequency(term) > 0));
  return suggest(text, isKnown, (start) => index.wordsWith(start).filter(({ word }) => isKnown(word)));
}

const DAY = 86_400_000;
const TIME_SPANS = [
  ['day', DAY],
  ['week', 7 * DAY],
  ['month', 30 * DAY],
  ['year', 365 * DAY],
] as const;

/** Counts over the matching documents that are known by id; for common words that is a sample of the best. */
function facetsOf(groups: readonly DocumentGroup[], { options, now }: SearchContext): SearchResult['facets'] {
  const today = now();
  const span = (group: DocumentGroup): string =>
    TIME_SPANS.find(([, length]) => today - group.time <= length)?.[0] ?? 'older';
  const count = (facetOf: (group: DocumentGroup) => string): FacetValue[] => {
    const counts = new Map<string, number>();
    for (const group of groups) {
      const value = facetOf(group);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const values = Array.from(counts, ([value, n]) => ({ value, count: n }));
    return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, options.facetValues);
  };
  return {
    site: count((group) => group.site),
    language: count((group) => group.language),
    type: count((group) => group.type),
    time: count(span),
  };
}
