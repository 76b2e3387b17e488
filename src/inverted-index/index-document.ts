/** The fields of a document that terms are counted in, in the order of {@link IndexDocument.lengths}. */
export const FIELDS = ['title', 'headings', 'body', 'aside', 'url'] as const;
export type Field = (typeof FIELDS)[number];

/**
 * One page as the index takes it: plain strings and bytes, cheap to pass between threads.
 * `columns` are terms separated by spaces; names kept whole stand after the words, behind {@link COLUMN_END}.
 */
export interface IndexDocument {
  readonly columns: Readonly<Record<Field, string>>;
  /** Words per field, without the names kept whole. */
  readonly lengths: readonly number[];
  /** See {@link encodeTerms}. */
  readonly terms: Uint8Array;
  /** Places of words in reading order, see {@link encodeSequence}. */
  readonly sequence: Uint8Array;
  /** {@link sequenceHash} of the title. */
  readonly titleHash: number;
  /** Words of title and headings as a reader would type them, for suggestions. */
  readonly words: readonly string[];
  /** Host name without port. */
  readonly site: string;
  /** ISO 639 primary subtag or 'und'. */
  readonly language: string;
}

/** What is known of a document besides its text. */
export interface DocumentFacts {
  /** 'html', 'text', … as shown in the facet. */
  readonly type: string;
  /** Milliseconds since 1970: last change, or the fetch when no change is known. */
  readonly time: number;
  /** Probability that the page is garbage, 0 to 1. */
  readonly garbage: number;
  /** Kept only with a lower rank (`--garbage demote`). */
  readonly demoted: boolean;
}

export interface IndexRow {
  readonly id: number;
  readonly document: IndexDocument;
  readonly facts: DocumentFacts;
}

/** Analysed anchor texts of all links to one document. */
export interface AnchorDocument {
  /** Terms of each distinct anchor text, once. */
  readonly column: string;
  readonly length: number;
  /** See {@link encodeCounts}: how many sources use the term. */
  readonly terms: Uint8Array;
  /** See {@link encodeCounts}: whole texts by {@link sequenceHash}, how many sources use the text. */
  readonly texts: Uint8Array;
}

/** Stands between the words of a column and the names kept whole; never a term. */
export const COLUMN_END = '@';
