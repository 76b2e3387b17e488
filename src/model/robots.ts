/** The answer of the robots analyser for one URL. */
export interface RobotsDecision {
  readonly allowed: boolean;
  /** Seconds, uncapped; null when the file names none for the agent. */
  readonly crawlDelay: number | null;
  /** The rule or circumstance that decided, e.g. 'Disallow: /private', 'robots.txt answered 503'. */
  readonly because: string;
  /**
   * Milliseconds since 1970. Set when no rule forbids the URL but robots.txt could not be read: ask again then, the
   * refusal is no final state of the URL.
   */
  readonly retryAt?: number;
}
