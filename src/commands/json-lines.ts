import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { messageOf, UsageError } from '../config/errors.ts';

/**
 * Reads JSON lines and answers each with a JSON line. A line that `parse` refuses is a {@link UsageError} naming it.
 * `parse` returns a sentence when the value is not of its form.
 */
export async function* answerLines<T>(
  input: Readable,
  parse: (value: unknown) => { readonly value: T } | { readonly problem: string },
  answer: (value: T) => unknown,
): AsyncGenerator<string> {
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() === '') continue;
    const parsed = parse(parseJson(line, number));
    if ('problem' in parsed) throw new UsageError(`standard input, line ${number}: ${parsed.problem}`);
    yield JSON.stringify(answer(parsed.value));
  }
}

function parseJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new UsageError(`standard input, line ${number}: not JSON: ${messageOf(error)}`);
  }
}

/** The named fields of a JSON object when they are strings; undefined when the value is no object. */
export function stringFields(
  value: unknown,
  names: readonly string[],
): Readonly<Record<string, string | undefined>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const found = new Map(Object.entries(value));
  return Object.fromEntries(
    names.map((name) => {
      const field: unknown = found.get(name);
      return [name, typeof field === 'string' ? field : undefined];
    }),
  );
}
