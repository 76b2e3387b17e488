import { readFileSync } from 'node:fs';
import { type Config, DEFAULTS } from './defaults.ts';
import { messageOf, UsageError } from './errors.ts';

export type { Config } from './defaults.ts';

/** A configuration file that cannot be used; the message says where and what is allowed. */
export class ConfigError extends UsageError {}

type Section = Record<string, unknown>;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'crawl.scope': ['prefix', 'host', 'domain', 'any'],
  'crawl.level': ['off', 'fast', 'standard', 'thorough', 'auto'],
  'crawl.garbage': ['drop', 'demote', 'flag'],
  'crawl.render': ['never', 'auto', 'always'],
  'crawl.nofollow': ['strict', 'lenient'],
};

/** The defaults with the settings of a JSON file laid over them. Throws {@link ConfigError}. */
export function loadConfig(file: string | undefined): Config {
  if (file === undefined) return DEFAULTS;
  return mergeConfig(readJson(file), file);
}

/** `user` must be an object of sections as in docs/configuration.md; unknown names are errors with the nearest known one. */
export function mergeConfig(user: unknown, source: string): Config {
  if (!isSection(user)) throw new ConfigError(`${source}: the configuration must be a JSON object of sections`);
  const merged: Record<string, Section> = structuredClone(DEFAULTS);
  for (const [name, section] of Object.entries(user)) {
    const known = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (known === undefined)
      throw new ConfigError(`${source}: unknown section "${name}"${nearest(name, Object.keys(merged))}`);
    mergeInto(known, section, name, source);
  }
  return merged as Config;
}

/** Lays the settings of one object over the standard ones, whose names are the only ones known. */
function mergeInto(known: Section, given: unknown, path: string, source: string): void {
  if (!isSection(given)) throw new ConfigError(`${source}: ${path} must be an object of settings`);
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, key))
      throw new ConfigError(`${source}: unknown setting "${path}.${key}"${nearest(key, Object.keys(known))}`);
    const standard = known[key];
    if (isSection(standard)) mergeInto(standard, value, `${path}.${key}`, source);
    else known[key] = checked(`${path}.${key}`, value, standard, source);
  }
}

function readJson(file: string): unknown {
  const text = readFileOrExplain(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${file}: not valid JSON: ${messageOf(error)}`);
  }
}

function readFileOrExplain(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot read the configuration file ${file}: ${messageOf(error)}`);
  }
}

function checked(path: string, value: unknown, standard: unknown, source: string): unknown {
  const wanted = Array.isArray(standard) ? 'list of strings' : typeof standard;
  const fits = Array.isArray(standard)
    ? Array.isArray(value) && value.every((item) => typeof item === 'string')
    : typeof value === typeof standard;
  if (!fits) throw new ConfigError(`${source}: ${path} must be a ${wanted}, not ${JSON.stringify(value)}`);
  if (typeof value === 'number' && !(Number.isFinite(value) && value >= 0)) {
    throw new ConfigError(`${source}: ${path} must be zero or more, not ${value}`);
  }
  const choices = CHOICES[path];
  if (choices !== undefined && !choices.includes(String(value))) {
    throw new ConfigError(`${source}: ${path} must be one of ${choices.join(', ')}, not ${JSON.stringify(value)}`);
  }
  return value;
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** ' (did you mean "delaySeconds"?)' or the list of known names. */
export function nearest(name: string, known: readonly string[]): string {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best === undefined ? `; known: ${known.join(', ')}` : ` (did you mean "${best}"?)`;
}

/** Levenshtein distance, two rows. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
