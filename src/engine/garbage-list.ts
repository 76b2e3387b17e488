import type { Config } from '../config/config.ts';
import { GarbageRepository } from '../garbage-detector/garbage-repository/garbage-repository.ts';
import { asUnable, openForReading } from './collection.ts';

/** A condemned, blocked, allowed or doubtful area, for people. */
export interface GarbageRow {
  readonly domain: string;
  /** condemned, possible-soft-404, blocked, allowed or review. */
  readonly listed: string;
  readonly why: string;
  readonly since: string;
  /** Absent: until a person changes it. */
  readonly until?: string;
  readonly pages: number;
  readonly garbage: number;
  readonly by: 'model' | 'hand';
}

/** Throws {@link UnableError} when there is no collection. */
export async function readGarbage(dataDir: string, config: Config): Promise<readonly GarbageRow[]> {
  const database = openForReading(dataDir, config);
  try {
    return rowsOf(new GarbageRepository(database, config.garbage));
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}

export function rowsOf(repository: GarbageRepository): readonly GarbageRow[] {
  return repository.list(Date.now()).map((row) => ({
    domain: row.area,
    listed: row.status,
    why: row.why,
    since: new Date(row.since).toISOString(),
    ...(row.until === null ? {} : { until: new Date(row.until).toISOString() }),
    pages: row.judged,
    garbage: row.garbage,
    by: row.status === 'blocked' || row.status === 'allowed' ? 'hand' : 'model',
  }));
}
