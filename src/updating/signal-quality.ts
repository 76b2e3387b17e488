/** What two visits in a row told of a page and of the signals between them. */
export interface SignalInterval {
  /** Days between the visits, > 0. */
  readonly days: number;
  /** Signals that came between them. */
  readonly signals: number;
  readonly changed: boolean;
}
