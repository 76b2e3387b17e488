import type { UrlValidator } from '../crawling/url-validator/url-validator.ts';
import type { Candidate } from '../crawling/visited-urls/visited-urls.ts';
import { type CompiledKeyRules, resolveUrl } from '../url/url.ts';
import type { StoredSeed } from './runs.ts';

export const SEED_PRIORITY = 1;

/** Seeds as the visited-URL controller takes them; those that the validator refuses are entered with the reason. */
export function seedCandidates(
  seeds: readonly StoredSeed[],
  by: { readonly keyRules: CompiledKeyRules; readonly validator: UrlValidator },
): Candidate[] {
  return seeds.flatMap(({ url }) => {
    const resolved = resolveUrl(url, undefined, by.keyRules);
    if ('reason' in resolved) return [];
    const checked = by.validator.validate({ url: resolved.url, key: resolved.key, depth: 0, from: undefined });
    const verdict =
      checked.kind === 'refused'
        ? ({ state: 'refused', reason: checked.reason } as const)
        : ({ state: 'queued', reason: undefined } as const);
    const { key, host } = resolved;
    return [{ url: resolved.url, key, host, depth: 0, priority: SEED_PRIORITY, ...verdict }];
  });
}
