import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kLevelScore, maxAncestorScore, pageFitness, TAG_WEIGHTS, textLeaves } from './fitness.ts';

const WHOLE = { weights: TAG_WEIGHTS, levels: 0, decay: 1 };

/** Occurrences of 'tide' as a word. */
function countTide(text: string) {
  const times = text.split(/\W+/).filter((word) => word.toLowerCase() === 'tide').length;
  return times === 0 ? [] : [{ keyword: 'tide', times, weight: 1 }];
}

function check(html: string, expected: { maxAncestor: number; kLevel: number }, options = WHOLE): void {
  expect(pageFitness(html, countTide, options)).toMatchObject(expected);
}

describe('values computed by hand', () => {
  it('a paragraph: max(p .3, body .1); sum .3 + .1', () => {
    check('<html><body><p>The tide.</p></body></html>', { maxAncestor: 0.3, kLevel: 0.4 });
  });

  it('the title, and a heading inside main', () => {
    check('<html><head><title>Tide</title></head><body></body></html>', { maxAncestor: 1, kLevel: 1 });
    check('<html><body><main><h1>Tide</h1></main></body></html>', { maxAncestor: 0.9, kLevel: 1.2 });
  });

  it('inline elements are ancestors: strong .5 + p .3 + body .1', () => {
    check('<html><body><p>low <strong>tide</strong> mark</p></body></html>', { maxAncestor: 0.5, kLevel: 0.9 });
  });

  it('occurrences multiply the score of their leaf: 3 × .3 and 3 × .4', () => {
    check('<html><body><p>tide, tide, tide</p></body></html>', { maxAncestor: 0.9, kLevel: 1.2 });
  });

  it('leaves add up; a leaf without a keyword adds nothing', () => {
    check('<html><body><p>tide</p><h2>harbour</h2><td>x</td><h2>tide</h2></body></html>', {
      maxAncestor: 1.1,
      kLevel: 1.3,
    });
  });

  it('a link in a list of the navigation: a .35 + li .3 + nav .05 + body .1', () => {
    check('<html><body><nav><ul><li><a href=/>Tide</a></li></ul></nav></body></html>', {
      maxAncestor: 0.35,
      kLevel: 0.8,
    });
  });

  it('descriptions are leaves of weight .4', () => {
    check('<html><head><meta name=description content="a tide"></head></html>', { maxAncestor: 0.4, kLevel: 0.4 });
  });

  it('scripts, styles and hidden text are no leaves', () => {
    check('<html><body><script>tide</script><p hidden>tide</p><p style="display: none">tide</p></body></html>', {
      maxAncestor: 0,
      kLevel: 0,
    });
  });

  it('tags without a weight count 0: div and span add nothing', () => {
    check('<html><body><div><span>tide</span></div></body></html>', { maxAncestor: 0.1, kLevel: 0.1 });
  });

  it('K and γ: two levels are strong .5 + p .3; γ = ½ gives .5 + .15 + .025', () => {
    const html = '<html><body><p><strong>tide</strong></p></body></html>';
    check(html, { maxAncestor: 0.5, kLevel: 0.8 }, { ...WHOLE, levels: 2 });
    check(html, { maxAncestor: 0.5, kLevel: 0.675 }, { ...WHOLE, decay: 0.5 });
  });
});

describe('invariants', () => {
  const paths = fc.array(fc.constantFrom('p', 'li', 'h1', 'div', 'body', 'strong', 'nav'), {
    minLength: 1,
    maxLength: 12,
  });

  it('max-ancestor does not change when ancestors repeat; K-level never shrinks with depth', () => {
    fc.assert(
      fc.property(paths, paths, (path, above) => {
        expect(maxAncestorScore([...path, ...path], TAG_WEIGHTS)).toBe(maxAncestorScore(path, TAG_WEIGHTS));
        expect(kLevelScore([...above, ...path], WHOLE)).toBeGreaterThanOrEqual(kLevelScore(path, WHOLE));
      }),
    );
  });

  it('K = 1 is the weight of the parent; every K-level of K ≥ path length is the plain sum', () => {
    fc.assert(
      fc.property(paths, (path) => {
        expect(kLevelScore(path, { ...WHOLE, levels: 1 })).toBe(maxAncestorScore(path.slice(-1), TAG_WEIGHTS));
        expect(kLevelScore(path, { ...WHOLE, levels: 99 })).toBe(kLevelScore(path, WHOLE));
      }),
    );
  });

  it('any text of angle brackets gives leaves whose paths are of bounded depth', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<p>', '</p>', '<b>', '</div>', '<div>', 'tide ', '<br>', '<script>', '</script>')),
        (parts) => {
          for (const leaf of textLeaves(parts.join(''))) expect(leaf.path.length).toBeLessThanOrEqual(parts.length);
        },
      ),
    );
  });
});
