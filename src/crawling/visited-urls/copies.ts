import type { Database } from '../../kit/sqlite.ts';

/** Number of URLs whose content is a copy of each of these pages; ids without any are absent. */
export function countCopies(database: Database, ids: readonly number[]): Map<number, number> {
  const sql = 'SELECT count(*) AS n FROM url_answers WHERE duplicate_of = ?';
  const counted = ids.map((id): [number, number] => [id, database.get<{ n: number }>(sql, id)?.n ?? 0]);
  return new Map(counted.filter(([, n]) => n > 0));
}
