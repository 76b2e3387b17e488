/** Bad usage or input: exit 2. The message names the option, or the file and line. */
export class UsageError extends Error {}

/** Nothing of what was asked could be done, or a required thing is missing: exit 1. The message says what to do. */
export class UnableError extends Error {}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
