import type { MessagePort, Worker } from 'node:worker_threads';

const END = 'winnow:end';
/** Longer than any thread of ours takes to load or to answer one order; milliseconds. */
const PATIENCE = 30_000;

/**
 * In the worker: orders go to `take`, which answers before its promise resolves and never rejects. The order to end
 * closes the port when all before it are carried out; then the thread ends.
 */
export function takeOrders<Order>(port: MessagePort, take: (order: Order) => Promise<void> | void): void {
  const underWay = new Set<Promise<void>>();
  port.on('message', (order: Order | typeof END) => {
    if (order === END) {
      void Promise.all(underWay).then(() => port.close());
      return;
    }
    const done = take(order);
    if (done === undefined) return;
    underWay.add(done);
    void done.then(() => underWay.delete(done));
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
