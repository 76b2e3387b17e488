import { compactCollection } from '../engine/compact.ts';
import { listRules } from '../engine/rule-change.ts';
import type { Command } from './command.ts';
import { bytes } from './crawl-text.ts';

export const compactCommand: Command = {
  name: 'compact',
  summary: 'drop old versions and the bytes of forgotten pages',
  details: `Keeps to repository.versionsPerUrl, versionDays and diskBytes of the configuration. The newest version of a kept page
always stays. Not possible while a crawl runs.`,
  async run(_input, { dataDir, config, now }) {
    // Refuses a folder without a collection, which opening for writing would make.
    listRules(dataDir, config);
    const report = await compactCollection(dataDir, config, now);
    const note = report.databaseRewritten ? '' : '; the database was not rewritten: too little free disk for its copy';
    const text = `${report.versionsRemoved} versions dropped, ${report.filesRewritten} archive files rewritten, ${bytes(report.bytesBefore)} before, ${bytes(report.bytesAfter)} now${note}`;
    return { kind: 'report', json: report, text };
  },
};
