import type { Link } from '../../../model/page.ts';
import { type Heuristic, share } from '../heuristic.ts';
import { isUnvouched } from '../link-facts.ts';
import type { PageFacts } from '../page-facts.ts';
import { tokenize } from '../tokens.ts';
import { countPlaceTrades, countTextTrades, countTrades } from '../trade-index.ts';

export const tradeLinks: Heuristic = {
  id: 'links/trades',
  names: [
    'trade_links',
    'hidden_trade_links',
    'near_trade_links',
    'hidden_near_links',
    'own_trades',
    'own_title_trades',
  ],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Links that lead away, without nofollow, ugc or sponsored (what visitors write on a good page is so marked), with trade words in their texts (data/trade-words.json), to domains at least half of whose links have such, and how many of them are hidden; links with ambiguous trade words only, and how many of these are hidden; trade words, ambiguous ones included, of the text outside the links that lead away, over its words; the same of title and headings, counted.',
  source: 'own; hacked pages with injected links',
  compute(facts) {
    const links = linksAway(facts);
    const inSight = links.filter(({ hidden }) => !hidden);
    const sum = (pick: (link: LinkAway) => number): number => inSight.reduce((all, link) => all + pick(link), 0);
    const linked = { words: sum(({ words }) => words), trades: sum(({ sure, near }) => sure + near) };
    const placed = outOfPlace(links);
    const sure = placed.filter((link) => link.sure > 0);
    const near = placed.filter((link) => link.sure === 0 && link.near > 0);
    return [
      sure.length,
      sure.filter(({ hidden }) => hidden).length,
      near.length,
      near.filter(({ hidden }) => hidden).length,
      ownTrades(facts, linked),
      ownTitleTrades(facts),
    ];
  },
};

interface LinkAway {
  readonly domain: string;
  readonly hidden: boolean;
  readonly words: number;
  /** Trade words of the text, and ambiguous ones. */
  readonly sure: number;
  readonly near: number;
}

function linksAway({ page, links: { domainOf, ownDomain } }: PageFacts): LinkAway[] {
  const found: LinkAway[] = [];
  for (let at = 0; at < domainOf.length; at++) {
    const domain = domainOf[at] as string;
    if (domain === '' || domain === ownDomain) continue;
    const link = page.links[at] as Link;
    const { element, text, hidden } = link;
    if (element !== 'a' || text === '' || text.length > LONGEST_TEXT || isUnvouched(link)) continue;
    const words = tokenize(text, [], 24);
    const { all, near } = countTrades(words);
    found.push({ domain, hidden, words: words.length, sure: all, near });
  }
  return found;
}

/** Without the links to a domain most of whose links are of no trade: the site itself when its address is unknown, a partner, a shop. */
function outOfPlace(links: readonly LinkAway[]): LinkAway[] {
  const balance = new Map<string, number>();
  for (const { domain, sure, near } of links) {
    balance.set(domain, (balance.get(domain) ?? 0) + (sure + near > 0 ? 1 : -1));
  }
  return links.filter(({ domain }) => (balance.get(domain) ?? 0) >= 0);
}

const LONGEST_TEXT = 150;

function ownTrades(facts: PageFacts, linked: { readonly words: number; readonly trades: number }): number {
  const { all, near } = countTextTrades(facts);
  return share(Math.max(0, all + near - linked.trades), Math.max(1, facts.words.length - linked.words));
}

function ownTitleTrades({ titleWords, headingWords }: PageFacts): number {
  const title = countPlaceTrades(titleWords);
  const headings = countPlaceTrades(headingWords);
  return title.all + title.near + headings.all + headings.near;
}
