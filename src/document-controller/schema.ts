import type { MigrationStep } from '../kit/sqlite.ts';

/** Tables of the document controller. A text is what exact copies share; a page belongs to one text. */
export const CONTROLLER_STEPS: readonly MigrationStep[] = [
  `CREATE TABLE doc_text (
     id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, status TEXT NOT NULL, of INTEGER, judged_by TEXT, kept INTEGER NOT NULL,
     best INTEGER NOT NULL, best_rank TEXT NOT NULL, best_site TEXT NOT NULL,
     letters INTEGER NOT NULL, kind TEXT NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL,
     sketch BLOB NOT NULL, bands BLOB NOT NULL, block_of BLOB NOT NULL, blocks BLOB NOT NULL);
   CREATE INDEX doc_text_of ON doc_text (of) WHERE of IS NOT NULL;
   CREATE TABLE doc_page (id INTEGER PRIMARY KEY, text INTEGER NOT NULL, site TEXT NOT NULL, rank TEXT NOT NULL);
   CREATE INDEX doc_page_text ON doc_page (text, site);
   CREATE TABLE doc_candidate (cell INTEGER PRIMARY KEY, entries BLOB NOT NULL);
   CREATE TABLE site_block (
     site TEXT NOT NULL, block INTEGER NOT NULL, pages INTEGER NOT NULL, texts TEXT NOT NULL, template INTEGER NOT NULL,
     PRIMARY KEY (site, block)) WITHOUT ROWID;
   CREATE TABLE doc_flush (one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL);
   INSERT INTO doc_flush VALUES (1, 0);`,
];
