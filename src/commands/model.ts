import { join } from 'node:path';
import { UnableError, UsageError } from '../config/errors.ts';
import { openModelStore } from '../engine/judging.ts';
import { DETECTORS, type DetectorName } from '../model/lists.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';

const DETECTOR_ARGUMENT = { name: 'DETECTOR', help: 'spam or soft-404', required: true } as const;

export const modelCommand: Command = {
  name: 'model',
  summary: 'the models of the garbage detectors',
  sub: [
    { name: 'list', summary: 'models at hand and those in use', run: async (_input, context) => list(context) },
    {
      name: 'promote',
      summary: 'use a certain model from now on',
      args: [DETECTOR_ARGUMENT, { name: 'VERSION', help: 'as in "model list"', required: true }],
      async run({ args }, context) {
        const detector = detectorOf(args[0]);
        const store = openModelStore(join(context.dataDir, 'models'));
        if (!store.promote(detector, args[1] ?? ''))
          throw new UnableError(`there is no ${detector} model "${args[1]}"; see "winnow model list"`);
        return list(context);
      },
    },
    {
      name: 'rollback',
      summary: 'back to the model used before',
      args: [DETECTOR_ARGUMENT],
      async run({ args }, context) {
        const detector = detectorOf(args[0]);
        if (openModelStore(join(context.dataDir, 'models')).rollback(detector) === undefined) {
          throw new UnableError(`no other ${detector} model was used before the present one`);
        }
        return list(context);
      },
    },
  ],
};

function detectorOf(word: string | undefined): DetectorName {
  const found = DETECTORS.find((detector) => detector === word);
  if (found === undefined) throw new UsageError(`model: the detector is spam or soft-404, not "${word}"`);
  return found;
}

function list({ dataDir }: CommandContext): CommandResult {
  const rows = openModelStore(join(dataDir, 'models')).list();
  const text = rows.map(
    (row) =>
      `${row.inUse ? '*' : ' '} ${row.detector.padEnd(9)} ${row.version.padEnd(12)} ${row.shipped ? 'shipped' : row.file}`,
  );
  return { kind: 'report', json: rows, text: text.join('\n') };
}
