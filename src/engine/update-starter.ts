import type { WriterEvent, WriterProcess } from './writer-process.ts';

export interface UpdateStarterOptions {
  /** Milliseconds between two runs without a signal. */
  readonly everyMs: number;
  /** Milliseconds after the first failed run; doubled by each further one, up to `everyMs`. */
  readonly retryMs: number;
}

/**
 * Starts `update --once` in the writer's process when changes are signalled, and from time to time for pages that are
 * due by age. One writer at a time: what is wanted while it works is done after it.
 */
export class UpdateStarter {
  readonly #writer: WriterProcess;
  readonly #options: UpdateStarterOptions;
  readonly #timer: NodeJS.Timeout;
  #isWanted = false;
  #isRunning = false;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(writer: WriterProcess, options: UpdateStarterOptions) {
    this.#writer = writer;
    this.#options = options;
    this.#timer = setInterval(() => this.want(), options.everyMs).unref();
  }

  want(): void {
    const started = this.#writer.start(['update', '--once']);
    this.#isWanted = !started;
    this.#isRunning ||= started;
  }

  /** To be told of everything the writer says. */
  onEvent(event: WriterEvent): void {
    if (event.kind === 'progress') return;
    const wasOurs = this.#isRunning;
    this.#isRunning = false;
    if (wasOurs) this.#failures = event.kind === 'failed' ? this.#failures + 1 : 0;
    if (wasOurs && event.kind === 'failed') this.#tryLater();
    else if (this.#isWanted) this.want();
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
  }

  /** Another process may hold the folder: signals stay where they are until it is done. */
  #tryLater(): void {
    const { everyMs, retryMs } = this.#options;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.want(), Math.min(everyMs, retryMs * 2 ** (this.#failures - 1))).unref();
  }
}
