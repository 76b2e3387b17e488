import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage } from '../../page/page.ts';
import { PAGE_OPTIONS } from '../../page/page-options.ts';
import { analyse, pageFacts, unlearnedHeuristics } from '../content-analyser/content-analyser.ts';
import type { PageCompany } from '../content-analyser/page-company.ts';
import { companyEvidence, companyShift } from './company-evidence.ts';

const PAGE = readPage(new TextEncoder().encode('<p>A page</p>'), {}, PAGE_OPTIONS);
const features = (company: PageCompany) => analyse(pageFacts(PAGE, {}, company), unlearnedHeuristics('B'));
const shift = (company: PageCompany) => companyShift(features(company));
const neighbours = (condemned: number, domains: number, away: number) => ({ neighbours: { condemned, domains, away } });
const farm = (domains: number, phrases: number) => ({ farm: { domains, phrases } });

describe('features', () => {
  it('are missing when nothing is known, and zero when nothing was found', () => {
    expect(features({})).toEqual({});
    expect(features({ ...neighbours(0, 0, 0), ...farm(0, 0) })).toEqual({
      ...{ condemned_links: 0, condemned_link_frac: 0, condemned_link_domains: 0 },
      ...{ farm_domains: 0, farm_phrase_frac: 0 },
    });
  });

  it('the share is of the links that lead away', () =>
    expect(features(neighbours(3, 2, 4))['condemned_link_frac']).toBe(0.75));
});

describe('links into condemned domains', () => {
  it.each([
    ['one citation, and nothing else', neighbours(1, 1, 1), 0],
    ['two links', neighbours(2, 2, 2), 0],
    ['many links to one domain', neighbours(50, 1, 50), 0],
    ['three to two domains among twenty: half', neighbours(3, 2, 20), 1],
    ['three to two domains among ten: in full', neighbours(3, 2, 10), 2],
    ['to three domains', neighbours(3, 3, 3), 2.5],
    ['to nine domains: no more than the threshold asks for', neighbours(9, 9, 9), Math.log(20)],
  ])('%s', (_, company, logOdds) => expect(shift(company)).toBeCloseTo(logOdds, 12));

  it('in words', () =>
    expect(companyEvidence(features(neighbours(4, 3, 5)))).toEqual([
      '4 links into 3 domains condemned for spam (80 % of those that lead away)',
    ]));
});

describe('farms', () => {
  it.each([
    ['one other domain', farm(1, 1), 0],
    ['two, and few phrases: half', farm(2, 0.15), 1],
    ['two', farm(2, 0.3), 2],
    ['three', farm(3, 0.3), 2.5],
    ['nine: no more than the threshold asks for', farm(9, 1), Math.log(20)],
  ])('%s', (_, company, logOdds) => expect(shift(company)).toBe(logOdds));

  it('in words', () =>
    expect(companyEvidence(features(farm(2, 0.5)))).toEqual([
      'the template and 50 % of the sampled phrases of spam-like pages on 2 other domains',
    ]));
});

it('all company together never reaches beyond log(20), what the threshold of 20/21 asks for', () => {
  const count = fc.nat({ max: 10_000 });
  fc.assert(
    fc.property(count, count, count, fc.double({ min: 0, max: 1, noNaN: true }), (links, domains, away, phrases) => {
      const all = shift({ ...neighbours(links, domains, links + away), ...farm(domains, phrases) });
      expect(all).toBeGreaterThanOrEqual(0);
      expect(all).toBeLessThanOrEqual(Math.log(20));
    }),
  );
});
