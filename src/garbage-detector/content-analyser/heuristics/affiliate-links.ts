import type { Link } from '../../../model/page.ts';
import { registrableDomain } from '../../../url/url.ts';
import { type Heuristic, share } from '../heuristic.ts';
import { hostOfHref } from '../link-facts.ts';

/** Parameters and paths by which sellers pay for a visitor sent. */
const PAID =
  /[?&](?:tag|aff|affid|aff_id|affiliate|affiliate_id|af|afid|aid|refid|ref_id|partner|partnerid|pid|btag|clickid|click_id|subid|sub_id|offer_id|hop|vendor|pv|promo|campaign_id|cmp|referral|invite|tracker|stag)=|\/(?:go|goto|out|visit|recommends?|refer|aff|click|track|redirect|jump)\//i;
/** Domains that do nothing but lead on or pay for visitors. */
const NETWORKS: ReadonlySet<string> = new Set([
  ...[
    'clickbank.net',
    'amzn.to',
    'bit.ly',
    'cutt.ly',
    'tinyurl.com',
    's.id',
    'rebrand.ly',
    't.ly',
    'shorturl.at',
    'is.gd',
  ],
  ...['rb.gy', 'linktr.ee', 'heylink.me', 'shareasale.com', 'awin1.com', 'anrdoezrs.net', 'dpbolvw.net', 'jdoqocy.com'],
  ...[
    'kqzyfj.com',
    'tkqlhce.com',
    'linksynergy.com',
    'pxf.io',
    'sjv.io',
    'digistore24.com',
    'hotmart.com',
    'monetizze.com.br',
  ],
  ...['go2cloud.org', 'hasoffers.com', 'tradedoubler.com', 'admitad.com', 'impact.com', 'warriorplus.com', 'jvzoo.com'],
]);
const MESSENGERS: ReadonlySet<string> = new Set([
  'wa.me',
  'whatsapp.com',
  't.me',
  'telegram.me',
  'line.me',
  'lin.ee',
  'zalo.me',
]);

export const affiliateLinks: Heuristic = {
  id: 'commerce/affiliate-links',
  names: ['affiliate_links', 'affiliate_frac', 'shop_links', 'messenger_links', 'paid_rel_frac'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Links that carry a mark by which visitors are paid for (parameter, path, network, shortener), their share of the links that lead away; links to Amazon, to messengers; share of links that lead away with rel=sponsored.',
  source: 'own; after Chung et al. 2010 (affiliate spam)',
  compute({ page, links }) {
    let paid = 0;
    let shop = 0;
    let messengers = 0;
    let sponsored = 0;
    for (let at = 0; at < Math.min(links.domainOf.length, 1000); at++) {
      const { href, rel, element } = page.links[at] as Link;
      if (element !== 'a' && element !== 'area') continue;
      const domain = links.domainOf[at] as string;
      if (PAID.test(href.slice(0, 500)) || NETWORKS.has(domain)) paid++;
      if (domain.startsWith('amazon.')) shop++;
      if (MESSENGERS.has(domain)) messengers++;
      if (rel.includes('sponsored')) sponsored++;
    }
    return [paid, share(paid, paid + links.external), shop, messengers, share(sponsored, links.external)];
  },
};

/** Whether an address carries a mark by which visitors are paid for. */
export function isPaid(address: string): boolean {
  const host = hostOfHref(address);
  return PAID.test(address.slice(0, 500)) || (host !== '' && NETWORKS.has(registrableDomain(host)));
}
