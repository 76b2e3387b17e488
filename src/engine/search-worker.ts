import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { messageOf } from '../config/errors.ts';
import { takeOrders } from '../kit/end-worker.ts';
import { explainUrl } from './explain.ts';
import { readGarbage } from './garbage-list.ts';
import type { ReaderAnswer, ReaderOrder } from './reader-pool.ts';
import { SearchService } from './search-service.ts';
import { readStatus } from './status.ts';

/** Thread entry: read-only work for the server, which must not wait for SQLite itself. */
const port = parentPort;
if (port === null) throw new Error('search-worker.ts runs as a worker thread');
const { dataDir, config } = workerData as { dataDir: string; config: Config };
let service: SearchService | undefined;

takeOrders(port, (order: ReaderOrder) =>
  carryOut(order).then(
    (result) => port.postMessage({ id: order.id, result } satisfies ReaderAnswer),
    (error: unknown) => port.postMessage({ id: order.id, error: messageOf(error) } satisfies ReaderAnswer),
  ),
);

async function carryOut(order: ReaderOrder): Promise<unknown> {
  switch (order.kind) {
    case 'search':
      service ??= new SearchService(dataDir, config);
      return await service.search(order.request);
    case 'status':
      return readStatus(dataDir, config);
    case 'explain':
      return await explainUrl(order.url, dataDir, config);
    case 'garbage':
      return readGarbage(dataDir, config);
  }
}
