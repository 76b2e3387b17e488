import type { Command } from './command.ts';
import { crawlCommand } from './crawl.ts';
import { demoCommand } from './demo.ts';
import { evaluateCommand } from './evaluate.ts';
import { explainCommand } from './explain.ts';
import { focusCommand } from './focus.ts';
import { garbageCommand } from './garbage.ts';
import { modelCommand } from './model.ts';
import { robotsCommand } from './robots.ts';
import { searchCommand } from './search.ts';
import { seedsCommand } from './seeds.ts';
import { serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { trainCommand } from './train.ts';
import { urlCommand } from './url.ts';

/** Every command, in the order of the help page. */
export const COMMANDS: readonly Command[] = [
  demoCommand,
  crawlCommand,
  searchCommand,
  serveCommand,
  focusCommand,
  seedsCommand,
  explainCommand,
  statusCommand,
  garbageCommand,
  trainCommand,
  modelCommand,
  evaluateCommand,
  robotsCommand,
  urlCommand,
];

/** Commands of the contract that are not built yet, and what to do meanwhile. */
export const UNBUILT: ReadonlyMap<string, string> = new Map();
