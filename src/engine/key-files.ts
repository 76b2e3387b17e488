import type { Config } from '../config/config.ts';
import { RecentMap } from '../kit/recent-map.ts';
import { TokenBuckets } from '../kit/token-buckets.ts';
import { holdsKey } from '../modification-detection/request-processor/request-processor.ts';
import { hostName } from '../url/url.ts';
import { openFetcher } from './fetch-once.ts';

/** too-many: so many key files of the host were asked for lately that it was not looked. */
export type KeyFinding = 'held' | 'missing' | 'too-many';

/** Bytes of a key file that are looked at. */
const KEY_FILE_LENGTH = 4_096;

/** Key files of sites that tell of changes by IndexNow: a finding is used for a time, and sites are asked seldom. */
export class KeyFiles {
  readonly #config: Config;
  readonly #now: () => number;
  readonly #found: RecentMap<string, { readonly isHeld: boolean; readonly until: number }>;
  readonly #asked: TokenBuckets;

  constructor(config: Config, now: () => number) {
    const { keyFilesHeld, keyFileBurst, keyFilesPerHour, maxSites } = config.indexNow;
    this.#config = config;
    this.#now = now;
    this.#found = new RecentMap(keyFilesHeld);
    this.#asked = new TokenBuckets({ burst: keyFileBurst, perSecond: keyFilesPerHour / 3_600, maxKeys: maxSites });
  }

  async check(url: string, key: string): Promise<KeyFinding> {
    const name = `${key} ${url}`;
    const known = this.#found.get(name);
    if (known !== undefined && known.until > this.#now()) return known.isHeld ? 'held' : 'missing';
    if (!this.#asked.take(hostName(url) ?? '', this.#now())) return 'too-many';
    const isHeld = await this.#look(url, key);
    const { keyLifeMs, noKeyLifeMs } = this.#config.indexNow;
    this.#found.set(name, { isHeld, until: this.#now() + (isHeld ? keyLifeMs : noKeyLifeMs) });
    return isHeld ? 'held' : 'missing';
  }

  async #look(url: string, key: string): Promise<boolean> {
    const fetcher = openFetcher(this.#config, this.#now);
    try {
      // A file of another host vouches for nothing here.
      const followRedirect = (from: string, target: string): boolean => hostName(target) === hostName(from);
      const outcome = await fetcher.fetch({ url, purpose: 'robots', followRedirect });
      if (outcome.kind !== 'page') return false;
      return holdsKey(Buffer.from(outcome.response.body.subarray(0, KEY_FILE_LENGTH)).toString('utf8'), key);
    } finally {
      await fetcher.close();
    }
  }
}
