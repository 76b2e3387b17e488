import { LruMap } from '../../kit/lru.ts';

export interface CanonicalGuardOptions {
  /** Different texts that may name one canonical target before it is disbelieved. */
  readonly maxTexts: number;
  /** Differing bits between two 64-bit text fingerprints that still count as one text. */
  readonly sameTextBits: number;
  /** Targets remembered, over all hosts. */
  readonly maxTargets: number;
}

export interface CanonicalClaim {
  /** Host of the page that makes the claim. */
  readonly host: string;
  readonly pageKey: string;
  readonly targetKey: string;
  /** SimHash of the page's main text. */
  readonly fingerprint: bigint;
}

export interface CanonicalAnswer {
  readonly trusted: boolean;
  /** Keys of pages whose earlier claim for this target was believed and now is not: to be looked at again. */
  readonly revisit: readonly string[];
}

interface Target {
  /** One fingerprint for each different text, and the page that had it. */
  readonly texts: { readonly fingerprint: bigint; readonly pageKey: string }[];
  collapsed: boolean;
}

/**
 * Some sites name their home page as canonical on every page: believed, the site would vanish from the index. When more
 * than `maxTexts` different texts of a host name one target, the claim is no longer believed for that target.
 */
export class CanonicalGuard {
  readonly #options: CanonicalGuardOptions;
  readonly #targets: LruMap<string, Target>;

  constructor(options: CanonicalGuardOptions) {
    this.#options = options;
    this.#targets = new LruMap(options.maxTargets);
  }

  /** A page that names itself is always believed. */
  claim(claim: CanonicalClaim): CanonicalAnswer {
    if (claim.pageKey === claim.targetKey) return { trusted: true, revisit: [] };
    const name = `${claim.host} ${claim.targetKey}`;
    const target = this.#targets.get(name) ?? { texts: [], collapsed: false };
    this.#targets.set(name, target);
    if (target.collapsed) return { trusted: false, revisit: [] };
    const earlier = target.texts.findIndex((text) => text.pageKey === claim.pageKey);
    if (earlier >= 0) target.texts.splice(earlier, 1);
    if (!target.texts.some((text) => this.#isSame(text.fingerprint, claim.fingerprint))) {
      target.texts.push({ fingerprint: claim.fingerprint, pageKey: claim.pageKey });
    }
    if (target.texts.length <= this.#options.maxTexts) return { trusted: true, revisit: [] };
    const revisit = target.texts.map((text) => text.pageKey).filter((key) => key !== claim.pageKey);
    target.collapsed = true;
    target.texts.length = 0;
    return { trusted: false, revisit };
  }

  #isSame(a: bigint, b: bigint): boolean {
    let difference = BigInt.asUintN(64, a ^ b);
    let bits = 0;
    while (difference !== 0n && bits <= this.#options.sameTextBits) {
      difference &= difference - 1n;
      bits++;
    }
    return bits <= this.#options.sameTextBits;
  }
}
