import { registrableDomain } from '../../../url/url.ts';
import { countMatches } from '../count-matches.ts';
import { type Heuristic, share } from '../heuristic.ts';
import { hostOfHref } from '../link-facts.ts';
import type { PageFacts } from '../page-facts.ts';
import { tokenize } from '../tokens.ts';
import { countPlaceTrades, countTextTrades, countTrades, type TradeCount } from '../trade-index.ts';
import { isPaid } from './affiliate-links.ts';
import { MOVES_ON } from './redirects.ts';

export const tradeWords: Heuristic = {
  id: 'A6/trades',
  names: [
    'title_trade',
    'title_selling',
    'heading_trade',
    'heading_selling',
    'desc_trade',
    'desc_selling',
    'text_trade',
    'text_trade_words',
    'text_trades',
    'text_near_trade',
    'text_selling',
    'anchor_trade',
    'anchor_selling',
    'external_trade',
    'opening_trade',
  ],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Words of the trade met most (gambling, pharmacy, adult, loans, replicas, cracks, followers, essays, slimming, call-out services; data/trade-words.json) over the words of title, headings, description, visible text, link texts, texts of links that lead away, and the first 150 words; the same for calls of any shop; different entries of that trade in the text; words of all trades and of ambiguous ones over the words. Unknown without words in the place.',
  source: 'Prieto et al. 2012 ("specific phrases"), in many languages; own',
  compute(facts) {
    const title = placeOf(facts.titleWords);
    const headings = placeOf(facts.headingWords);
    const description = placeOf(facts.descriptionWords);
    const text = shares(countTextTrades(facts), facts.words.length);
    const anchors = placeOf(facts.links.anchorWords);
    return [
      title.top,
      title.selling,
      headings.top,
      headings.selling,
      description.top,
      description.selling,
      text.top,
      text.distinct,
      text.all,
      text.near,
      text.selling,
      anchors.top,
      anchors.selling,
      placeOf(facts.links.externalAnchorWords).top,
      placeOf(facts.words.slice(0, 150)).top,
    ];
  },
};

export const tradeAddresses: Heuristic = {
  id: 'A6/trade-addresses',
  names: ['link_trade', 'link_trade_n', 'redirect_trade', 'redirect_paid', 'source_trade'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Trade words over the words of the first 150 link addresses (each once, without the place on the page), and their number; trade words in the addresses off the site that a client redirect may lead to, and 1 when one of them carries a mark by which visitors are paid for, both unknown without a redirect; trade words over the words of the addresses of images.',
  source: 'own',
  compute(facts) {
    const { page } = facts;
    const links = addressWords(page.links.slice(0, LINKS).map(({ href }) => href.split('#', 1)[0] ?? ''));
    const sources = addressWords(page.images.slice(0, IMAGES).map(({ src }) => src));
    const { top } = countTrades(links);
    const targets = redirectTargets(facts);
    return [
      share(top, links.length),
      top,
      targets === undefined ? undefined : countTrades(addressWords(targets)).all,
      targets === undefined ? undefined : Number(targets.some(isPaid)),
      share(countTrades(sources).top, sources.length),
    ];
  },
};

const LINKS = 150;
const IMAGES = 100;
/** Units of an address looked at. */
const ADDRESS = 120;

function addressWords(addresses: Iterable<string>): string[] {
  const words: string[] = [];
  for (const address of new Set(addresses)) {
    if (!address.startsWith('data:')) tokenize(address.slice(0, ADDRESS), words);
  }
  return words;
}

/** Where off its site a page sends its reader; of a script that moves on, every address written in it. */
function redirectTargets({ page, script, links }: PageFacts): readonly string[] | undefined {
  const targets = page.redirect === undefined ? targetsInScript(script) : [page.redirect.target];
  return targets?.filter((target) => {
    const host = hostOfHref(target);
    return host !== '' && registrableDomain(host) !== links.ownDomain;
  });
}

function targetsInScript(script: string): readonly string[] | undefined {
  const start = script.slice(0, SCRIPT);
  return countMatches(start, MOVES_ON) === 0 ? undefined : (start.match(ADDRESS_IN_SCRIPT) ?? []);
}

const SCRIPT = 20_000;
const ADDRESS_IN_SCRIPT = /https?:\/\/[^\s"'`<>\\]{4,200}/g;

/** Counts over the words of a place; all unknown when it has none. */
function placeOf(words: PageFacts['words']): Partial<TradeCount> {
  return shares(countPlaceTrades(words), words.length);
}

function shares({ top, distinct, all, near, selling }: TradeCount, n: number): Partial<TradeCount> {
  if (n === 0) return {};
  return { top: top / n, distinct, all: all / n, near: near / n, selling: selling / n };
}
