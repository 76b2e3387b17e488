import { readPage } from '../page/page.ts';
import type { PageOptions } from '../page/page-options.ts';
import { pageFacts, pageTerms } from './content-analyser/content-analyser.ts';
import { standingTexts } from './content-analyser/heuristics/parking.ts';
import { errorMessages } from './content-analyser/phrase-index.ts';
import type { LabelledPage } from './supervised-analyser/corpus.ts';

/**
 * Small pages made of the error messages of 102 locales and of the notices of parking services, servers and panels. They teach the soft-404 vocabulary words of languages in which
 * no labelled page exists; features are not learned from them, nor is anything measured on them.
 */
export function phrasePages(options: PageOptions): LabelledPage[] {
  return [...errorMessages(), ...standingTexts()].flatMap(({ language, texts }) =>
    texts.map((text, at) => {
      const other = texts[(at + 1) % texts.length] ?? text;
      const bytes = new TextEncoder().encode(noticePage(text, other));
      const page = readPage(bytes, {}, options);
      return {
        id: '',
        label: 'soft-404' as const,
        group: `messages ${language}`,
        features: {},
        // The meta elements are this file's own, not those of error pages.
        terms: [...pageTerms(pageFacts(page, {}))].filter((term) => !term.startsWith('n:')),
        isAid: true,
      };
    }),
  );
}

/** Title and heading say it. */
function noticePage(text: string, other: string): string {
  const title = text;
  return `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${withoutMarkup(title)}</title></head><body><h1>${withoutMarkup(text)}</h1><p>${withoutMarkup(other)}</p></body></html>`;
}

function withoutMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/%\(?\w*\)?[sd]?|\{\{?[^}]*\}?\}/g, '');
}
