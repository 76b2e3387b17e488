import { existsSync, readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../config/errors.ts';
import {
  decideLine,
  parseRobots,
  type RobotsFile,
  type RobotsLine,
} from '../crawling/robots-analyser/robots-analyser.ts';
import { fetchRobotsFile } from '../engine/fetch-once.ts';
import type { Command, CommandContext, CommandInput, CommandResult } from './command.ts';
import { answerLines, stringFields } from './json-lines.ts';
import { isOn, textOf } from './values.ts';

export const robotsCommand: Command = {
  name: 'robots',
  summary: 'what a robots.txt allows',
  details: `Examples:
  winnow robots robots.txt --agent winnow /private/ /public/page.html
  winnow robots https://www.example.org/ --agent winnow /search --contact me@example.org
  winnow robots --batch < cases.jsonl      JSON lines {"robots", "agent", "path"} → {"allowed", "crawlDelay"}`,
  args: [
    { name: 'FILE|URL', help: 'a robots.txt, or a URL of its site' },
    { name: 'PATH', help: 'paths or absolute URLs to ask about', many: true },
  ],
  options: [
    { name: 'agent', value: 'S', help: 'product token or User-Agent (default: winnow)' },
    { name: 'batch', help: 'read JSON lines from standard input' },
  ],
  fetches: true,
  run: async (input, context) =>
    isOn(input.options, 'batch')
      ? { kind: 'lines', lines: answerLines(process.stdin, parseLine, decideLine) }
      : await decide(input, context),
};

async function decide({ args, options }: CommandInput, context: CommandContext): Promise<CommandResult> {
  const [source, ...paths] = args;
  if (source === undefined) throw new UsageError('robots: name a robots.txt file or a URL, or use --batch');
  const agent = textOf(options, 'agent') ?? context.config.crawl.userAgentProduct;
  const file = await readRobots(source, context);
  const asked = paths.length > 0 ? paths : ['/'];
  const answers = asked.map((path) => ({ path, ...file.decide(agent, path) }));
  const lines = answers.map((a) => `${a.allowed ? 'allowed   ' : 'disallowed'}  ${a.path}  (${a.because})`);
  const lints = file.lints.map((lint) => `line ${lint.line}: ${lint.problem}: ${lint.text}`);
  const text = [...lines, ...(lints.length > 0 ? ['', 'Oddities of the file:', ...lints] : [])].join('\n');
  return { kind: 'report', json: { agent, answers, sitemaps: file.sitemaps, lints: file.lints }, text };
}

async function readRobots(source: string, context: CommandContext): Promise<RobotsFile> {
  if (/^https?:\/\//i.test(source)) return await fetchRobotsFile(source, context.config, context.now);
  if (!existsSync(source))
    throw new UsageError(`robots: there is no file ${source} (a URL begins with http:// or https://)`);
  try {
    return parseRobots(readFileSync(source));
  } catch (error) {
    throw new UsageError(`robots: cannot read ${source}: ${messageOf(error)}`);
  }
}

function parseLine(value: unknown): { readonly value: RobotsLine } | { readonly problem: string } {
  const fields = stringFields(value, ['robots', 'agent', 'path']);
  const { robots, agent, path } = fields ?? {};
  if (robots === undefined || agent === undefined || path === undefined) {
    return { problem: 'string fields "robots", "agent" and "path" are needed' };
  }
  return { value: { robots, agent, path } };
}
