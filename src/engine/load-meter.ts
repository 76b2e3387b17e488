import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoadMeterOptions {
  /** Milliseconds that work may wait for the thread, in one of ten samples of a period. */
  readonly maxDelayMs: number;
  /** Milliseconds of a period. */
  readonly periodMs: number;
}

/** Whether the thread is too busy to take more on: how late its timers were in the last period. */
export class LoadMeter {
  readonly #histogram: ReturnType<typeof monitorEventLoopDelay>;
  readonly #timer: NodeJS.Timeout;
  #isOverloaded = false;

  constructor({ maxDelayMs, periodMs }: LoadMeterOptions) {
    this.#histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#histogram.enable();
    this.#timer = setInterval(() => {
      this.#isOverloaded = this.#histogram.percentile(90) / 1e6 - RESOLUTION_MS > maxDelayMs;
      this.#histogram.reset();
    }, periodMs).unref();
  }

  get isOverloaded(): boolean {
    return this.#isOverloaded;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }
}

const RESOLUTION_MS = 10;
