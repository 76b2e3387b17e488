import { describe, expect, it } from 'vitest';
import type { OptionSpec } from '../commands/command.ts';
import { UsageError } from '../config/errors.ts';
import { FETCH_OPTIONS, parseOption } from './options.ts';

function fetchOption(name: string): OptionSpec {
  const spec = FETCH_OPTIONS.find((option) => option.name === name);
  if (spec === undefined) throw new Error(name);
  return spec;
}

const COUNT: OptionSpec = { name: 'count', value: 'N', type: 'integer', min: 0, help: '' };
const FOR: OptionSpec = { name: 'for', value: 'DURATION', type: 'duration', help: '' };
const TEXT: OptionSpec = { name: 'data', value: 'DIR', help: '' };

describe('option values', () => {
  it.each([
    [fetchOption('delay'), '0x10'],
    [fetchOption('delay'), '1e308'],
    [fetchOption('delay'), '1e3'],
    [fetchOption('delay'), ' 1'],
    [fetchOption('delay'), 'Infinity'],
    [fetchOption('delay'), '-1'],
    [fetchOption('delay'), '86401'],
    [fetchOption('delay'), '.'],
    [fetchOption('concurrency'), '99999999999999999999'],
    [fetchOption('concurrency'), '1025'],
    [fetchOption('concurrency'), '0'],
    [fetchOption('concurrency'), '1.5'],
    [COUNT, '9007199254740993'],
    [FOR, '0'],
    [FOR, '0.0h'],
    [FOR, '99999999999d'],
    [FOR, '-5m'],
    [TEXT, ''],
    [TEXT, ' \t'],
    [fetchOption('hosts'), ''],
    [fetchOption('contact'), ''],
  ])('$name: $1 is refused by name', (spec, text) => {
    expect(() => parseOption(spec, text)).toThrow(UsageError);
    expect(() => parseOption(spec, text)).toThrow(`--${spec.name} `);
  });

  it.each([
    [fetchOption('delay'), '0', 0],
    [fetchOption('delay'), '.5', 0.5],
    [fetchOption('delay'), '86400', 86_400],
    [fetchOption('concurrency'), '1024', 1024],
    [COUNT, '9007199254740991', 9007199254740991],
    [FOR, '90', 90],
    [FOR, '1.5h', 5400],
    [TEXT, 'a b', 'a b'],
    [{ ...TEXT, mayBeEmpty: true as const }, '', ''],
  ])('$name: $1 is taken', (spec, text, value) => {
    expect(parseOption(spec, text)).toBe(value);
  });
});
