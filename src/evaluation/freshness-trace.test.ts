import { describe, expect, it } from 'vitest';
import { seededRandom } from '../kit/random.ts';
import { intervalFreshness } from '../updating/policies.ts';
import { intervalFreshnessOn, parseTrace, sitesOfTrace } from './freshness-trace.ts';
import { eventsOf } from './freshness-world.ts';

const DAY = 86_400;
const line = (site: string, page: string, ...days: readonly number[]): string =>
  JSON.stringify({ site, page, changes: days.map((day) => 1e9 + day * DAY) });

describe('traces', () => {
  it('a site’s window is from its first change to its last', () => {
    const text = [line('b', 'x', 3, 1), line('a', 'y', 7), line('b', 'z', 2, 11, 11), ''].join('\n');
    const [site, ...others] = sitesOfTrace(parseTrace(text));
    // Site a changes once only: no window.
    expect(others).toEqual([]);
    expect(site).toMatchObject({ site: 'b', days: 10 });
    if (site === undefined) return;
    expect([...eventsOf(site.changes, 0)]).toEqual([2]);
    expect([...eventsOf(site.changes, 1)]).toEqual([1, 10]);
    // (changes + ½) / (days + ½)
    expect(site.pages.map(({ changeRate }) => changeRate)).toEqual([1.5 / 10.5, 2.5 / 10.5]);
  });

  it.each([
    ['{', 'not JSON'],
    ['[]', '"site" and "page"'],
    ['null', 'not an object'],
    ['{"site":"a","page":1,"changes":[]}', '"site" and "page"'],
    ['{"site":"a","page":"b","changes":["1"]}', 'Unix seconds'],
    ['{"site":"a","page":"b"}', 'Unix seconds'],
    [line('a', 'x', 1), 'named before'],
  ])('%s is refused with its line', (bad, problem) => {
    expect(() => parseTrace(`${line('a', 'x', 1)}\n\n${bad}`)).toThrow(`line 3: `);
    expect(() => parseTrace(`${line('a', 'x', 1)}\n${bad}`)).toThrow(problem);
  });
});

describe('freshness at fixed intervals on a trace', () => {
  it('is as counted by hand', () => {
    // Changes on days 4 and 6 of 10, crawled every 2 days: fresh 4, then (0 to 1 over 2 days) 1, then 1 + 2.
    const changes = Float64Array.of(4, 6);
    expect(intervalFreshnessOn(changes, 2, { from: 0, days: 10 })).toBeCloseTo(0.8, 12);
    // From day 5 on: 3/4 of a day, then 3.
    expect(intervalFreshnessOn(changes, 2, { from: 5, days: 10 })).toBeCloseTo(3.75 / 5, 12);
    expect(intervalFreshnessOn(new Float64Array(0), 2, { from: 5, days: 10 })).toBe(1);
  });

  it('is (1 − e^(−r))/r when changes come at random', () => {
    const random = seededRandom(2);
    const changes = Float64Array.from({ length: 40_000 }, () => random.next() * 20_000).sort();
    const fresh = intervalFreshnessOn(changes, 0.7, { from: 0, days: 20_000 });
    expect(fresh).toBeCloseTo(intervalFreshness(1.4), 2);
  });
});
