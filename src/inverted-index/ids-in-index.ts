import type { Database } from '../kit/sqlite.ts';

/** Which of the ids have a document in the index. */
export function idsInIndex(database: Database, ids: readonly number[]): Set<number> {
  const rows = database.all<{ id: number }>(
    'SELECT d.id FROM json_each(?) c JOIN index_documents d ON d.id = c.value',
    JSON.stringify(ids),
  );
  return new Set(rows.map((row) => row.id));
}
