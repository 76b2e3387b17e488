import { registrableDomain } from '../../../url/url.ts';
import { countMatches } from '../count-matches.ts';
import { type Heuristic, share } from '../heuristic.ts';
import { hostOfHref } from '../link-facts.ts';

export const hotlinks: Heuristic = {
  id: 'generated/hotlinks',
  names: ['image_domains', 'image_domain_frac', 'image_links', 'unnamed_image_domains'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Domains that the images (and the pictures linked to) are taken from, a proxy of pictures counting as the site behind it; these domains over the images; links that lead to a picture elsewhere. those of the domains that no other link leads to. Pages made from search results take each picture from another site and name none.',
  source: 'own',
  compute({ page, links: { domains: linked } }) {
    const domains = new Set<string>();
    const pictured = new Map<string, number>();
    let links = 0;
    const images = page.images.slice(0, 200);
    for (const { src } of images) {
      const domain = domainOf(src);
      if (domain !== '') domains.add(domain);
    }
    for (const { href } of page.links.slice(0, 500)) {
      if (!PICTURE.test(href)) continue;
      const domain = domainOf(href);
      if (domain === '') continue;
      links++;
      domains.add(domain);
      const written = registrableDomain(hostOfHref(href));
      pictured.set(written, (pictured.get(written) ?? 0) + 1);
    }
    const unnamed = [...domains].filter((domain) => (linked.get(domain) ?? 0) <= (pictured.get(domain) ?? 0));
    return [domains.size, share(domains.size, images.length + links), links, unnamed.length];
  },
};

export const fragments: Heuristic = {
  id: 'generated/fragments',
  names: ['cut_sentences_per_100', 'separators_per_100', 'mixed_words'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Of the first 20,000 visible units, per 100 words: sentence ends after a space or in dots (text put together from cut snippets), separators and stars; words of letters with two or more digits behind (slot88), over the words of title and links.',
  source: 'own; after Fetterly et al. 2005',
  compute(facts) {
    let text = '';
    for (const block of facts.visibleBlocks) {
      if (text.length >= LOOKED_AT) break;
      text += `${block.text.slice(0, LOOKED_AT)}\n`;
    }
    const words = Math.max(20, Math.min(facts.words.length, 4000));
    const names = [...facts.titleWords, ...facts.links.anchorWords.slice(0, 1000)];
    return [
      (100 * countMatches(text, / \.(?= |\n)|…|\.\.\./g)) / words,
      (100 * countMatches(text, /[|»•★☆✅⭐►]/g)) / words,
      share(names.filter((word) => MIXED.test(word)).length, names.length),
    ];
  },
};

/** UTF-16 units, the last block whole unless it is longer by itself. */
const LOOKED_AT = 20_000;
const PICTURE = /^https?:\/\/[^?#]+\.(?:jpe?g|png|webp|gif)(?:[?#]|$)/i;
const MIXED = /^\p{L}{2,}\d{2,4}$/u;
/** WordPress's and others' proxies name the site in the path. */
const PROXIED = /^https?:\/\/i\d\.wp\.com\/([^/]+)/i;

function domainOf(address: string): string {
  const host = PROXIED.exec(address)?.[1] ?? hostOfHref(address);
  return host === '' ? '' : registrableDomain(host.toLowerCase());
}
