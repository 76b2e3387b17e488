import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeReport, PAGE_PARTS, type PageMemory } from '../../model/changes.ts';
import { Detector, type DetectorOptions, type HeldCopy } from './detector.ts';

const CRAWLED: HeldCopy = { fetchedAt: 1_000, textHash: 'first' };
const OPTIONS: DetectorOptions = {
  ...{ visitors: 1, agreementMs: 3_600, maxPages: 10, viewMs: 300, maskAt: 3, stableReports: 4, stableMs: 1_000 },
};

function report(text: string, at: number, visitor = 'a'): ChangeReport {
  const parts = { title: 't', text, headings: 'h', links: 'l', images: 'i', metadata: 'm' };
  return { url: 'http://a/', key: 'http://a/', host: 'a', site: 'a/', parts, at, visitor };
}

/** Feeds reports of one page, crawled once, and returns which of them were signals. */
function signals(reports: readonly ChangeReport[], visitors: number, copy = CRAWLED): number[] {
  const detector = new Detector({ ...OPTIONS, visitors });
  let memory: PageMemory | undefined;
  return reports.flatMap((one) => {
    const found = detector.judge(one, copy, memory);
    memory = found?.memory ?? memory;
    return found?.changed === undefined ? [] : [one.at];
  });
}

describe('detector', () => {
  it('the first report after a crawl is the baseline; a differing one is a signal, once', () => {
    const reports = [report('x', 1_001), report('x', 1_002), report('y', 1_003), report('z', 1_004)];
    expect(signals(reports, 1)).toEqual([1_003]);
  });

  it('names the parts that changed', () => {
    const detector = new Detector(OPTIONS);
    const first = detector.judge(report('x', 1_001), CRAWLED, undefined);
    expect(detector.judge(report('y', 1_002), CRAWLED, first?.memory)?.changed).toEqual(['text']);
  });

  it('begins anew with the next crawl', () => {
    const detector = new Detector(OPTIONS);
    const first = detector.judge(report('x', 1_001), CRAWLED, undefined);
    const changed = detector.judge(report('y', 1_002), CRAWLED, first?.memory);
    const again = { fetchedAt: 2_000, textHash: 'second' };
    const after = detector.judge(report('y', 2_001), again, changed?.memory);
    expect(after).toMatchObject({ changed: undefined, memory: { baselineAt: 2_001 } });
    expect(detector.judge(report('y', 1_999), again, changed?.memory)).toBeUndefined();
  });

  it('two visitors must agree; one alone, however often, is not believed', () => {
    const base = [report('x', 1_001, 'a'), report('x', 1_002, 'b')];
    expect(signals([...base, report('y', 1_003, 'a'), report('y', 1_004, 'a')], 2)).toEqual([]);
    expect(signals([...base, report('y', 1_003, 'a'), report('z', 1_004, 'b')], 2)).toEqual([]);
    expect(signals([...base, report('y', 1_003, 'a'), report('y', 1_004, 'b')], 2)).toEqual([1_004]);
  });

  it('agreement has a term', () => {
    const base = [report('x', 1_001, 'a'), report('x', 1_002, 'b')];
    expect(signals([...base, report('y', 2_000, 'a'), report('y', 2_000 + 3_601, 'b')], 2)).toEqual([]);
    expect(signals([...base, report('y', 2_000, 'a'), report('y', 2_000 + 3_600, 'b')], 2)).toEqual([5_600]);
  });

  it('a page on which visitors disagree is disputed until they agree', () => {
    const detector = new Detector({ ...OPTIONS, visitors: 2, agreementMs: 100 });
    expect(detector.isDisputed('http://a/', 1_001)).toBe(false);
    detector.judge(report('x', 1_001, 'a'), CRAWLED, undefined);
    expect(detector.isDisputed('http://a/', 1_050)).toBe(true);
    expect(detector.isDisputed('http://a/', 1_200)).toBe(false);
  });

  it('says what a plain reading of the rule says, for any reports of one visitor each', () => {
    const texts = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 8 });
    fc.assert(
      fc.property(texts, (seen) => {
        const reports = seen.map((text, i) => report(text, 1_001 + i, `visitor ${i}`));
        const first = seen.findIndex((text) => text !== seen[0]);
        expect(signals(reports, 1)).toEqual(first < 0 ? [] : [1_001 + first]);
      }),
    );
  });

  it('compares every part', () => {
    for (const part of PAGE_PARTS) {
      const other = report('x', 1_002);
      expect(signals([report('x', 1_001), { ...other, parts: { ...other.parts, [part]: 'new' } }], 1)).toEqual([1_002]);
    }
  });
});
