import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { COMMON_OPTIONS, FETCH_OPTIONS } from '../src/cli/options.ts';
import type { ArgumentSpec, Command, OptionSpec } from '../src/commands/command.ts';
import { COMMANDS, UNBUILT } from '../src/commands/commands.ts';
import { DEFAULTS } from '../src/config/defaults.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Text of every document that is made from the source, by its path. */
export function generatedDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/configuration.md', configuration()],
    ['docs/contract.md', withBlocks('docs/contract.md', { commands: commands(), lists: lists(), shapes: shapes() })],
  ]);
}

export function readProjectFile(path: string): string {
  return readFileSync(resolve(ROOT, path), 'utf8');
}

/** The commands as typed, with those that have sub-commands taken apart: 'crawl', 'garbage list', … */
export function commandWords(): readonly string[] {
  return flatten(COMMANDS, '').map(({ words }) => words);
}

/** Names of the options a command takes, the common ones included; undefined: there is no such command. */
export function optionsOf(words: string): readonly string[] | undefined {
  const command = flatten(COMMANDS, '').find((entry) => entry.words === words)?.command;
  if (command === undefined) return undefined;
  const shared = command.fetches === true ? [...FETCH_OPTIONS, ...COMMON_OPTIONS] : COMMON_OPTIONS;
  return [...(command.options ?? []), ...shared].map(({ name }) => name).concat('help');
}

interface Entry {
  readonly words: string;
  readonly command: Command;
}

function flatten(list: readonly Command[], before: string): readonly Entry[] {
  return list.flatMap((command) => {
    const words = `${before}${command.name}`;
    const own = command.run === undefined ? [] : [{ words, command }];
    return [...own, ...flatten(command.sub ?? [], `${words} `)];
  });
}

function commands(): string {
  const sections = flatten(COMMANDS, '').map(section);
  const missing = [...UNBUILT].map(([words, reason]) => `- \`winnow ${words}\`: ${reason}.`);
  return [
    'Options of every command:',
    optionTable(COMMON_OPTIONS),
    'Options of every command that fetches (marked *fetches* below), for this run only:',
    optionTable(FETCH_OPTIONS),
    ...sections,
    ...(missing.length === 0 ? [] : ['### Not built yet (exit status 2)', missing.join('\n')]),
  ].join('\n\n');
}

function section({ words, command }: Entry): string {
  const args = (command.args ?? []).map(argument).join(' ');
  const fetches = command.fetches === true ? ' *(fetches)*' : '';
  const parts = [
    `### \`winnow ${words}${args === '' ? '' : ` ${args}`}\``,
    `${capital(command.summary)}.${fetches}`,
    ...(command.options === undefined ? [] : [optionTable(command.options)]),
  ];
  return parts.join('\n\n');
}

function argument({ name, required, many }: ArgumentSpec): string {
  const word = many === true ? `${name}…` : name;
  return required === true ? word : `[${word}]`;
}

function optionTable(options: readonly OptionSpec[]): string {
  const rows = options.map((spec) => {
    const value = spec.choices?.join('\\|') ?? spec.value;
    const form = `\`--${spec.name}${value === undefined ? '' : ` ${value}`}\``;
    return `| ${form}${spec.repeatable === true ? ' …' : ''} | ${cell(spec.help)} |`;
  });
  return ['| option | meaning |', '|---|---|', ...rows].join('\n');
}

/** The closed lists of src/model/lists.ts, a line each. */
function lists(): string {
  const text = readProjectFile('src/model/lists.ts');
  return [...text.matchAll(/export const (\w+) = \[([^\]]*)\] as const;/g)]
    .map(
      ([, name = '', values = '']) =>
        `- ${words(name)}: ${values
          .match(/'[^']+'/g)
          ?.map(code)
          .join(', ')}`,
    )
    .join('\n');
}

function words(constant: string): string {
  return capital(constant.toLowerCase().replaceAll('_', ' '));
}

function code(quoted: string): string {
  return `\`${quoted.slice(1, -1)}\``;
}

/** The interfaces of src/model/reports.ts without what only the compiler needs. */
function shapes(): string {
  const text = readProjectFile('src/model/reports.ts');
  const interfaces = [...text.matchAll(/^export interface [\s\S]*?^}/gm)].map(([whole]) =>
    whole
      .replaceAll('export interface', 'interface')
      .replaceAll('readonly ', '')
      .replace(/Readonly<(Record<[^;]*>)>/g, '$1'),
  );
  return `\`\`\`ts\n${interfaces.join('\n\n')}\n\`\`\``;
}

function withBlocks(path: string, blocks: Readonly<Record<string, string>>): string {
  let text = readProjectFile(path);
  for (const [name, block] of Object.entries(blocks)) {
    const place = new RegExp(`(<!-- begin ${name}[^>]*-->\\n)[\\s\\S]*?(<!-- end ${name} -->)`);
    if (!place.test(text)) throw new Error(`${path} has no place for "${name}"`);
    text = text.replace(place, (_, begin: string, end: string) => `${begin}\n${block}\n\n${end}`);
  }
  return text;
}

const CONFIGURATION_HEAD = `# Configuration

<!-- Made from src/config/defaults.ts by "npm run docs". Change the comments there, not this file. -->

\`--config FILE\` names a JSON file of sections; what it leaves out has the default below. A name that does not exist, a
value of another kind and a negative number are errors (exit status 2) that name the nearest known setting.

\`\`\`json
{ "crawl": { "contact": "search@example.org", "delaySeconds": 2 }, "server": { "port": 9000 } }
\`\`\`

Options of the command line win over the file. Environment variables: \`WINNOW_DATA\` (data folder), \`WINNOW_HOSTS\`
(hosts file), \`WINNOW_ALLOW_PRIVATE\` (1 = fetch from private addresses too), \`WINNOW_DEBUG\` (1 = stack of an unexpected
error), and of the network \`HTTP_PROXY\`, \`HTTPS_PROXY\` and \`NO_PROXY\` (the lower-case names too).
`;

/** A table a section: setting, default, comment. A setting without a comment of its own shares the one above it. */
function configuration(): string {
  const sections: string[] = [];
  const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = DEFAULTS;
  let comment = '';
  let name = '';
  for (const line of joinedComments(readProjectFile('src/config/defaults.ts'))) {
    const [, indent = '', text] = /^( {2}| {4})\/\*\* (.*) \*\/$/.exec(line) ?? [];
    if (text !== undefined) comment = text;
    const opened = /^ {2}(\w+): \{$/.exec(line)?.[1];
    if (opened !== undefined) {
      sections.push(sectionHead(opened, comment));
      name = opened;
    }
    if (opened !== undefined || (text === undefined && indent === '' && line === '  },')) comment = '';
    const setting = /^ {4}(\w+): /.exec(line)?.[1];
    if (setting === undefined || name === '') continue;
    sections.push(`| \`${setting}\` | ${shown(values[name]?.[setting])} | ${cell(comment)} |`);
  }
  return `${CONFIGURATION_HEAD}\n${sections.join('\n').trimStart()}\n`;
}

function sectionHead(name: string, comment: string): string {
  const about = comment === '' ? '' : `\n${comment}\n`;
  return `\n## ${name}\n${about}\n| setting | default | unit and reason |\n|---|---|---|`;
}

/** Comments of several lines as one line. */
function joinedComments(text: string): readonly string[] {
  return text.replace(/\/\*\*[\s\S]*?\*\//g, (comment) => comment.replace(/\s*\n\s*\* ?/g, ' ')).split('\n');
}

function shown(value: unknown): string {
  if (value === '') return '(empty)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.map((item) => `\`${item}\``).join(', ');
  if (typeof value === 'number') return String(value);
  return `\`${typeof value === 'object' ? JSON.stringify(value) : String(value)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of generatedDocs()) writeFileSync(resolve(ROOT, path), text);
}
