import { printable } from './progress.ts';

/** Standard output took no more; {@link watchOutput} has said why, or says it in this turn of the event loop. */
export class OutputError extends Error {}

/** A reader that left early ends the process quietly; anything else is said once and makes the status 1. */
export function watchOutput(): void {
  let said = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.exitCode = 1;
    if (!said) console.error(`winnow: cannot write the output: ${printable(error.message)}`);
    said = true;
  });
  // The terminal is gone: nobody is left to tell, and the work under way is to be saved all the same.
  process.stderr.on('error', () => undefined);
}

/** Resolves when standard output has taken the text; rejects with {@link OutputError}. */
export function write(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputError(error.message)) : resolve()));
  });
}
