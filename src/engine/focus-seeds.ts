import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { type FocusSeed, SeedStore } from '../focused-crawling/seeds/seeds.ts';
import { asUnable, DATABASE_FILE, openForShortWrites } from './collection.ts';

/** The seed database of a collection; none yet is an empty one. */
export async function listFocusSeeds(dataDir: string, config: Config): Promise<readonly FocusSeed[]> {
  if (!existsSync(join(dataDir, DATABASE_FILE))) return [];
  return await withSeeds(dataDir, config, (store) => store.list());
}

/** Adds seeds, or changes their note and topic. Waits for a writer that is at work. */
export async function putFocusSeeds(
  seeds: readonly Pick<FocusSeed, 'url' | 'note' | 'topic'>[],
  at: { readonly dataDir: string; readonly config: Config; readonly now: number },
): Promise<void> {
  await withSeeds(at.dataDir, at.config, (store) => store.putMany(seeds, at.now));
}

/** How many of the URLs were seeds. */
export async function removeFocusSeeds(urls: readonly string[], dataDir: string, config: Config): Promise<number> {
  if (!existsSync(join(dataDir, DATABASE_FILE))) return 0;
  return await withSeeds(dataDir, config, (store) => store.removeMany(urls));
}

async function withSeeds<T>(dataDir: string, config: Config, use: (store: SeedStore) => Promise<T>): Promise<T> {
  const database = openForShortWrites(dataDir, config);
  try {
    return await use(new SeedStore(database));
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}
