import { backUpCollection, type CopyReport, restoreCollection } from '../engine/backup.ts';
import type { Command, CommandContext } from './command.ts';
import { bytes } from './crawl-text.ts';

const DIR = { name: 'DIR', help: 'folder of the backup', required: true } as const;

export const backupCommand: Command = {
  name: 'backup',
  summary: 'copy the collection to a folder; safe while a crawl runs',
  details: `Database, archives and trained models of one committed moment. The folder must be new or empty. The admin token is left
out: a restored collection makes its own. Every record is read; damaged ones are named and all else is copied.`,
  args: [DIR],
  async run({ args }, context) {
    const { dataDir, config } = context;
    const report = await backUpCollection(dataDir, args[0] ?? '', config);
    noteDamage(report, context);
    const text = `backed up to ${report.to}: ${report.files} archive files, ${bytes(report.bytes)}, and the database${damageOf(report)}`;
    return { kind: 'report', json: report, text };
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'bring a backup back into a folder without a collection',
  details: `The database is checked before anything is written; a folder that holds a collection is never touched. Of damaged
archives all whole records come back; a page whose record is damaged keeps its text and loses only its source.
Example: winnow restore backups/2026-05 --data winnow-data`,
  args: [DIR],
  async run({ args }, context) {
    const { dataDir, config } = context;
    const report = await restoreCollection(args[0] ?? '', dataDir, config);
    noteDamage(report, context);
    const text = `restored to ${report.to}: ${report.files} archive files, ${bytes(report.bytes)}, and the database${damageOf(report)}`;
    return { kind: 'report', json: report, text };
  },
};

const MAX_NOTES = 20;

function noteDamage({ problems }: CopyReport, context: CommandContext): void {
  for (const { file, offset, detail } of problems.slice(0, MAX_NOTES))
    context.note(`${file} at byte ${offset}: ${detail}`);
  if (problems.length > MAX_NOTES) context.note(`… and ${problems.length - MAX_NOTES} more`);
}

function damageOf({ problems }: CopyReport): string {
  const count = problems.length;
  if (count === 0) return '';
  return `; ${count} ${count === 1 ? 'record is' : 'records are'} damaged`;
}
