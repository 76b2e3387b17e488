import type { Database } from '../kit/sqlite.ts';
import { asCandidate, CANDIDATE_ROWS, type Candidate, type CandidateRow, holds } from './candidate.ts';
import { decodeSequence } from './forward.ts';
import { type AnchorDocument, FIELDS, type IndexRow } from './index-document.ts';
import { type Clause, clauseExpression, isWithin, type MatchQuery, matchExpression, siteTerms } from './match-query.ts';
import { SCHEMA } from './schema.ts';

export interface IndexOptions {
  /** Matching documents that are known by id, best first by the full-text engine's score; the rest are only counted. */
  readonly matched: number;
  /** The best of them that are loaded for ranking (some 10 µs apiece). */
  readonly candidates: number;
  /** The best by anchor texts alone that are loaded besides. */
  readonly linkCandidates: number;
  /**
   * Documents that the full-text engine should score in one query (some 3 µs apiece). Where more have all words, those
   * with the words in title, headings or address are enough; with any word, the commonest words only help to rank.
   */
  readonly maxScored: number;
}

export interface Matches {
  readonly total: number;
  /** At most `matched` documents, those with candidates first. */
  readonly ids: readonly number[];
  readonly candidates: readonly Candidate[];
}

/** What results are grouped by. */
export interface DocumentGroup {
  readonly site: string;
  readonly language: string;
  readonly type: string;
  readonly time: number;
}

export interface IndexStatistics {
  readonly documents: number;
  /** Mean words per field over all documents, in the order of FIELDS. */
  readonly averageLengths: readonly number[];
  /** Mean words of the anchor texts of a document that has any. */
  readonly averageAnchorLength: number;
  /** Documents by language, most frequent first. */
  readonly languages: readonly { readonly language: string; readonly documents: number }[];
}

/** Weights of the full-text engine's own score, which only picks the candidates: title … url, site. */
const COLUMN_WEIGHTS = '6.0, 2.0, 1.0, 0.3, 2.0, 0.0';

/** Where a document says what it is about: column filters, each within the one before. */
const HEAD_COLUMNS = ['{title headings url} : ', '{title url} : ', 'title : '];

interface TextMatches {
  readonly expression: string;
  readonly ids: readonly number[];
  readonly total: number;
}

/** The index of one data folder. Methods that write are for the writer's connection. */
export class InvertedIndex {
  readonly #database: Database;
  readonly #options: IndexOptions;
  readonly #frequencies = new Map<string, number>();
  #changed = 0;

  constructor(database: Database, options: IndexOptions) {
    this.#database = database;
    this.#options = options;
    database.migrate('inverted-index', SCHEMA);
  }

  /** Adds documents; one with a known id replaces the old one. Anchors and priors of the id stay. */
  async putMany(rows: readonly IndexRow[]): Promise<void> {
    this.#database.transaction(() => {
      for (const row of rows) this.#put(row);
    });
    this.#forget(rows.length);
  }

  async removeMany(ids: readonly number[]): Promise<void> {
    this.#database.transaction(() => {
      for (const id of ids) {
        this.#dropText(id);
        this.#dropAnchors(id);
        this.#database.run('DELETE FROM index_priors WHERE id = ?', id);
      }
    });
    this.#forget(ids.length);
  }

  /** Replaces the anchor texts of documents, also of ones that are not in the index yet. */
  async putAnchors(rows: readonly { readonly id: number; readonly anchors: AnchorDocument }[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { id, anchors } of rows) {
        this.#dropAnchors(id);
        if (anchors.length > 0) this.#addAnchors(id, anchors);
      }
    });
    this.#forget(rows.length);
  }

  /** Importance of documents by the link graph; 1 = average. */
  async putPriors(rows: readonly { readonly id: number; readonly prior: number }[]): Promise<void> {
    this.#database.transaction(() => {
      for (const { id, prior } of rows) {
        this.#database.run('INSERT OR REPLACE INTO index_priors (id, prior) VALUES (?, ?)', id, prior);
      }
    });
  }

  /** Importance by id; absent = none was computed. */
  async priorsOf(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const priors = new Map<number, number>();
    for (const id of ids) {
      const row = this.#database.get<{ prior: number }>('SELECT prior FROM index_priors WHERE id = ?', id);
      if (row !== undefined) priors.set(id, row.prior);
    }
    return priors;
  }

  statistics(): IndexStatistics {
    const rows = this.#database.all<Record<string, number | string>>(
      'SELECT * FROM index_totals WHERE documents > 0 ORDER BY documents DESC, language',
    );
    const documents = sum(rows, 'documents');
    const anchors = this.#database.get<{ documents: number; length: number }>(
      'SELECT documents, length FROM index_anchor_totals WHERE one = 1',
    );
    return {
      documents,
      averageLengths: FIELDS.map((field) => sum(rows, field) / Math.max(1, documents)),
      averageAnchorLength: (anchors?.length ?? 0) / Math.max(1, anchors?.documents ?? 0),
      languages: rows.map((row) => ({ language: String(row['language']), documents: Number(row['documents']) })),
    };
  }

  /** Documents whose text holds the term. Remembered until a twentieth of the index has changed. */
  documentFrequency(term: string): number {
    const known = this.#frequencies.get(term);
    if (known !== undefined) return known;
    const row = this.#database.get<{ doc: number }>('SELECT doc FROM index_vocabulary WHERE term = ?', term);
    if (this.#frequencies.size > 20_000) this.#frequencies.clear();
    this.#frequencies.set(term, row?.doc ?? 0);
    return row?.doc ?? 0;
  }

  /** Documents with all clauses, each in the text or the anchor texts. */
  matchAll(query: MatchQuery): Matches {
    const expression = matchExpression(query, 'AND');
    const most = Math.min(...query.clauses.map((clause) => this.#clauseFrequency(clause)));
    const head = most > this.#options.maxScored ? this.#matchHead(query, expression) : undefined;
    const text = head ?? this.#matchText(expression);
    return this.#match(query, text, (found) => this.#fitting(found, query));
  }

  /** Documents with any of the clauses. */
  matchAny(query: MatchQuery): Matches {
    const clauses = this.#rarest(query.clauses);
    const text = this.#matchText(matchExpression({ ...query, clauses }, 'OR'));
    return this.#match(query, text, (found) => this.#withoutExcluded(found, query));
  }

  /** Groups of documents, in the order of the ids; ids that are gone are left out. */
  groupsOf(ids: readonly number[]): DocumentGroup[] {
    return this.#database.all(
      `SELECT d.site, d.language, d.type, d.time FROM json_each(?) c JOIN index_documents d ON d.id = c.value`,
      JSON.stringify(ids),
    );
  }

  /** Words of documents in reading order, as places in the document's term table. */
  sequences(ids: readonly number[]): Map<number, Uint16Array> {
    const rows = this.#database.all<{ id: number; sequence: Uint8Array }>(
      'SELECT s.id, s.sequence FROM json_each(?) c JOIN index_sequences s ON s.id = c.value',
      JSON.stringify(ids),
    );
    return new Map(rows.map((row) => [row.id, decodeSequence(row.sequence)]));
  }

  /** Words of titles and headings that begin with `start`, with the number of documents. */
  wordsWith(start: string): { readonly word: string; readonly documents: number }[] {
    return this.#database.all(
      'SELECT word, documents FROM index_words WHERE word >= ? AND word < ? AND documents > 0',
      start,
      start + '\uffff',
    );
  }

  #put({ id, document, facts }: IndexRow): void {
    const database = this.#database;
    this.#dropText(id);
    const { columns, lengths, site, language } = document;
    database.run(
      'INSERT INTO index_text (rowid, title, headings, body, aside, url, site) VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      ...FIELDS.map((field) => columns[field]),
      siteTerms(site),
    );
    database.run(
      `INSERT INTO index_documents (id, site, language, type, time, garbage, demoted, title_hash,
        title, headings, body, aside, url) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, site, language, facts.type, facts.time, facts.garbage, Number(facts.demoted), document.titleHash],
      ...lengths,
    );
    database.run('INSERT INTO index_terms (id, terms) VALUES (?, ?)', id, document.terms);
    database.run('INSERT INTO index_sequences (id, sequence) VALUES (?, ?)', id, document.sequence);
    this.#count(language, lengths, 1);
    for (const word of document.words) {
      database.run(
        'INSERT INTO index_words VALUES (?, 1) ON CONFLICT (word) DO UPDATE SET documents = documents + 1',
        word,
      );
    }
  }

  #dropText(id: number): void {
    const database = this.#database;
    const old = database.get<Record<string, number | string>>('SELECT * FROM index_documents WHERE id = ?', id);
    if (old === undefined) return;
    this.#count(
      String(old['language']),
      FIELDS.map((field) => Number(old[field])),
      -1,
    );
    for (const table of ['index_documents', 'index_terms', 'index_sequences']) {
      database.run(`DELETE FROM ${table} WHERE id = ?`, id);
    }
    database.run('DELETE FROM index_text WHERE rowid = ?', id);
  }

  #addAnchors(id: number, anchors: AnchorDocument): void {
    const database = this.#database;
    database.run('INSERT INTO index_anchors (rowid, anchors) VALUES (?, ?)', id, anchors.column);
    database.run(
      'INSERT INTO index_anchor_terms VALUES (?, ?, ?, ?)',
      id,
      anchors.length,
      anchors.terms,
      anchors.texts,
    );
    this.#countAnchors(1, anchors.length);
  }

  #dropAnchors(id: number): void {
    const database = this.#database;
    const old = database.get<{ length: number }>('SELECT length FROM index_anchor_terms WHERE id = ?', id);
    if (old === undefined) return;
    database.run('DELETE FROM index_anchor_terms WHERE id = ?', id);
    database.run('DELETE FROM index_anchors WHERE rowid = ?', id);
    this.#countAnchors(-1, -old.length);
  }

  #count(language: string, lengths: readonly number[], sign: 1 | -1): void {
    this.#database.run(
      `INSERT INTO index_totals VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (language) DO UPDATE SET
        documents = documents + excluded.documents, title = title + excluded.title,
        headings = headings + excluded.headings, body = body + excluded.body, aside = aside + excluded.aside,
        url = url + excluded.url`,
      language,
      sign,
      ...lengths.map((length) => sign * length),
    );
  }

  #countAnchors(documents: number, length: number): void {
    this.#database.run(
      `INSERT INTO index_anchor_totals VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET
        documents = documents + excluded.documents, length = length + excluded.length`,
      documents,
      length,
    );
  }

  #match(query: MatchQuery, text: TextMatches, fitting: (found: readonly Candidate[]) => Candidate[]): Matches {
    const { matched, candidates } = this.#options;
    const best = text.ids.slice(0, candidates);
    const known = new Set(best);
    const linked = fitting(this.#matchAnchors(query).filter((candidate) => !known.has(candidate.id)));
    const held = text.total > text.ids.length ? this.#idsIn(text.expression, linked) : new Set(text.ids);
    const linkedOnly = linked.filter((candidate) => !held.has(candidate.id)).length;
    const loaded = [...this.#load(best), ...linked];
    const all = new Set([...loaded.map((candidate) => candidate.id), ...text.ids]);
    return { total: text.total + linkedOnly, ids: [...all].slice(0, matched), candidates: loaded };
  }

  #matchText(expression: string): TextMatches {
    const ids = this.#bestOf(expression);
    return { expression, ids, total: ids.length < this.#options.matched ? ids.length : this.#countText(expression) };
  }

  /** The best of very many matches, by words in ever narrower columns while these match enough; undefined if not needed. */
  #matchHead(query: MatchQuery, expression: string): TextMatches | undefined {
    const { maxScored, candidates } = this.#options;
    const total = this.#countText(expression);
    let scored = expression;
    let count = total;
    for (const columns of HEAD_COLUMNS) {
      if (count <= maxScored) break;
      const narrower = matchExpression(query, 'AND', columns);
      count = this.#countText(narrower);
      if (count < candidates) break;
      scored = narrower;
    }
    return scored === expression ? undefined : { expression, ids: this.#bestOf(scored), total };
  }

  #bestOf(expression: string): number[] {
    const rows = this.#database.all<{ id: number }>(
      `SELECT rowid AS id FROM index_text WHERE index_text MATCH ? AND rank MATCH 'bm25(${COLUMN_WEIGHTS})'
        ORDER BY rank LIMIT ?`,
      expression,
      this.#options.matched,
    );
    return rows.map((row) => row.id);
  }

  #countText(expression: string): number {
    const sql = 'SELECT count(*) AS n FROM index_text WHERE index_text MATCH ?';
    return this.#database.get<{ n: number }>(sql, expression)?.n ?? 0;
  }

  /** Documents found by the texts of links to them. */
  #matchAnchors(query: MatchQuery): Candidate[] {
    const rows = this.#database.all<{ id: number }>(
      'SELECT rowid AS id FROM index_anchors WHERE index_anchors MATCH ? ORDER BY rank LIMIT ?',
      query.clauses.map(clauseExpression).join(' OR '),
      this.#options.linkCandidates,
    );
    const { sites, excludedSites } = query;
    return this.#load(rows.map((row) => row.id)).filter(
      ({ site }) =>
        (sites.length === 0 || sites.some((within) => isWithin(site, within))) &&
        !excludedSites.some((within) => isWithin(site, within)),
    );
  }

  /** Of documents found by anchors: those that fit the whole query, text and anchors taken together. */
  #fitting(found: readonly Candidate[], query: MatchQuery): Candidate[] {
    const phrases = query.clauses.filter((clause) => clause.phrase);
    let fitting = found.filter((candidate) =>
      query.clauses.every((clause) => clause.phrase || holds(candidate, clause)),
    );
    for (const phrase of phrases) {
      const ids = this.#idsWith(clauseExpression(phrase), fitting);
      fitting = fitting.filter((candidate) => ids.has(candidate.id));
    }
    return this.#withoutExcluded(fitting, query);
  }

  #withoutExcluded(found: readonly Candidate[], query: MatchQuery): Candidate[] {
    if (query.excluded.length === 0 || found.length === 0) return [...found];
    const ids = this.#idsWith(query.excluded.map(clauseExpression).join(' OR '), found);
    return found.filter((candidate) => !ids.has(candidate.id));
  }

  /** Which of the documents match the expression in their text or in their anchor texts. */
  #idsWith(expression: string, among: readonly Candidate[]): Set<number> {
    return new Set([...this.#idsIn(expression, among), ...this.#idsIn(expression, among, 'index_anchors')]);
  }

  #idsIn(expression: string, among: readonly Candidate[], table = 'index_text'): Set<number> {
    if (among.length === 0) return new Set();
    const rows = this.#database.all<{ id: number }>(
      `SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? AND rowid IN (SELECT value FROM json_each(?))`,
      expression,
      JSON.stringify(among.map((candidate) => candidate.id)),
    );
    return new Set(rows.map((row) => row.id));
  }

  /** The rarest clauses, as many as together match no more documents than may be scored; at least one. */
  #rarest(clauses: readonly Clause[]): Clause[] {
    const rated = clauses.map((clause) => ({ clause, documents: this.#clauseFrequency(clause) }));
    rated.sort((a, b) => a.documents - b.documents);
    let left = this.#options.maxScored;
    const kept = rated.filter(({ documents }, i) => (left -= documents) >= 0 || i === 0);
    return kept.map(({ clause }) => clause);
  }

  /** Upper bound of the documents that a clause matches. */
  #clauseFrequency(clause: Clause): number {
    const rarest = clause.alternatives.map((terms) => Math.min(...terms.map((term) => this.documentFrequency(term))));
    return rarest.reduce((all, documents) => all + documents, 0);
  }

  #load(ids: readonly number[]): Candidate[] {
    if (ids.length === 0) return [];
    const rows = this.#database.all<CandidateRow>(CANDIDATE_ROWS, JSON.stringify(ids));
    return rows.map(asCandidate);
  }

  #forget(changed: number): void {
    this.#changed += changed;
    if (this.#changed * 20 < this.statistics().documents) return;
    this.#changed = 0;
    this.#frequencies.clear();
  }
}

function sum(rows: readonly Record<string, number | string>[], column: string): number {
  return rows.reduce((total, row) => total + Number(row[column]), 0);
}
