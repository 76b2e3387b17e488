import type { MigrationStep } from '../kit/sqlite.ts';

/** Tables of the repository. A page is named by the id of its URL. */
export const REPOSITORY_STEPS: readonly MigrationStep[] = [
  `CREATE TABLE warc_file (
     name TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, series TEXT NOT NULL,
     committed INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE page (
     row INTEGER PRIMARY KEY, url INTEGER NOT NULL, version INTEGER NOT NULL,
     state TEXT NOT NULL, domain TEXT NOT NULL, kind TEXT NOT NULL,
     fetched_at INTEGER NOT NULL, checked_at INTEGER NOT NULL, changed_at INTEGER,
     status INTEGER NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL, charset TEXT NOT NULL,
     text_hash TEXT NOT NULL, spam REAL, soft_404 REAL,
     text BLOB NOT NULL, outline BLOB NOT NULL, judgement BLOB, parts BLOB,
     file TEXT, offset INTEGER, length INTEGER, span INTEGER,
     record_id TEXT, record_date TEXT, payload_digest TEXT,
     UNIQUE (url, version));
   CREATE INDEX page_by_file ON page (file, offset) WHERE file IS NOT NULL;
   CREATE INDEX page_quarantined ON page (domain, kind, fetched_at) WHERE state = 'garbage' AND file IS NOT NULL;
   CREATE TABLE revisit (
     url INTEGER NOT NULL, at INTEGER NOT NULL, file TEXT NOT NULL, offset INTEGER NOT NULL,
     length INTEGER NOT NULL, span INTEGER NOT NULL, PRIMARY KEY (url, at)) WITHOUT ROWID;
   CREATE INDEX revisit_by_file ON revisit (file, offset);`,
];
