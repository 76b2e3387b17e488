import { readStatus } from '../engine/status.ts';
import type { StatusReport } from '../model/reports.ts';
import type { Command } from './command.ts';
import { bytes } from './crawl-text.ts';

export const statusCommand: Command = {
  name: 'status',
  summary: 'figures of the collection',
  async run(_input, { dataDir, config }) {
    const status = await readStatus(dataDir, config);
    return { kind: 'report', json: status, text: render(status) };
  },
};

function render(status: StatusReport): string {
  const states = Object.entries(status.pages).filter(([, n]) => n > 0);
  const { lastRun } = status;
  return [
    ...states.map(([state, n]) => `${state.padEnd(12)}${n.toLocaleString('en').padStart(12)}`),
    '',
    `hosts ${status.hosts}, database ${bytes(status.bytes.db)}, archive ${bytes(status.bytes.warc)}, quarantine ${bytes(status.bytes.quarantine)}`,
    `models: spam ${status.model.spam}, soft-404 ${status.model['soft-404']}`,
    lastRun === null
      ? 'nothing was crawled yet'
      : `last run ${lastRun.startedAt}: ${lastRun.summary ?? 'under way, or it was cut off: "winnow crawl" goes on from there'}`,
  ].join('\n');
}
