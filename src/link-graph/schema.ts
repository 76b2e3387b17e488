import type { MigrationStep } from '../kit/sqlite.ts';

/** Name under which the box keeps its schema version. */
export const BOX = 'link-graph';

/**
 * `page_links`: all edges of one page packed into one row, about 7 bytes an edge; replaced as a whole.
 * `anchors`: the same edges seen from their targets, summed up: `pages` of `source_host` link to the target with that
 * text, `main` of them from their main content. Text 0 stands for every text, so its row counts linking pages once.
 * A navigation link on ten thousand pages is one row. Links with rel=nofollow pass no credit and are left out there.
 */
export const STEPS: readonly MigrationStep[] = [
  `CREATE TABLE page_links (source_id INTEGER PRIMARY KEY, source_host INTEGER NOT NULL, edges BLOB NOT NULL);
   CREATE TABLE anchor_texts (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, text TEXT NOT NULL);
   CREATE INDEX anchor_texts_by_hash ON anchor_texts (hash);
   CREATE TABLE anchors (
     target_id INTEGER NOT NULL, text_id INTEGER NOT NULL, source_host INTEGER NOT NULL, pages INTEGER NOT NULL,
     main INTEGER NOT NULL, PRIMARY KEY (target_id, text_id, source_host)) WITHOUT ROWID;
   CREATE TABLE host_links (
     source_host INTEGER NOT NULL, target_host INTEGER NOT NULL, links INTEGER NOT NULL,
     PRIMARY KEY (source_host, target_host)) WITHOUT ROWID;
   CREATE INDEX host_links_by_target ON host_links (target_host, source_host);`,
];
