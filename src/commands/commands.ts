import type { Command } from './command.ts';
import { crawlCommand } from './crawl.ts';
import { robotsCommand } from './robots.ts';
import { urlCommand } from './url.ts';

/** Every command, in the order of the help page. */
export const COMMANDS: readonly Command[] = [crawlCommand, robotsCommand, urlCommand];

/** Commands of the contract that are not built yet, and what to do meanwhile. */
export const UNBUILT: ReadonlyMap<string, string> = new Map();
