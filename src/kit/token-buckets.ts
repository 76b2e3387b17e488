import { RecentMap } from './recent-map.ts';

export interface BucketOptions {
  /** Tokens that a full bucket holds: what may be taken at once. */
  readonly burst: number;
  readonly perSecond: number;
  /** Buckets held; those that were not used lately are forgotten, and full when they come back. */
  readonly maxKeys: number;
}

/** A token bucket a key, full at first, in bounded memory. */
export class TokenBuckets {
  readonly #options: BucketOptions;
  readonly #buckets: RecentMap<string, { level: number; at: number }>;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#buckets = new RecentMap(options.maxKeys);
  }

  /** Takes a token; false when there is none. `now` in milliseconds; a clock set back fills nothing. */
  take(key: string, now: number): boolean {
    const { burst, perSecond } = this.#options;
    const held = this.#buckets.get(key);
    const bucket = held ?? { level: burst, at: now };
    if (held === undefined) this.#buckets.set(key, bucket);
    const grown = (Math.max(0, now - bucket.at) * perSecond) / 1000;
    bucket.level = Math.min(burst, bucket.level + grown);
    bucket.at = now;
    if (bucket.level < 1) return false;
    bucket.level--;
    return true;
  }
}
