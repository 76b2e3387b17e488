import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { type Database, openDatabase } from '../kit/sqlite.ts';
import { asUnable } from './collection.ts';

/** What browsers report, apart from the collection: the server writes it while the writer owns the other file. */
const BEACON_FILE = 'beacon.db';

/** Makes the file when it is missing. Throws {@link UnableError}. */
export function openBeaconDatabase(dataDir: string, config: Config): Database {
  const { busyTimeoutMs } = config.database;
  try {
    return openDatabase(join(dataDir, BEACON_FILE), {
      readOnly: false,
      busyTimeoutMs,
      cacheBytes: config.beacon.cacheBytes,
    });
  } catch (error) {
    throw asUnable(error, dataDir);
  }
}

export function hasBeaconDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, BEACON_FILE));
}
