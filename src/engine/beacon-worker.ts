import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { messageOf } from '../config/errors.ts';
import { takeOrders } from '../kit/end-worker.ts';
import { BeaconDesk } from './beacon-desk.ts';
import type { DeskAnswer, DeskOrder } from './beacon-service.ts';

/** Thread entry: the databases of the beacon, which the thread that serves requests must not wait for. */
const port = parentPort;
if (port === null) throw new Error('beacon-worker.ts runs as a worker thread');
const { dataDir, config } = workerData as { dataDir: string; config: Config };
const desk = new BeaconDesk(dataDir, config, Date.now);

takeOrders(port, (order: DeskOrder) =>
  carryOut(order).then(
    (result) => port.postMessage({ id: order.id, result } satisfies DeskAnswer),
    (error: unknown) => port.postMessage({ id: order.id, error: messageOf(error) } satisfies DeskAnswer),
  ),
);

function carryOut(order: DeskOrder): Promise<unknown> {
  switch (order.kind) {
    case 'sites':
      return desk.sites();
    case 'standing':
      return desk.standingOf(order.page);
    case 'reports':
      return desk.take(order.reports);
    case 'submission':
      return desk.submit(order.submission);
    case 'waiting':
      return desk.waiting(1);
  }
}
