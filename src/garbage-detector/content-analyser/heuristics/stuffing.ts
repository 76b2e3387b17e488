import { countMatches } from '../count-matches.ts';
import { type Heuristic, share } from '../heuristic.ts';

/** UTF-16 units of title and description: real ones are shorter by far, a hostile one of megabytes costs a second. */
const LOOKED_AT = 10_000;

export const titleStuffing: Heuristic = {
  id: 'stuffing/title',
  names: ['title_word_repeats', 'title_pairs_per_100', 'title_in_headings', 'heading_frac', 'headings', 'strong_frac'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Title words over distinct title words; pairs of neighbouring title words met in the visible text, per 100 words; share of heading words that are title words; heading words over all; headings; emphasised units over visible units.',
  source: 'own; after Ntoulas et al. 2006 (keyword stuffing)',
  compute(facts) {
    const { titleWords, words, headingWords, visibleBlocks } = facts;
    const title = new Set(titleWords);
    const strong = visibleBlocks.reduce((sum, block) => sum + block.strongLength, 0);
    return [
      title.size === 0 ? undefined : titleWords.length / title.size,
      title.size === 0 || words.length < 20 ? undefined : (100 * pairsOfTitle(titleWords, words)) / words.length,
      headingWords.length === 0
        ? undefined
        : share(headingWords.filter((word) => title.has(word)).length, headingWords.length),
      share(headingWords.length, words.length),
      visibleBlocks.filter((block) => block.headingLevel > 0).length,
      share(strong, facts.visibleLength),
    ];
  },
};

export const titleShape: Heuristic = {
  id: 'stuffing/title-shape',
  names: [
    'title_separators',
    'title_capitals',
    'title_digits',
    'title_emoji',
    'desc_emoji',
    'desc_exclamations',
    'fancy_letters',
  ],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Of the title: separators (| - – — : » • ,), share of capitals among letters with case, digits, pictographs; pictographs and exclamation marks of the description; letters of mathematical alphabets in title and description.',
  source: 'own',
  compute({ page, description: whole }) {
    const title = page.title.slice(0, LOOKED_AT);
    const description = whole.slice(0, LOOKED_AT);
    const cased = countMatches(title, /\p{Lu}|\p{Ll}/gu);
    return [
      countMatches(title, /[|\-–—:»•,]/g),
      cased === 0 ? undefined : countMatches(title, /\p{Lu}/gu) / cased,
      countMatches(title, /\d/g),
      countMatches(title, /\p{Extended_Pictographic}/gu),
      countMatches(description, /\p{Extended_Pictographic}/gu),
      countMatches(description, /[!！]/g),
      countMatches(title + description, /\uD835/g),
    ];
  },
};

export const bodyShape: Heuristic = {
  id: 'stuffing/body-shape',
  names: ['digits_frac', 'exclamations_per_100', 'emoji_per_100', 'block_words', 'long_blocks', 'list_items', 'tables'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Of the first 20,000 visible units: share of digits, exclamation marks and pictographs per 100 units; mean words of a text block; blocks of over 60 words; list items; tables.',
  source: 'own',
  compute(facts) {
    let text = '';
    let long = 0;
    for (const block of facts.visibleBlocks) {
      if (text.length < 20_000) text += block.text + '\n';
      if (block.text.length > 360) long++;
    }
    text = text.slice(0, 20_000);
    return [
      share(countMatches(text, /\d/g), text.length),
      share(100 * countMatches(text, /[!！]/g), text.length),
      share(100 * countMatches(text, /[\u2600-\u27BF\uD83C-\uD83E]/g), text.length),
      share(facts.words.length, facts.visibleBlocks.length),
      long,
      facts.page.counts.byTag['li'] ?? 0,
      facts.page.counts.byTag['table'] ?? 0,
    ];
  },
};

function pairsOfTitle(title: readonly string[], words: readonly string[]): number {
  const pairs = new Set<string>();
  for (let i = 1; i < title.length; i++) pairs.add(`${title[i - 1]} ${title[i]}`);
  const first = new Set(title);
  let found = 0;
  for (let i = 1; i < words.length; i++) {
    const before = words[i - 1] ?? '';
    if (first.has(before) && pairs.has(`${before} ${words[i]}`)) found++;
  }
  return found;
}
