import type { RefusedReason, Scope } from '../../model/lists.ts';
import { hostName, isHttp, registrableDomain } from '../../url/url.ts';
import { matchesGlob } from './glob.ts';
import { compileScope } from './scope.ts';
import { findTrapShape, type TrapShapeOptions } from './trap-shapes.ts';
import { TrapWatch, type TrapWatchOptions, type Yield } from './trap-watch.ts';

export type { Yield } from './trap-watch.ts';

export interface TrapOptions extends TrapShapeOptions, TrapWatchOptions {}

export interface ValidatorOptions {
  readonly scope: Scope;
  /** Keys of the seeds. */
  readonly seeds: readonly string[];
  /** Globs on the key; none = everything. Seeds need not match them. */
  readonly include: readonly string[];
  /** Globs on the key; win over `include` and hold for seeds as well. */
  readonly exclude: readonly string[];
  /** Links from a seed. */
  readonly maxDepth: number;
  /** Characters of a URL. */
  readonly maxUrlLength: number;
  readonly traps: TrapOptions;
}

export interface ValidatorSources {
  /** Garbage repository: is this host, domain or path condemned, and for what? */
  readonly isCondemned: (host: string, domain: string, path: string) => 'spam' | 'soft-404' | undefined;
  /** Rules by hand: forgotten pages are out of scope, pinned ones are never condemned. */
  readonly ruleOf?: ((key: string) => 'hide' | 'forget' | 'pin' | undefined) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Proposal {
  readonly url: string;
  readonly key: string;
  /** Links from a seed; 0 = a seed itself. */
  readonly depth: number;
  /** Key of the page that the link was found on. */
  readonly from: string | undefined;
}

export type Validation =
  | { readonly kind: 'accept' }
  | { readonly kind: 'refused'; readonly reason: RefusedReason; readonly detail: string }
  /** On a condemned spam domain: never requested. */
  | { readonly kind: 'avoided'; readonly detail: string }
  /** On a soft-404 domain: asked rarely and last. */
  | { readonly kind: 'deferred'; readonly detail: string };

const ACCEPT: Validation = { kind: 'accept' };

/** Step 1 of the KDIR 2012 figure: well-formed, in scope, no trap, not condemned. */
export class UrlValidator {
  readonly #options: ValidatorOptions;
  readonly #sources: ValidatorSources;
  readonly #inScope: (key: string, host: string) => boolean;
  readonly #watch: TrapWatch;
  readonly #seeds: ReadonlySet<string>;

  constructor(options: ValidatorOptions, sources: ValidatorSources) {
    this.#options = options;
    this.#sources = sources;
    this.#inScope = compileScope(options.scope, options.seeds);
    this.#watch = new TrapWatch(options.traps);
    this.#seeds = new Set(options.seeds);
  }

  /** Asked once for every new link; a trap by its combinations counts what it accepts. */
  validate(proposal: Proposal): Validation {
    const { url, key, depth, from } = proposal;
    const host = hostName(key);
    const refusal = this.#outside(url, key, host, depth) ?? (depth === 0 ? undefined : this.#trap(key, from));
    if (refusal !== undefined) return refusal;
    const condemned = this.#condemned(key, host);
    if (condemned?.kind === 'avoided') return condemned;
    const facets = this.#watch.tooManyFacets(key);
    if (facets !== undefined) return refuse('trap', facets);
    return condemned ?? ACCEPT;
  }

  /**
   * Asked again before a queued URL is fetched for the first time: what was learnt in the meantime about its folder and
   * its domain. Seeds are not given up as traps, and pages held are not asked about.
   */
  recheck(key: string): Validation {
    if (this.#sources.ruleOf?.(key) === 'forget') return refuse('scope', 'forgotten by hand');
    const exhausted = this.#seeds.has(key) ? undefined : this.#watch.exhausted(key);
    if (exhausted !== undefined) return refuse('trap', exhausted);
    return this.#condemned(key, hostName(key)) ?? ACCEPT;
  }

  /** A redirect's target: scope, globs, length, shape and domain; the depth is that of the URL that redirects. */
  validateRedirect(target: Omit<Proposal, 'from'>): Validation {
    const { url, key, depth } = target;
    const host = hostName(key);
    return this.#outside(url, key, host, depth) ?? this.#shape(key) ?? this.#condemned(key, host) ?? ACCEPT;
  }

  /** See {@link TrapWatch.observe}. */
  observe(key: string, yielded: Yield): void {
    this.#watch.observe(key, yielded);
  }

  #outside(url: string, key: string, host: string, depth: number): Validation | undefined {
    const { include, exclude, maxDepth, maxUrlLength } = this.#options;
    if (!isHttp(url)) return refuse('scheme', url.slice(0, 40));
    if (url.length > maxUrlLength) return refuse('url-length', `${url.length} characters`);
    if (this.#sources.ruleOf?.(key) === 'forget') return refuse('scope', 'forgotten by hand');
    if (!this.#inScope(key, host)) return refuse('scope', `outside ${this.#options.scope} of the seeds`);
    const excluding = exclude.find((glob) => matchesGlob(glob, key));
    if (excluding !== undefined) return refuse('scope', `excluded by ${excluding}`);
    if (depth > 0 && include.length > 0 && !include.some((glob) => matchesGlob(glob, key))) {
      return refuse('scope', 'no include pattern matches');
    }
    return depth > maxDepth ? refuse('depth', `${depth} links from a seed`) : undefined;
  }

  #trap(key: string, from: string | undefined): Validation | undefined {
    const detail = this.#watch.exhausted(key) ?? (from === undefined ? undefined : this.#watch.growsFrom(key, from));
    return this.#shape(key) ?? (detail === undefined ? undefined : refuse('trap', detail));
  }

  #shape(key: string): Validation | undefined {
    const shape = findTrapShape(key, new Date(this.#sources.now()).getUTCFullYear(), this.#options.traps);
    return shape === undefined ? undefined : refuse('trap', shape);
  }

  #condemned(key: string, host: string): Validation | undefined {
    if (this.#sources.ruleOf?.(key) === 'pin') return undefined;
    const path = key.slice(key.indexOf('/', key.indexOf('://') + 3));
    const verdict = this.#sources.isCondemned(host, registrableDomain(host), path);
    if (verdict === 'spam') return { kind: 'avoided', detail: 'condemned as spam' };
    return verdict === 'soft-404' ? { kind: 'deferred', detail: 'condemned as soft-404' } : undefined;
  }
}

function refuse(reason: RefusedReason, detail: string): Validation {
  return { kind: 'refused', reason, detail };
}
