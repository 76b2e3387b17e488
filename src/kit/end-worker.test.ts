import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { endWorker } from './end-worker.ts';

/** A thread that doubles what it is sent, after a slow load; negative numbers take a while. */
function startDoubler(): Worker {
  const module = new URL('./end-worker.ts', import.meta.url).href;
  return new Worker(
    `const { parentPort } = require('node:worker_threads');
     import(${JSON.stringify(module)}).then(({ takeOrders }) =>
       takeOrders(parentPort, (order) => {
         if (order === 'break') throw new Error('broken');
         if (order > 0) parentPort.postMessage(order * 2);
         else return new Promise((done) => setTimeout(done, 30)).then(() => parentPort.postMessage(order * 2));
       }));`,
    { eval: true },
  );
}

it('answers the orders before the end, then the thread is gone', async () => {
  const worker = startDoubler();
  const answers: number[] = [];
  worker.on('message', (answer: number) => answers.push(answer));
  for (const order of [1, -2, 3]) worker.postMessage(order);
  await endWorker(worker);
  expect(answers).toEqual([2, 6, -4]);
  expect(worker.threadId).toBe(-1);
});

it('ends threads that are still loading', async () => {
  const workers = Array.from({ length: 4 }, startDoubler);
  await Promise.all(workers.map(endWorker));
  expect(workers.map(({ threadId }) => threadId)).toEqual([-1, -1, -1, -1]);
});

it('does not wait for a thread that has ended already', async () => {
  const worker = startDoubler();
  const failed = new Promise((resolve) => worker.once('error', resolve));
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage('break');
  await failed;
  await gone;
  await endWorker(worker);
  expect(worker.threadId).toBe(-1);
});
