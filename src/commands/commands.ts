import { backupCommand, restoreCommand } from './backup.ts';
import type { Command } from './command.ts';
import { compactCommand } from './compact.ts';
import { crawlCommand } from './crawl.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { evaluateCommand } from './evaluate.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { focusCommand } from './focus.ts';
import { garbageCommand } from './garbage.ts';
import { forgetCommand, hideCommand, pinCommand } from './hide.ts';
import { importCommand } from './import.ts';
import { inspectCommand } from './inspect.ts';
import { labelCommand } from './label.ts';
import { modelCommand } from './model.ts';
import { robotsCommand } from './robots.ts';
import { searchCommand } from './search.ts';
import { seedsCommand } from './seeds.ts';
import { serveCommand } from './serve.ts';
import { siteCommand } from './site.ts';
import { statusCommand } from './status.ts';
import { trainCommand } from './train.ts';
import { updateCommand } from './update.ts';
import { urlCommand } from './url.ts';

/** Every command, in the order of the help page. */
export const COMMANDS: readonly Command[] = [
  demoCommand,
  crawlCommand,
  updateCommand,
  searchCommand,
  serveCommand,
  siteCommand,
  focusCommand,
  seedsCommand,
  explainCommand,
  inspectCommand,
  statusCommand,
  doctorCommand,
  garbageCommand,
  hideCommand,
  forgetCommand,
  pinCommand,
  labelCommand,
  trainCommand,
  modelCommand,
  evaluateCommand,
  importCommand,
  exportCommand,
  backupCommand,
  restoreCommand,
  compactCommand,
  robotsCommand,
  urlCommand,
];

/** Commands of the contract that are not built yet, and what to do meanwhile. */
export const UNBUILT: ReadonlyMap<string, string> = new Map([
  ['evaluate focus', 'the strategies of "focus" are not compared yet'],
]);
