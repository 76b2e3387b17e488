import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { messageOf, UsageError } from '../config/errors.ts';
import {
  decideLine,
  parseRobots,
  type RobotsFile,
  type RobotsLine,
} from '../crawling/robots-analyser/robots-analyser.ts';
import { analyserFor, openFetcher } from '../engine/fetch-once.ts';
import type { RobotsDecision } from '../model/robots.ts';
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
  if (/^https?:\/\//i.test(source)) return await decideSite(source, paths, { agent, context });
  const file = readRobots(source);
  const asked = paths.length > 0 ? paths : ['/'];
  const answers = asked.map((path) => ({ path, ...file.decide(agent, path) }));
  return report({ agent, answers, sitemaps: file.sitemaps, lints: file.lints });
}

/** As a crawl would decide: also when the file cannot be had, which forbids or allows everything. */
async function decideSite(
  source: string,
  paths: readonly string[],
  { agent, context }: { readonly agent: string; readonly context: CommandContext },
): Promise<CommandResult> {
  if (!URL.canParse(source)) throw new UsageError(`robots: ${source} is malformed`);
  const { config, now } = context;
  const fetcher = openFetcher(config, now);
  try {
    const analyser = analyserFor(fetcher, withAgent(config, agent), now);
    const answers: Answer[] = [];
    for (const path of paths.length > 0 ? paths : ['/']) {
      const url = URL.parse(path, source)?.href;
      if (url === undefined) throw new UsageError(`robots: "${path}" is neither a path nor a URL`);
      const { allowed, crawlDelay, because } = await analyser.decide(url);
      answers.push({ path, allowed, crawlDelay, because });
    }
    const { sitemaps, lints } = await analyser.file(source);
    return report({ agent, answers, sitemaps, lints });
  } finally {
    await fetcher.close();
  }
}

function withAgent(config: Config, userAgentProduct: string): Config {
  return { ...config, crawl: { ...config.crawl, userAgentProduct } };
}

type Answer = { readonly path: string } & Pick<RobotsDecision, 'allowed' | 'crawlDelay' | 'because'>;

function report(json: {
  readonly agent: string;
  readonly answers: readonly Answer[];
  readonly sitemaps: RobotsFile['sitemaps'];
  readonly lints: RobotsFile['lints'];
}): CommandResult {
  const lines = json.answers.map((a) => `${a.allowed ? 'allowed   ' : 'disallowed'}  ${a.path}  (${a.because})`);
  const lints = json.lints.map((lint) => `line ${lint.line}: ${lint.problem}: ${lint.text}`);
  const text = [...lines, ...(lints.length > 0 ? ['', 'Oddities of the file:', ...lints] : [])].join('\n');
  return { kind: 'report', json, text };
}

function readRobots(source: string): RobotsFile {
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
