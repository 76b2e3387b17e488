import { CountTable, TermTable, termHash } from './forward.ts';
import { FIELDS } from './index-document.ts';
import type { Clause } from './match-query.ts';

/** What the ranking knows of one matching document. */
export interface Candidate {
  readonly id: number;
  readonly site: string;
  readonly language: string;
  readonly type: string;
  readonly time: number;
  readonly garbage: number;
  readonly demoted: boolean;
  readonly titleHash: number;
  /** Words per field, in the order of FIELDS. */
  readonly lengths: readonly number[];
  /** Importance by links, 1 = average; undefined until computed. */
  readonly prior: number | undefined;
  readonly terms: TermTable;
  readonly anchors: { readonly length: number; readonly terms: CountTable; readonly texts: CountTable } | undefined;
}

/** Reads {@link CandidateRow}s; its parameter is a JSON list of ids. */
export const CANDIDATE_ROWS = `SELECT d.*, t.terms, p.prior, a.length, a.terms AS anchorTerms, a.texts AS anchorTexts
        FROM json_each(?) c JOIN index_documents d ON d.id = c.value JOIN index_terms t ON t.id = d.id
        LEFT JOIN index_priors p ON p.id = d.id LEFT JOIN index_anchor_terms a ON a.id = d.id`;

export interface CandidateRow {
  readonly id: number;
  readonly site: string;
  readonly language: string;
  readonly type: string;
  readonly time: number;
  readonly garbage: number;
  readonly demoted: number;
  readonly title_hash: number;
  readonly title: number;
  readonly headings: number;
  readonly body: number;
  readonly aside: number;
  readonly url: number;
  readonly prior: number | null;
  readonly terms: Uint8Array;
  readonly length: number | null;
  readonly anchorTerms: Uint8Array | null;
  readonly anchorTexts: Uint8Array | null;
}

export function asCandidate(row: CandidateRow): Candidate {
  const { id, site, language, type, time, garbage, length, anchorTerms, anchorTexts } = row;
  return {
    id,
    site,
    language,
    type,
    time,
    garbage,
    demoted: row.demoted !== 0,
    titleHash: row.title_hash,
    lengths: FIELDS.map((field) => row[field]),
    prior: row.prior ?? undefined,
    terms: new TermTable(row.terms),
    anchors:
      anchorTerms === null || anchorTexts === null
        ? undefined
        : { length: length ?? 0, terms: new CountTable(anchorTerms), texts: new CountTable(anchorTexts) },
  };
}

/** True when text and anchors together hold all terms of one of the alternatives. */
export function holds(candidate: Candidate, clause: Clause): boolean {
  return clause.alternatives.some((terms) =>
    terms.every((term) => {
      const hash = termHash(term);
      return candidate.terms.find(hash) >= 0 || (candidate.anchors?.terms.get(hash) ?? 0) > 0;
    }),
  );
}
