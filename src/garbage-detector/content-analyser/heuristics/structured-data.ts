import { countMatches } from '../count-matches.ts';
import { type Heuristic, share } from '../heuristic.ts';

export const structuredData: Heuristic = {
  id: 'stuffing/structured-data',
  names: ['jsonld_ratings', 'jsonld_questions', 'jsonld_offers'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Ratings or reviews, questions and offers named in JSON-LD. The presence of JSON-LD or AMP itself is left out: it tells the year of a page more than its honesty.',
  source: 'own',
  compute({ page: { jsonLd } }) {
    const text = jsonLd.join('\n').slice(0, 64 * 1024);
    return [
      countMatches(text, /"(?:AggregateRating|Review|Rating)"/g),
      countMatches(text, /"(?:Question|Answer)"/g),
      countMatches(text, /"(?:Offer|AggregateOffer|Product)"/g),
    ];
  },
};

export const foreignIdentity: Heuristic = {
  id: 'stuffing/identity',
  names: ['own_names_differ', 'canonical_foreign', 'og_title_differs'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Whether canonical and og:url name different registrable domains (unknown unless both are there); whether the canonical names another domain than the URL (unknown without either); share of og:title words missing from the title.',
  source: 'own; cloned and repurposed sites keep the names of their model',
  compute(facts) {
    const { page, context } = facts;
    const og = page.metas.find((meta) => meta.name === 'og:url')?.content;
    const ogTitle = page.metas.find((meta) => meta.name === 'og:title')?.content;
    return [differ(page.canonical, og), differ(page.canonical, context.url), missingWords(ogTitle, page.title)];
  },
};

function differ(a: string | undefined, b: string | undefined): number | undefined {
  const first = a === undefined ? undefined : URL.parse(a)?.hostname.replace(/^www\./, '');
  const second = b === undefined ? undefined : URL.parse(b)?.hostname.replace(/^www\./, '');
  if (first === undefined || second === undefined) return undefined;
  return first === second ? 0 : 1;
}

function missingWords(from: string | undefined, title: string): number | undefined {
  if (from === undefined || from === '' || title === '') return undefined;
  const words = from.toLowerCase().split(/\s+/);
  const known = new Set(title.toLowerCase().split(/\s+/));
  return share(words.filter((word) => !known.has(word)).length, words.length);
}
