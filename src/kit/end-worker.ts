import type { MessagePort, Worker } from 'node:worker_threads';

const END = 'winnow:end';
/** Longer than any thread of ours takes to load or to answer one order; milliseconds. */
const PATIENCE = 30_000;

/** In the worker: orders go to `take`; the order to end closes the port, and the thread ends when its work is done. */
export function takeOrders<Order>(port: MessagePort, take: (order: Order) => void): void {
  port.on('message', (order: Order | typeof END) => {
    if (order === END) port.close();
    else take(order);
  });
}

/**
 * Ends a worker that takes its orders by {@link takeOrders}, after the orders before this one; resolves when its thread
 * has gone. `Worker.terminate` does not serve: stopping a thread that is still loading its modules aborts the whole
 * process on Node 26 ("Check failed: !is_null()"). It is kept for a thread that never comes to its port.
 */
export function endWorker(worker: Worker): Promise<void> {
  // The thread has ended before: no event will come.
  if (worker.threadId === -1) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => void worker.terminate(), PATIENCE);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    worker.ref();
    worker.postMessage(END);
  });
}
