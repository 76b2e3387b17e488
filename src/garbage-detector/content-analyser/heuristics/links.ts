import { BOTH, type Heuristic, share } from '../heuristic.ts';

export const linkRatios: Heuristic = {
  id: 'A15',
  names: ['links_internal', 'links_external', 'external_frac', 'links_per_word', 'external_domains', 'empty_links'],
  level: 'A',
  detectors: BOTH,
  definition:
    'Links within the registrable domain (relative ones included) and out of it; share of the latter; links per visible word; distinct foreign registrable domains; links to fragments or scripts. At most 4,000 links are looked at.',
  source: 'Prieto et al. 2012',
  compute({ links, words }) {
    return [
      links.internal,
      links.external,
      share(links.external, links.total),
      links.total / (words.length + 1),
      links.domains.size,
      links.empty,
    ];
  },
};

export const anchorShare: Heuristic = {
  id: 'A16',
  names: ['anchor_frac'],
  level: 'A',
  detectors: BOTH,
  definition: 'Words inside links over all visible words, at most 1.',
  source: 'Ntoulas et al. 2006',
  compute: ({ links, words }) => [Math.min(1, share(links.anchorWords.length, words.length))],
};

export const repeatedLinks: Heuristic = {
  id: 'links/repetition',
  names: [
    'href_repeated',
    'href_most',
    'anchor_texts_distinct',
    'external_top_domain',
    'external_nofollow',
    'external_anchor_new',
  ],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Share of links whose address another has; links to the commonest address; distinct link texts over links; links to the commonest foreign domain; share of external links without credit (nofollow, sponsored, ugc); share of the words of external anchors that stand nowhere else on the page (unknown without such words).',
  source: 'own; after Gyöngyi and Garcia-Molina 2005 (link farms)',
  compute({ links, wordCounts }) {
    const { externalAnchorWords, total } = links;
    const anchors = new Map<string, number>();
    for (const word of externalAnchorWords) anchors.set(word, (anchors.get(word) ?? 0) + 1);
    let fresh = 0;
    for (const [word, n] of anchors) if ((wordCounts.get(word) ?? 0) <= n) fresh += n;
    return [
      total === 0 ? undefined : 1 - links.distinctHrefs / total,
      links.mostRepeated,
      total === 0 ? undefined : Math.min(1, links.distinctTexts / total),
      links.domains.size === 0 ? 0 : Math.max(...links.domains.values()),
      links.external === 0 ? undefined : links.nofollow / links.external,
      externalAnchorWords.length === 0 ? undefined : fresh / externalAnchorWords.length,
    ];
  },
};
