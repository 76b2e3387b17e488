import { expect, it } from 'vitest';
import type { JudgingLevel } from '../garbage-detector/system-configurator/system-configurator.ts';
import type { DetectorName, Label } from '../model/lists.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { crossValidate, requireBoth } from './garbage.ts';
import type { MeasuredPage } from './garbage-pages.ts';

/** Twenty sites of three pages, every other one bad; the trees tell them by one number. */
function sites(bad: Label): MeasuredPage[] {
  return Array.from({ length: 60 }, (_, at) => {
    const site = Math.floor(at / 3);
    const isBad = site % 2 === 1;
    return {
      ...{ id: `${at}`, label: isBad ? bad : 'ham', group: `owner ${site}`, site: `site ${site}`, file: `${at}.html` },
      features: { text_trade: isBad ? 0.2 + at / 1000 : at / 1000, word_count: 100, main_words: 100 },
      terms: [isBad ? 't:slot' : 't:garden', 't:the'],
      ...{ kind: '', language: 'en', context: {}, parse: 1 },
    };
  });
}

function scores(pages: readonly MeasuredPage[], detector: DetectorName, level: JudgingLevel): Float64Array {
  const [first] = crossValidate(pages, {
    ...{ page: PAGE_OPTIONS, detector, level, folds: 2, repeat: 1, seed: 1, withoutWords: 0 },
    progress: () => undefined,
  });
  return first?.margins ?? new Float64Array(0);
}

const withoutSites = (pages: readonly MeasuredPage[]) => pages.map((page) => ({ ...page, site: '' }));

it('pages of a site are judged with what its pages before were judged: the first alone, later ones no milder', () => {
  const pages = sites('spam');
  const known = scores(pages, 'spam', 'standard');
  const alone = scores(withoutSites(pages), 'spam', 'standard');
  pages.forEach((_, at) => {
    if (at % 3 === 0) expect(known[at]).toBe(alone[at]);
    else expect(known[at]).toBeGreaterThanOrEqual(alone[at] ?? 0);
  });
  expect(known.some((score, at) => score > (alone[at] ?? 0))).toBe(true);
});

it('fast judges every page alone, and so does soft-404', () => {
  const spam = sites('spam');
  expect(scores(spam, 'spam', 'fast')).toEqual(scores(withoutSites(spam), 'spam', 'fast'));
  const soft = sites('soft-404');
  expect(scores(soft, 'soft-404', 'standard')).toEqual(scores(withoutSites(soft), 'soft-404', 'standard'));
});

it('one class alone is refused, with what is there and what is missing', () => {
  const ham = sites('spam').filter(({ label }) => label === 'ham');
  expect(() => requireBoth('spam', ham)).toThrow(/0 pages that spam is to find and 30 that it is not/);
  expect(requireBoth('spam', sites('spam'))).toBeUndefined();
});
