import type { OptionValues } from './command.ts';

/** Typed reads of parsed option values: the command line has already checked kinds, bounds and choices. */
export function textOf(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(options: OptionValues, name: string): number | undefined {
  const value = options[name];
  return typeof value === 'number' ? value : undefined;
}

export function listOf(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
}

export function isOn(options: OptionValues, name: string): boolean {
  return options[name] === true;
}

/** One of the closed words of an option, or undefined when not given. */
export function wordOf<W extends string>(options: OptionValues, name: string, words: readonly W[]): W | undefined {
  const value = textOf(options, name);
  return words.find((word) => word === value);
}
