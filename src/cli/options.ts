import type { OptionSpec } from '../commands/command.ts';
import { UsageError } from '../config/errors.ts';

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: 'data', value: 'DIR', help: 'data folder (default ./winnow-data, or WINNOW_DATA)' },
  { name: 'collection', value: 'NAME', help: 'a collection inside the data folder' },
  { name: 'config', value: 'FILE', help: 'JSON file of settings, see docs/configuration.md' },
  { name: 'json', help: 'one JSON document on standard output' },
  { name: 'quiet', help: 'no progress lines' },
];

/** Options of every command that fetches; not remembered between runs. */
export const FETCH_OPTIONS: readonly OptionSpec[] = [
  { name: 'hosts', value: 'FILE', help: 'hosts-file lines: fixed addresses for host names (or WINNOW_HOSTS)' },
  { name: 'allow-private', help: 'also fetch from private and loopback addresses (or WINNOW_ALLOW_PRIVATE=1)' },
  { name: 'user-agent', value: 'S', help: 'whole User-Agent header' },
  { name: 'contact', value: 'S', help: 'mail address or URL of the operator, sent with every request' },
  {
    name: 'delay',
    value: 'SECONDS',
    type: 'number',
    min: 0,
    max: 86_400,
    help: 'pause between requests to a host (default 1)',
  },
  {
    name: 'concurrency',
    value: 'N',
    type: 'integer',
    min: 1,
    max: 1024,
    help: 'requests under way at once (default 16)',
  },
  {
    name: 'render',
    value: 'WHEN',
    choices: ['never', 'auto', 'always'],
    help: 'render pages in a browser: never (default), auto, always',
  },
];

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Number() would also take 0x10, 1e308 and white space. */
const PLAIN_DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const LONGEST_SECONDS = 3650 * 86_400;

/** The text of an option as the value its spec asks for; throws {@link UsageError} naming the option. */
export function parseOption(spec: OptionSpec, text: string): string | number {
  switch (spec.type) {
    case 'integer':
      return bounded(spec, text, /^[+-]?\d+$/.test(text), 'a whole number');
    case 'number':
      return bounded(spec, text, PLAIN_DECIMAL.test(text), 'a number');
    case 'duration':
      return duration(spec, text);
    default:
      return chosen(spec, text);
  }
}

function bounded(spec: OptionSpec, text: string, wellFormed: boolean, kind: string): number {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = spec;
  const value = Number(text);
  if (wellFormed && value >= min && value <= max) return value;
  throw new UsageError(`--${spec.name} takes ${kind}${range(spec)}, not "${text}"`);
}

function range({ min, max = Number.MAX_SAFE_INTEGER }: OptionSpec): string {
  if (min === undefined) return ` up to ${max}`;
  return max === Number.MAX_SAFE_INTEGER ? `, ${min} or more (at most ${max})` : ` from ${min} to ${max}`;
}

function duration(spec: OptionSpec, text: string): number {
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
  const seconds = Number(match?.[1]) * (UNIT_SECONDS[match?.[2] || 's'] ?? Number.NaN);
  if (seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
  throw new UsageError(
    `--${spec.name} takes a time such as 90s, 10m, 2h or 1d, more than none and at most 3650d, not "${text}"`,
  );
}

function chosen(spec: OptionSpec, text: string): string {
  if (text.trim() === '' && spec.mayBeEmpty !== true) {
    throw new UsageError(`--${spec.name} needs a value, and "${text}" is none; leave the option out instead`);
  }
  if (spec.choices !== undefined && !spec.choices.includes(text)) {
    throw new UsageError(`--${spec.name} must be one of ${spec.choices.join(', ')}, not "${text}"`);
  }
  return text;
}
