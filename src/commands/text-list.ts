import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../config/errors.ts';

export interface TextLine {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** Text lists of the contract: one item a line, UTF-8, `#` comments, blank lines skipped. Throws {@link UsageError}. */
export function readTextList(file: string, option: string): readonly TextLine[] {
  return readFileFor(file, option)
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((text, index) => ({ text: text.replace(/(^|\s)#.*$/, '').trim(), line: index + 1 }))
    .filter((entry) => entry.text !== '');
}

/** The text of a file named on the command line; what is wrong with it names the option. */
export function readFileFor(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file}: ${messageOf(error)}`);
  }
}
