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
  { name: 'delay', value: 'SECONDS', type: 'number', min: 0, help: 'pause between requests to a host (default 1)' },
  { name: 'concurrency', value: 'N', type: 'integer', min: 1, help: 'requests under way at once (default 16)' },
  {
    name: 'render',
    value: 'WHEN',
    choices: ['never', 'auto', 'always'],
    help: 'render pages in a browser: never (default), auto, always',
  },
];

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The text of an option as the value its spec asks for; throws {@link UsageError} naming the option. */
export function parseOption(spec: OptionSpec, text: string): string | number {
  switch (spec.type) {
    case 'integer':
      return bounded(spec, text, /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN, 'a whole number');
    case 'number':
      return bounded(spec, text, text.trim() === '' ? Number.NaN : Number(text), 'a number');
    case 'duration':
      return duration(spec, text);
    default:
      return chosen(spec, text);
  }
}

function bounded(spec: OptionSpec, text: string, value: number, kind: string): number {
  const min = spec.min ?? Number.NEGATIVE_INFINITY;
  if (!Number.isFinite(value) || value < min) {
    const bound = spec.min === undefined ? '' : `, ${spec.min} or more`;
    throw new UsageError(`--${spec.name} takes ${kind}${bound}, not "${text}"`);
  }
  return value;
}

function duration(spec: OptionSpec, text: string): number {
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
  const seconds = Number(match?.[1]) * (UNIT_SECONDS[match?.[2] || 's'] ?? Number.NaN);
  if (!Number.isFinite(seconds))
    throw new UsageError(`--${spec.name} takes a time such as 90s, 10m, 2h or 1d, not "${text}"`);
  return seconds;
}

function chosen(spec: OptionSpec, text: string): string {
  if (spec.choices !== undefined && !spec.choices.includes(text)) {
    throw new UsageError(`--${spec.name} must be one of ${spec.choices.join(', ')}, not "${text}"`);
  }
  return text;
}
