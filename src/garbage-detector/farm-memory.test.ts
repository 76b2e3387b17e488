import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { FarmMemory } from './farm-memory.ts';
import { isSameTemplate, type PageSample, SAMPLED_PHRASES, samplePage } from './page-sample.ts';
import { hashText } from './sketch.ts';

const memory = (phrases = 1000) => new FarmMemory({ phrases, domainsPerPhrase: 5 });

/** A word of its own for every number. */
const word = (n: number) => `w${n.toString(36)}q`;

const theme = (text: string) =>
  `<html><body class="home"><div class="wrap"><header class="top"><a href="/">Home</a></header>
  <main class="post"><h1>Title</h1><p>${text}</p></main><footer class="foot"><p>Made with a theme</p></footer></div></body></html>`;

function sample(text: string, layout = theme): PageSample | undefined {
  return samplePage(readPage(new TextEncoder().encode(layout(text)), {}, PAGE_OPTIONS));
}

/** 40 sentences of eight words, each in one of two wordings that the host picks. */
const spun = (host: number) =>
  Array.from({ length: 40 }, (_, sentence) => {
    const wording = (hashText(`host ${host} sentence ${sentence}`) >>> 16) & 1;
    return Array.from({ length: 8 }, (_, at) => word(sentence * 100 + wording * 10 + at)).join(' ');
  }).join(' ');

/** 320 words no other article has. */
const article = (host: number) => Array.from({ length: 320 }, (_, at) => word(100_000 * (host + 1) + at)).join(' ');

describe('a sample', () => {
  it('is at most 24 phrases, and nothing of under 50 words', () => {
    expect(sample(article(1))?.phrases).toHaveLength(SAMPLED_PHRASES);
    expect(sample(Array.from({ length: 40 }, (_, at) => word(at)).join(' '))).toBeUndefined();
  });

  it('the template is the page without its text; another layout is another template', () => {
    const [a, b] = [sample(article(1)), sample(article(2))];
    const other = sample(article(1), (text) => `<body><table><tr><td class="c"><font>${text}</font></td></tr></table>`);
    if (a === undefined || b === undefined || other === undefined) throw new Error('long enough');
    expect(a.template).toEqual(b.template);
    expect(isSameTemplate(a.template, other.template)).toBe(false);
  });

  it('any page gives one or none, the same every time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600, unit: 'binary' }), (text) => {
        expect(sample(text)).toEqual(sample(text));
        expect(sample(text)?.phrases.length ?? 1).toBeGreaterThan(0);
      }),
    );
  });
});

describe('farms', () => {
  it('five hosts with spun text: noticed from the third host on', () => {
    const farms = memory();
    const found = [0, 1, 2, 3, 4].map((host) => {
      const company = farms.companyOf(`host${host}.example`, sample(spun(host)));
      farms.note(`host${host}.example`, sample(spun(host)), 1);
      return company;
    });
    expect(found[0]).toBeUndefined();
    expect(found[1]?.domains).toBeLessThan(2);
    for (const [host, company] of found.entries()) {
      if (host < 2) continue;
      expect(company?.domains).toBeGreaterThanOrEqual(2);
      expect(company?.phrases).toBeGreaterThanOrEqual(0.3);
    }
  });

  it('a theme of five hosts with articles of their own is none, even if all of them lean to spam', () => {
    const farms = memory();
    for (let host = 0; host < 5; host++) {
      const known = farms.companyOf(`host${host}.example`, sample(article(host)));
      expect(known?.domains ?? 0).toBe(0);
      farms.note(`host${host}.example`, sample(article(host)), 3);
    }
  });

  it('a licence, a notice or a law on honest hosts of one theme is none', () => {
    const farms = memory();
    for (let host = 0; host < 9; host++) farms.note(`host${host}.example`, sample(spun(host)), host % 2 === 0 ? -4 : 0);
    expect(farms.size).toBe(0);
    expect(farms.companyOf('next.example', sample(spun(10)))).toBeUndefined();
  });

  const table = (text: string) => `<body><table><tr><td class="c"><font>${text}</font></td></tr></table>`;
  it.each([
    [
      'the same text in another template',
      (host: number) => [`other${host}.example`, sample(spun(host), table)] as const,
    ],
    ['copies', (host: number) => [`copy${host}.example`, sample(spun(7))] as const],
    ['other pages of the domain', (host: number) => ['own.example', sample(spun(host))] as const],
  ])('not: %s', (_, metOn) => {
    const farms = memory();
    for (let host = 0; host < 5; host++) {
      const [domain, met] = metOn(host);
      farms.note(domain, met, 5);
    }
    expect(farms.companyOf('own.example', sample(spun(7)))).toEqual({ domains: 0, phrases: 0 });
  });

  it('memory is bounded in phrases, and in domains of a phrase', () => {
    const farms = new FarmMemory({ phrases: 100, domainsPerPhrase: 2 });
    for (let host = 0; host < 300; host++) farms.note(`host${host}.example`, sample(article(host)), 1);
    expect(farms.size).toBe(100);
    for (let host = 0; host < 9; host++) farms.note(`farm${host}.example`, sample(spun(host)), 1);
    expect(farms.size).toBe(100);
    const phrases = Int32Array.from({ length: 10 }, (_, at) => at);
    const template = { high: 0, low: 0 };
    for (let host = 0; host < 9; host++) farms.note(`one${host}.example`, { template, phrases }, 1);
    const wider = { template, phrases: Int32Array.from({ length: 20 }, (_, at) => at) };
    expect(farms.companyOf('next.example', wider)).toEqual({ domains: 2, phrases: 0.5 });
  });
});

describe('against a twin that keeps every page', () => {
  const pages = fc.array(
    fc.record({
      domain: fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example'),
      phrases: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 12 }),
      bits: fc.constantFrom(0, 0xff, 0xffffff),
      logOdds: fc.integer({ min: -1, max: 2 }),
    }),
    { maxLength: 12 },
  );

  it('model: the same domains and share', () => {
    fc.assert(
      fc.property(pages, (met) => {
        const farms = memory();
        // The twin: what each domain says last of each phrase.
        const last = new Map<string, number>();
        for (const { domain, phrases, bits, logOdds } of met) {
          const asked = { template: { high: 0, low: bits }, phrases: Int32Array.from(phrases) };
          const own = phrases.map((phrase) =>
            ['a.example', 'b.example', 'c.example', 'd.example'].filter((other) => {
              const template = last.get(`${other} ${phrase}`);
              return other !== domain && template !== undefined && differing(template, bits) <= 12;
            }),
          );
          const counted = ['a.example', 'b.example', 'c.example', 'd.example'].filter((other) => {
            const n = own.filter((domains) => domains.includes(other)).length;
            return n >= 3 && n <= 0.8 * phrases.length;
          });
          const shared = own.filter((domains) => domains.some((other) => counted.includes(other))).length;
          const expected = { domains: counted.length, phrases: shared / phrases.length };
          expect(farms.companyOf(domain, asked)).toEqual(last.size === 0 ? undefined : expected);
          farms.note(domain, asked, logOdds);
          if (logOdds > 0) for (const phrase of phrases) last.set(`${domain} ${phrase}`, bits);
        }
      }),
    );
  });
});

function differing(a: number, b: number): number {
  return (a ^ b).toString(2).replaceAll('0', '').length;
}
