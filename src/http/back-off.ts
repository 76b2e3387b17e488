export interface BackOffRule {
  /** Milliseconds after the first refusal. */
  readonly firstMs: number;
  /** Milliseconds at most. */
  readonly maxMs: number;
}

/**
 * Milliseconds since 1970 until which a host is left alone after its `refusals`-th refusal in a row (429, 503; from 1).
 * What the host asked for by Retry-After wins; else the pause doubles each time (60 s, 2, 4, 8 min…).
 */
export function backOffUntil(
  rule: BackOffRule,
  state: { readonly now: number; readonly refusals: number; readonly retryAt: number | undefined },
): number {
  if (state.retryAt !== undefined) return Math.max(state.now, state.retryAt);
  const doublings = Math.min(Math.max(0, state.refusals - 1), 30);
  return state.now + Math.min(rule.maxMs, rule.firstMs * 2 ** doublings);
}
