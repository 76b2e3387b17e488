/** The answer of the robots analyser for one URL. */
export interface RobotsDecision {
  readonly allowed: boolean;
  /** Seconds, uncapped; null when the file names none for the agent. */
  readonly crawlDelay: number | null;
  /** The rule or circumstance that decided, e.g. 'Disallow: /private', 'robots.txt answered 503'. */
  readonly because: string;
}
