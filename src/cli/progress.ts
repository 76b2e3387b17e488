/** Progress on standard error: one line that is overwritten on a terminal, a line every few seconds elsewhere. */
export interface Progress {
  show(line: string): void;
  /** Leaves the last line standing and goes to a new one. */
  end(): void;
}

const PLAIN_EVERY_MS = 5_000;

export function createProgress(stream: NodeJS.WriteStream, now: () => number): Progress {
  let last = 0;
  let open = false;
  return {
    show(line) {
      const text = printable(line);
      if (stream.isTTY) {
        stream.write(`\r\u001b[2K${text.slice(0, Math.max(20, stream.columns - 1))}`);
        open = true;
      } else if (now() - last >= PLAIN_EVERY_MS) {
        last = now();
        stream.write(`${text}\n`);
      }
    },
    end() {
      if (open) stream.write('\n');
      open = false;
    },
  };
}

export const SILENT: Progress = { show: () => undefined, end: () => undefined };

/** Control characters of crawled text must not reach a terminal, nor what turns the direction of the text around it. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
