import type { Config } from '../config/config.ts';
import { GarbageRepository } from '../garbage-detector/garbage-repository/garbage-repository.ts';
import { asUnable, openForShortWrites } from './collection.ts';

export type GarbageChange = 'forgive' | 'block' | 'allow';

/** A person's word on an area; false when the text names none. Waits for a writer that is at work. */
export async function changeGarbage(request: {
  readonly change: GarbageChange;
  readonly area: string;
  readonly dataDir: string;
  readonly config: Config;
  readonly now: number;
}): Promise<boolean> {
  const database = openForShortWrites(request.dataDir, request.config);
  try {
    const repository = new GarbageRepository(database, request.config.garbage);
    if (request.change === 'forgive') return await repository.forgive(request.area);
    return await repository[request.change](request.area, request.now);
  } catch (error) {
    throw asUnable(error, request.dataDir);
  } finally {
    database.close();
  }
}
