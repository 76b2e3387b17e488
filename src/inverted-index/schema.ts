import type { MigrationStep } from '../kit/sqlite.ts';

/** Terms come analysed: every printable sign but the quotation mark and the space belongs to a term. */
const TOKENIZER = `tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'''"`;

/**
 * Two full-text tables, because anchor texts change oftener than pages and a contentless table takes only whole rows;
 * beside them what the ranking reads of its candidates.
 */
export const SCHEMA: readonly MigrationStep[] = [
  `
  CREATE VIRTUAL TABLE index_text USING fts5(title, headings, body, aside, url, site,
    content = '', contentless_delete = 1, ${TOKENIZER});
  CREATE VIRTUAL TABLE index_anchors USING fts5(anchors, content = '', contentless_delete = 1, ${TOKENIZER});
  CREATE VIRTUAL TABLE index_vocabulary USING fts5vocab(index_text, row);
  CREATE TABLE index_documents (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, language TEXT NOT NULL, type TEXT NOT NULL, time INTEGER NOT NULL,
    garbage REAL NOT NULL, demoted INTEGER NOT NULL, title_hash INTEGER NOT NULL,
    title INTEGER NOT NULL, headings INTEGER NOT NULL, body INTEGER NOT NULL, aside INTEGER NOT NULL, url INTEGER NOT NULL
  );
  CREATE TABLE index_priors (id INTEGER PRIMARY KEY, prior REAL NOT NULL);
  CREATE TABLE index_terms (id INTEGER PRIMARY KEY, terms BLOB NOT NULL);
  CREATE TABLE index_sequences (id INTEGER PRIMARY KEY, sequence BLOB NOT NULL);
  CREATE TABLE index_anchor_terms (
    id INTEGER PRIMARY KEY, length INTEGER NOT NULL, terms BLOB NOT NULL, texts BLOB NOT NULL
  );
  CREATE TABLE index_words (word TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE index_totals (
    language TEXT PRIMARY KEY, documents INTEGER NOT NULL,
    title INTEGER NOT NULL, headings INTEGER NOT NULL, body INTEGER NOT NULL, aside INTEGER NOT NULL, url INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE index_anchor_totals (one INTEGER PRIMARY KEY, documents INTEGER NOT NULL, length INTEGER NOT NULL);
  `,
];
