/** The closed lists of the contract (docs/contract.md). Values may be added by a new contract version only. */

export const URL_STATES = [
  'queued',
  'deferred',
  'in-flight',
  'kept',
  'garbage',
  'duplicate',
  'redirect',
  'not-html',
  'noindex',
  'refused',
  'avoided',
  'blocked',
  'gone',
  'failed',
  'hidden',
] as const;
export type UrlState = (typeof URL_STATES)[number];

export const REFUSED_REASONS = [
  'robots',
  'scope',
  'trap',
  'depth',
  'address',
  'scheme',
  'nofollow',
  'url-length',
] as const;
export type RefusedReason = (typeof REFUSED_REASONS)[number];

export const FAILED_REASONS = [
  'dns',
  'connect',
  'tls',
  'tls-chain',
  'timeout',
  'protocol',
  'redirect-loop',
  'redirect-limit',
  'too-large',
  'http-4xx',
  'http-5xx',
  'rate-limited',
  'decode',
] as const;
export type FailedReason = (typeof FAILED_REASONS)[number];

export const GARBAGE_KINDS = [
  'content',
  'cloaking',
  'redirection',
  'link-farm',
  'injected',
  'soft-404',
  'parked',
  'default-page',
  'copy-of-garbage',
] as const;
export type GarbageKind = (typeof GARBAGE_KINDS)[number];

export const VERDICTS = ['keep', 'spam', 'soft-404', 'parked', 'default-page'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const LABELS = ['ham', 'spam', 'soft-404', 'parked', 'default-page'] as const;
export type Label = (typeof LABELS)[number];

export const STOPPED_REASONS = [
  'frontier-empty',
  'max-pages',
  'max-requests',
  'time',
  'interrupted',
  'disk-full',
  'stop-rule',
  'error',
] as const;
export type StoppedReason = (typeof STOPPED_REASONS)[number];

export const FORM_TYPES = [
  'search',
  'login',
  'registration',
  'password-recovery',
  'mailing-list',
  'contact',
  'order',
  'other',
] as const;
export type FormType = (typeof FORM_TYPES)[number];

export const REFRESH_POLICIES = [
  'greedy-signals',
  'greedy',
  'lambda-crawl',
  'binary-optimal',
  'proportional',
  'uniform',
] as const;
export type RefreshPolicy = (typeof REFRESH_POLICIES)[number];

export const LEVELS = ['off', 'fast', 'standard', 'thorough', 'auto'] as const;
export type Level = (typeof LEVELS)[number];

export const SCOPES = ['prefix', 'host', 'domain', 'any'] as const;
export type Scope = (typeof SCOPES)[number];

export const GARBAGE_ACTIONS = ['drop', 'demote', 'flag'] as const;
export type GarbageAction = (typeof GARBAGE_ACTIONS)[number];

export const DETECTORS = ['spam', 'soft-404'] as const;
export type DetectorName = (typeof DETECTORS)[number];

/** Sorts of pages whose change rates are alike. */
export const PAGE_TYPES = ['home', 'listing', 'article', 'thread', 'product', 'document', 'other'] as const;
export type PageType = (typeof PAGE_TYPES)[number];
