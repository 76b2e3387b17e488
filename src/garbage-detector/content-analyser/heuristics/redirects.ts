import { countMatches } from '../count-matches.ts';
import type { Heuristic } from '../heuristic.ts';

/** A script sends the reader elsewhere. */
export const MOVES_ON = /\blocation(?:\.href)?\s*=[^=]|\blocation\.(?:replace|assign)\s*\(/g;

export const clientRedirect: Heuristic = {
  id: 'A11',
  names: ['js_redirect', 'meta_refresh', 'refresh_seconds', 'window_open', 'form_autosubmit', 'redirect_foreign'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Assignments to location in inline scripts; a meta refresh to another address (0 or 1) and its delay; window.open and form.submit() calls; 1 when the redirect found by the page reader leads to another host than the page or its canonical, 0 when to the same, unknown without one.',
  source: 'Prieto et al. 2012; Chellapilla and Maykov 2007',
  compute(facts) {
    const { redirect } = facts.page;
    const refresh = redirect?.by === 'meta';
    return [
      countMatches(facts.script, MOVES_ON),
      refresh ? 1 : 0,
      refresh ? redirect.seconds : undefined,
      countMatches(facts.script, /\bwindow\.open\s*\(/g),
      countMatches(facts.script, /\.submit\s*\(\s*\)/g),
      leavesHost(redirect?.target, facts.links.ownDomain),
    ];
  },
};

export const serverRedirect: Heuristic = {
  id: 'soft-404/redirects',
  names: ['redirects', 'redirect_to_root'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'Redirects on the way here; 1 when they ended at the root of a host from a deeper address. Unknown when the way is unknown.',
  source: 'Prieto et al. 2014; Bar-Yossef et al. 2004',
  compute({ context }) {
    const { url, redirectedFrom, redirects } = context;
    if (url === undefined || redirects === undefined) return [redirects, undefined];
    const from = redirectedFrom === undefined ? null : URL.parse(redirectedFrom);
    const isRoot = from !== null && from.pathname !== '/' && URL.parse(url)?.pathname === '/';
    return [redirects, isRoot ? 1 : 0];
  },
};

export const robotsNoindex: Heuristic = {
  id: 'soft-404/noindex',
  names: ['noindex'],
  level: 'A',
  detectors: ['soft-404'],
  definition: '1 when robots meta or X-Robots-Tag say noindex.',
  source: 'Prieto et al. 2014',
  compute: ({ page }) => [page.robots.index ? 0 : 1],
};

function leavesHost(target: string | undefined, ownDomain: string): number | undefined {
  if (target === undefined || ownDomain === '') return undefined;
  const host = URL.parse(target)?.hostname;
  if (host === undefined) return 0;
  return host === ownDomain || host.endsWith(`.${ownDomain}`) ? 0 : 1;
}
