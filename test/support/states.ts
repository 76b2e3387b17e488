import { join } from 'node:path';
import { VisitedUrls } from '../../src/crawling/visited-urls/visited-urls.ts';
import { DATABASE_FILE } from '../../src/engine/collection.ts';
import { openDatabase } from '../../src/kit/sqlite.ts';

/** 'key state textHash' of every URL of a collection, sorted: what two crawls are compared by. */
export async function statesOf(dataDir: string): Promise<string[]> {
  const database = openDatabase(join(dataDir, DATABASE_FILE), {
    readOnly: true,
    busyTimeoutMs: 5_000,
    cacheBytes: 8 << 20,
  });
  try {
    const visited = new VisitedUrls(database, { seenCacheEntries: 1_000, hostCacheEntries: 1_000 });
    const states: string[] = [];
    for (let after = 0; ; ) {
      const urls = await visited.list({ state: undefined, after, limit: 1_000 });
      if (urls.length === 0) return states.sort();
      for (const url of urls) states.push(`${url.key} ${url.state} ${url.answer?.textHash ?? '-'}`);
      after = urls.at(-1)?.id ?? after;
    }
  } finally {
    database.close();
  }
}
