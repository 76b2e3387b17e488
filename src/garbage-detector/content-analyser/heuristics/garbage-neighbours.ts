import { type Heuristic, share } from '../heuristic.ts';

export const garbageNeighbours: Heuristic = {
  id: 'links/garbage-neighbours',
  names: ['condemned_links', 'condemned_link_frac', 'condemned_link_domains'],
  level: 'B',
  // No labelled page comes with a garbage repository: judged by `company-evidence.ts`.
  detectors: [],
  definition:
    'Distinct addresses on domains condemned for spam that the page links to with credit (not nofollow, ugc or sponsored); their share of all such links that lead to other registrable domains; these domains. Domains condemned as parked or blocked by hand do not count: an old page is not to blame for dead links. Unknown while the garbage repository knows nothing.',
  source:
    'Wu and Davison 2005 (ParentPenalty: three links to bad pages); Castillo et al. 2007 (linked hosts lean alike)',
  compute({ company: { neighbours } }) {
    if (neighbours === undefined) return [undefined, undefined, undefined];
    const { away, condemned, domains } = neighbours;
    return [condemned, share(condemned, away), domains];
  },
};
