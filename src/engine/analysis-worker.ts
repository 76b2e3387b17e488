import { parentPort, workerData } from 'node:worker_threads';
import { takeOrders } from '../kit/end-worker.ts';
import { Analysis, type AnalysisSetup } from './analysis.ts';
import type { AnalysisAnswer, AnalysisOrder } from './analysis-pool.ts';

/** Thread entry: orders in, answers out, one at a time. */
const port = parentPort;
if (port === null) throw new Error('analysis-worker.ts runs as a worker thread');
const analysis = new Analysis(workerData as AnalysisSetup);

takeOrders(port, (order: AnalysisOrder) => {
  const answer = carryOut(order);
  if (answer !== undefined) port.postMessage(answer);
});

function carryOut(order: AnalysisOrder): AnalysisAnswer | undefined {
  try {
    if (order.kind === 'drop') {
      analysis.drop(order.page);
      return undefined;
    }
    if (order.kind === 'read') return { id: order.id, result: analysis.read(order.page, order.response) };
    return { id: order.id, result: analysis.judge(order.page, order.level, order) };
  } catch (error) {
    return order.kind === 'drop'
      ? undefined
      : { id: order.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
