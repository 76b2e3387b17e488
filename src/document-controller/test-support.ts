import type { Page } from '../model/page.ts';
import { type Fingerprint, fingerprint } from './document-controller.ts';

/** A page with this main text, one block a line, all else empty. */
export function testPage(mainText: string, changes: Partial<Page> = {}): Page {
  const blocks = mainText
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => ({ text, path: 0, tag: 'p', flags: 2, headingLevel: 0, linkLength: 0, strongLength: 0 }));
  return {
    url: undefined,
    baseUrl: undefined,
    charset: 'utf-8',
    title: '',
    language: 'en',
    declaredLanguage: undefined,
    metas: [],
    headLinks: [],
    tagPaths: ['html.body.p'],
    blocks,
    mainText,
    links: [],
    forms: [],
    looseControls: [],
    images: [],
    scripts: [],
    styles: [],
    jsonLd: [],
    canonical: undefined,
    robots: { index: true, follow: true, archive: true, snippet: true },
    redirect: undefined,
    counts: {
      bytes: 0,
      tags: 0,
      maxDepth: 0,
      comments: 0,
      commentLength: 0,
      iframes: 0,
      tinyFrames: 0,
      inlineScriptLength: 0,
      styleLength: 0,
      visibleLength: 0,
      hiddenLength: 0,
      byTag: {},
    },
    problems: [],
    ...changes,
  };
}

export function printOf(mainText: string, changes: Partial<Page> = {}): Fingerprint {
  return fingerprint(testPage(mainText, changes), Buffer.from(`<p>${mainText}${changes.title ?? ''}`));
}

/** A text of `count` made-up words; the same seed gives the same words. */
export function words(count: number, seed: number): string[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => wordAt(Math.floor(random() * 3000)));
}

/** Replaces each word with the given probability by another one. */
export function edit(text: readonly string[], share: number, seed: number): string[] {
  const random = randomFrom(seed);
  return text.map((word) => (random() < share ? wordAt(3000 + Math.floor(random() * 3000)) : word));
}

function wordAt(index: number): string {
  const syllables = ['ba', 'ko', 'mi', 'tu', 'ler', 'san', 'vor', 'ni', 'pel', 'dra', 'os', 'ti'];
  let word = '';
  for (let rest = index + 12; rest > 0; rest = Math.floor(rest / 12)) word += syllables[rest % 12];
  return word;
}

function randomFrom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 4) / 2 ** 28;
  };
}
