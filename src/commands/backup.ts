import { backUpCollection, restoreCollection } from '../engine/backup.ts';
import type { Command } from './command.ts';
import { bytes } from './crawl-text.ts';

const DIR = { name: 'DIR', help: 'folder of the backup', required: true } as const;

export const backupCommand: Command = {
  name: 'backup',
  summary: 'copy the collection to a folder; safe while a crawl runs',
  details: `Database, archives and trained models of one committed moment. The folder must be new or empty. The admin token is left
out: a restored collection makes its own.`,
  args: [DIR],
  async run({ args }, { dataDir, config }) {
    const report = await backUpCollection(dataDir, args[0] ?? '', config);
    const text = `backed up to ${report.to}: ${report.files} archive files, ${bytes(report.bytes)}, and the database`;
    return { kind: 'report', json: report, text };
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'bring a backup back into a folder without a collection',
  details: `The backup is checked from end to end before anything is written; a folder that holds a collection is never touched.
Example: winnow restore backups/2026-05 --data winnow-data`,
  args: [DIR],
  async run({ args }, { dataDir, config }) {
    const report = await restoreCollection(args[0] ?? '', dataDir, config);
    const text = `restored to ${report.to}: ${report.files} archive files, ${bytes(report.bytes)}, and the database`;
    return { kind: 'report', json: report, text };
  },
};
