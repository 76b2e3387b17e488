import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildCorpus, type LabelledPage } from './corpus.ts';
import { pairScorer, strongestWords, type TermModel } from './term-model.ts';

const page = (id: number, label: 'ham' | 'spam', terms: readonly string[]): LabelledPage => ({
  id: String(id),
  label,
  group: `g${id}`,
  features: {},
  terms,
});

it('the strongest words are words of a text, places together, and no parts, classes, metas or hosts', () => {
  const spam = ['w:slot', 't:slot', 'q:_slot', 'c:promo-box', 'n:generator', 's:cdn.example'];
  const pages = Array.from({ length: 20 }, (_, i) =>
    page(i, i < 10 ? 'spam' : 'ham', i < 10 ? [...spam, 'w:the'] : ['w:the']),
  );
  const words = [...strongestWords(buildCorpus('spam', pages), 2)];
  expect(words).toContain('slot');
  expect(words.filter((word) => word !== 'slot')).toEqual(['the']);
});

const weight = fc
  .integer({ min: -900, max: 900 })
  .filter((value) => value !== 0)
  .map((value) => value / 100);
const model = fc
  .record({
    bias: weight,
    list: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 60 }), weight), {
      selector: ([term]) => term,
      minLength: 30,
    }),
  })
  .map(
    ({ bias, list }): TermModel => ({
      bias,
      terms: list.map(([term]) => `w:${term}`).join('\n'),
      weights: list.map(([, value]) => value),
    }),
  );

it('two vocabularies in one pass score as each by itself, and name the strongest twenty', () => {
  fc.assert(
    fc.property(model, model, fc.uniqueArray(fc.integer({ min: 0, max: 80 }), { minLength: 40 }), (a, b, numbers) => {
      const terms = numbers.map((number) => `w:${number}`);
      const scored = pairScorer(
        a,
        b,
      )((place, visit) => {
        // A word met twice counts once.
        for (const term of [...terms, ...terms]) if (term.startsWith(place)) visit(term.slice(2));
      });
      [a, b].forEach(({ bias, terms: names, weights }, at) => {
        const known = new Map(names.split('\n').map((name, i) => [name, weights[i] ?? 0]));
        const found = terms.flatMap((term) => (known.get(term) ? [{ term, weight: known.get(term) ?? 0 }] : []));
        const sum = found.reduce((all, term) => all + term.weight, 0);
        expect(scored[at]?.score).toBeCloseTo(bias + sum / Math.sqrt(found.length + 1));
        const sorted = found.map((term) => Math.abs(term.weight)).sort((x, y) => y - x);
        expect(scored[at]?.strongest.map((term) => Math.abs(term.weight))).toEqual(sorted.slice(0, 20));
      });
    }),
  );
});
