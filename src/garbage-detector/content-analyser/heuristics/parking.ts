import fingerprints from '../data/parking-fingerprints.json' with { type: 'json' };
import notices from '../data/standing-notices.json' with { type: 'json' };
import { type Heuristic, share } from '../heuristic.ts';
import { hostOfHref } from '../link-facts.ts';
import type { PageFacts } from '../page-facts.ts';
import { tokenize } from '../tokens.ts';

export const parkingServices: Heuristic = {
  id: 'parking/services',
  names: ['parking_service', 'parking_script', 'parking_host'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'Links, frames, images and scripts at domains of parking services; fingerprints of their pages in inline scripts and addresses; 1 when the page came from a host such as ww1.… by redirect (unknown without URL).',
  source: 'Vissers et al. 2015; fingerprints collected for this project',
  compute: (facts) => serviceMarks(facts),
};

/** Asked for by two heuristics and by the kind of garbage. */
const marksOf = new WeakMap<PageFacts, readonly (number | undefined)[]>();

function serviceMarks(facts: PageFacts): readonly (number | undefined)[] {
  const known = marksOf.get(facts);
  if (known !== undefined) return known;
  const found = findServiceMarks(facts);
  marksOf.set(facts, found);
  return found;
}

function findServiceMarks(facts: PageFacts): readonly (number | undefined)[] {
  const { context, page } = facts;
  const links = page.links.slice(0, SERVICE_LINKS).map((link) => link.href);
  const sources = [
    ...page.scripts.flatMap((script) => script.src ?? []),
    ...page.images.slice(0, 200).map((image) => image.src),
  ];
  const hosts = [...facts.links.hostOf.slice(0, SERVICE_LINKS), ...sources.map(hostOfHref)];
  const atService = hosts.filter(isServiceHost).length;
  const text = [facts.script.slice(0, 32 * 1024), ...links, ...sources].join('\n');
  const marks = fingerprints['body-substring'].filter((mark) => text.includes(mark)).length;
  const host = context.url === undefined ? undefined : hostOfHref(context.url);
  return [atService, marks, host === undefined ? undefined : /^ww\d{1,2}\./.test(host) ? 1 : 0];
}

const SERVICE_LINKS = 500;

export const parkingLayout: Heuristic = {
  id: 'parking/layout',
  names: ['link_len_mean', 'link_len_max', 'link_to_text', 'query_links', 'domain_in_title', 'non_link_words'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'Mean and greatest length of link addresses; their total over the visible units; share of links with a query; 1 when title or first heading is short and holds a domain name; visible words outside links.',
  source: 'Vissers et al. 2015',
  compute(facts) {
    const { links, visibleLength, words } = facts;
    const opening = [facts.page.title, facts.visibleBlocks.find((block) => block.headingLevel > 0)?.text ?? ''];
    return [
      links.total === 0 ? undefined : links.hrefLength.sum / links.total,
      links.hrefLength.max,
      links.hrefLength.sum / (visibleLength + 1),
      links.total === 0 ? undefined : links.queryLinks / links.total,
      opening.some((text) => text.length < 60 && DOMAIN_NAME.test(text)) ? 1 : 0,
      Math.max(0, words.length - links.anchorWords.length),
    ];
  },
};

/** The notices themselves, by sort. */
export function standingTexts(): { readonly language: string; readonly texts: readonly string[] }[] {
  return Object.entries(notices).map(([language, texts]) => ({ language, texts }));
}

const DOMAIN_NAME =
  /(?:^|\s)(?:www\.)?[\p{L}\p{N}-]{2,63}\.(?:[a-z]{2,3}\.)?(?:com|net|org|info|biz|co|io|de|fr|es|it|pl|ru|cn|eu|uk|nl|xyz|online|site|top|shop)\b/iu;

export const parkingSigns: Heuristic = {
  id: 'parking/signs',
  names: ['parking_signs', 'parking_claim'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'Independent signs of a parked domain: a short visible text says that it is for sale or parked; a label of related searches or sponsored links; title, heading or a short opening text is a domain name; a parking service or an address with "parked" or "domainpark" among scripts, images and links; a ww1.… host. 1 when one of the first, fourth and fifth is there: the others are met on honest pages too.',
  source: 'Vissers et al. 2015; texts of parking services',
  compute(facts) {
    const { sale, ads } = noticeLists();
    const claims = saysOneOf(facts, sale, CLAIM_WORDS);
    const [atService = 0, marks = 0, host = 0] = serviceMarks(facts);
    const serves = atService > 0 || marks > 0 || imageNames(facts).some((name) => /parked|domain-?park/.test(name));
    const signs = [claims, saysOneOf(facts, ads, LABEL_WORDS), opensWithDomain(facts), serves, host > 0];
    return [signs.filter(Boolean).length, claims || serves || host > 0 ? 1 : 0];
  },
};

/** Words of a text that says what the page is, and of a label over a list of links, at most. */
const CLAIM_WORDS = 40;
const LABEL_WORDS = 12;
const NOTICE_BLOCKS = 400;

function saysOneOf(facts: PageFacts, phrases: Phrases, most: number): boolean {
  const { titleWords, visibleBlocks, words, blockStarts } = facts;
  if (titleWords.length <= most && holdsPhrase(titleWords, phrases)) return true;
  const blocks = Math.min(NOTICE_BLOCKS, visibleBlocks.length);
  for (let block = 0; block < blocks; block++) {
    const start = blockStarts[block] as number;
    const end = blockStarts[block + 1] as number;
    if (end - start <= most && holdsPhrase(words, phrases, start, end)) return true;
  }
  return false;
}

function holdsPhrase(words: readonly string[], phrases: Phrases, start = 0, end = words.length): boolean {
  for (let at = start; at < end; at++) {
    for (const phrase of phrases.get(words[at] as string) ?? []) {
      if (at + phrase.length <= end && phrase.every((part, i) => words[at + i] === part)) return true;
    }
  }
  return false;
}

function opensWithDomain(facts: PageFacts): boolean {
  const own = facts.context.url === undefined ? '' : hostOfHref(facts.context.url).replace(/^www\./, '');
  const texts = [facts.page.title, ...facts.visibleBlocks.slice(0, 6).map((block) => block.text)];
  return texts.some(
    (text) => text.length < 60 && (DOMAIN_NAME.test(text) || (own !== '' && text.toLowerCase().includes(own))),
  );
}

function imageNames({ page }: PageFacts): string[] {
  const addresses = [
    ...page.images.slice(0, 200).map((image) => image.src),
    ...page.scripts.flatMap(({ src }) => src ?? []),
  ];
  return addresses.map((address) => address.slice(0, 300).toLowerCase());
}

export const standingNotices: Heuristic = {
  id: 'parking/notices',
  names: ['notice_sale', 'notice_default', 'notice_soon', 'error_word'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    "Whether title, headings or first short blocks say that the domain is for sale; are those of an untouched server, panel or directory listing; announce a site under construction, in maintenance or suspended (share of that text's words, greatest of all places); 1 when title or heading has the word 'error' in one of about 35 languages.",
  source: 'texts of parking services, servers and control panels, several languages',
  compute: (facts) => [
    Math.max(
      noticeShare(facts, noticeLists().sale),
      noticeShare(facts, noticeLists().hints),
      noticeShare(facts, noticeLists().ads),
    ),
    noticeShare(facts, noticeLists().default),
    noticeShare(facts, noticeLists().soon),
    facts.openings.some(({ where, words }) => where !== 'block' && holdsPhrase(words, noticeLists().error)) ? 1 : 0,
  ],
};

/** First word → phrases that begin with it. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;
let lists: Record<keyof typeof notices, Phrases> | undefined;

function noticeLists(): Record<keyof typeof notices, Phrases> {
  const read = (texts: readonly string[]) =>
    Map.groupBy(
      texts.map((text) => tokenize(text)),
      ([first]) => first ?? '',
    );
  return (lists ??= {
    sale: read(notices.sale),
    hints: read(notices.hints),
    ads: read(notices.ads),
    default: read(notices.default),
    soon: read(notices.soon),
    error: read(notices.error),
  });
}

function noticeShare(facts: PageFacts, phrases: Phrases): number {
  let best = 0;
  for (const { words } of facts.openings) {
    for (let at = 0; at < words.length; at++) {
      for (const phrase of phrases.get(words[at] ?? '') ?? []) {
        if (phrase.every((word, i) => words[at + i] === word))
          best = Math.max(best, share(phrase.length, words.length));
      }
    }
  }
  return best;
}

function isServiceHost(host: string): boolean {
  for (let rest = host; rest !== ''; ) {
    if (SERVICES.has(rest)) return true;
    const dot = rest.indexOf('.');
    rest = dot < 0 ? '' : rest.slice(dot + 1);
  }
  return false;
}

const SERVICES: ReadonlySet<string> = new Set(fingerprints['service-domain-in-html']);
