import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeReport, PAGE_PARTS, type PageMemory, type PagePart, type PartHashes } from '../../model/changes.ts';
import { Detector, type DetectorOptions } from './detector.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const OPTIONS: DetectorOptions = {
  ...{ visitors: 1, agreementMs: 60 * MINUTE, maxPages: 10 },
  ...{ viewMs: 5 * MINUTE, maskAt: 3, stableReports: 20, stableMs: DAY },
};

const hash = (text: string): string => createHash('md5').update(text).digest('hex');

/** One page as visitors see it and as the crawler, who comes a second after every signal, does. */
class Page {
  readonly #detector: Detector;
  #memory: PageMemory | undefined;
  #at = 10_000;
  #crawledAt = 0;
  #version = 0;
  #crawledVersion = 0;
  readonly signals: (readonly PagePart[])[] = [];

  constructor(visitors: number) {
    this.#detector = new Detector({ ...OPTIONS, visitors });
  }

  /** The crawler finds another text from now on. */
  change(): void {
    this.#version++;
  }

  view(seen: Partial<PartHashes>, { after = 10_000, visitor = 'a' } = {}): void {
    this.#at += after;
    const same = Object.fromEntries(PAGE_PARTS.map((part) => [part, hash('same')]));
    const hashed = Object.fromEntries(Object.entries(seen).map(([part, text]) => [part, hash(text)]));
    const parts = { ...same, ...hashed } as PartHashes;
    const one: ChangeReport = { url: 'u', key: 'u', host: 'h', site: 'h/', parts, at: this.#at, visitor };
    const copy = { fetchedAt: this.#crawledAt, textHash: `version ${this.#crawledVersion}` };
    const found = this.#detector.judge(one, copy, this.#memory);
    // As it is stored.
    this.#memory = found === undefined ? this.#memory : JSON.parse(JSON.stringify(found.memory));
    if (found?.changed === undefined) return;
    this.signals.push(found.changed);
    this.#crawledAt = this.#at + 1_000;
    this.#crawledVersion = this.#version;
  }

  get masked(): PagePart[] {
    return PAGE_PARTS.filter((part) => this.#memory?.noise[part]?.masked === true);
  }

  get storedBytes(): number {
    return JSON.stringify(this.#memory ?? '').length;
  }
}

/** Visitors in turn; with one needed for agreement all are the same. */
const visitorOf = (needed: number, view: number): string => (needed === 1 ? 'a' : `visitor ${view % 7}`);

describe.each([1, 2])('parts that change on every view, %i visitors', (needed) => {
  const noisy = (view: number): Partial<PartHashes> => ({
    links: `nonce ${view}`,
    text: `clock ${Math.floor(view / 6)}`,
    images: `advertisement ${(view * view + 1) % 3}`,
  });

  it('nonce, clock and advertisement are masked after at most three crawls in vain, and cause none after', () => {
    const page = new Page(needed);
    let view = 0;
    for (; view < 60; view++) page.view(noisy(view), { visitor: visitorOf(needed, view) });
    expect(page.signals.length).toBeLessThanOrEqual(3);
    expect(page.masked).toEqual(['text', 'links', 'images']);
    const learnt = page.signals.length;
    for (; view < 400; view++) page.view(noisy(view), { visitor: visitorOf(needed, view) });
    expect(page.signals.length).toBe(learnt);
  });

  it('so are those that the crawler finds changed too, each time it comes', () => {
    const page = new Page(needed);
    for (let view = 0; view < 300; view++) {
      page.change();
      page.view({ text: `clock of the server ${view}` }, { visitor: visitorOf(needed, view) });
    }
    expect(page.masked).toEqual(['text']);
    expect(page.signals.length).toBeLessThanOrEqual(3);
  });

  it('a change of another part still is one', () => {
    const page = new Page(needed);
    for (let view = 0; view < 60; view++) page.view(noisy(view), { visitor: visitorOf(needed, view) });
    const learnt = page.signals.length;
    for (let view = 60; view < 64; view++)
      page.view({ ...noisy(view), title: 'News' }, { visitor: visitorOf(needed, view) });
    expect(page.signals.slice(learnt)).toEqual([['title']]);
  });

  it('a part that has been the same for a day counts again', () => {
    const page = new Page(needed);
    for (let view = 0; view < 60; view++) page.view({ links: `nonce ${view}` }, { visitor: visitorOf(needed, view) });
    expect(page.masked).toEqual(['links']);
    const learnt = page.signals.length;
    for (let view = 0; view < 30; view++) page.view({}, { after: DAY / 20, visitor: visitorOf(needed, view) });
    // Agreement has a term: two visitors must come within it.
    for (let view = 0; view < 4; view++) page.view({}, { visitor: visitorOf(needed, view) });
    expect(page.masked).toEqual([]);
    expect(page.signals.length).toBe(learnt);
    for (let view = 0; view < 4; view++)
      page.view({ links: 'new' }, { after: 10 * MINUTE, visitor: visitorOf(needed, view) });
    expect(page.signals.slice(learnt)).toEqual([['links']]);
  });

  it('a page that changes and is crawled each time is never masked, however often', () => {
    const page = new Page(needed);
    for (let version = 0; version < 200; version++) {
      page.change();
      for (let view = 0; view < 6; view++) page.view({ text: `v${version}` }, { visitor: visitorOf(needed, view) });
    }
    expect(page.masked).toEqual([]);
    expect(page.signals.length).toBe(199);
  });

  it('a page of which no part counts never signals', () => {
    const page = new Page(needed);
    const allOf = (view: number): Partial<PartHashes> => Object.fromEntries(PAGE_PARTS.map((p) => [p, `${view}`]));
    for (let view = 0; view < 40; view++) page.view(allOf(view), { visitor: visitorOf(needed, view) });
    expect(page.masked).toEqual([...PAGE_PARTS]);
    const learnt = page.signals.length;
    for (let view = 40; view < 200; view++) page.view(allOf(view), { visitor: visitorOf(needed, view) });
    expect(page.signals.length).toBe(learnt);
  });

  it('what is stored of a page is bounded, whatever is reported', () => {
    const text = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const seen = fc.record({ title: text, text, headings: text, links: text, images: text, metadata: text });
    const visit = fc.record({ seen, after: fc.constantFrom(1, MINUTE, DAY), visitor: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 60 }), (visits) => {
        const page = new Page(needed);
        for (const { seen: parts, after, visitor } of visits) page.view(parts, { after, visitor });
        expect(page.storedBytes).toBeLessThan(2_500);
      }),
    );
  });
});

it('seldom viewed: a part is masked after three crawls in vain', () => {
  const page = new Page(1);
  for (let view = 0; view < 20; view++) page.view({ text: `nonce ${view}` }, { after: 60 * MINUTE });
  expect(page.signals.length).toBe(3);
  expect(page.masked).toEqual(['text']);
});

it('one visitor can have no part masked where two must agree', () => {
  const page = new Page(2);
  for (let view = 0; view < 300; view++) {
    page.view({ text: `forged ${view}` }, { visitor: 'liar' });
    if (view % 3 === 0) page.view({}, { visitor: `visitor ${view}` });
  }
  expect(page.masked).toEqual([]);
  expect(page.signals).toEqual([]);
});
