import type { Page } from '../model/page.ts';

/** The parts of a page whose changes are told apart, each as one string that is equal when the part is. */
export interface PageParts {
  readonly title: string;
  readonly mainText: string;
  readonly headings: string;
  readonly links: string;
  readonly images: string;
  readonly metadata: string;
}

/** Metas that say what the page is; others change with every answer (tokens, nonces, times). */
const METADATA: ReadonlySet<string> = new Set([
  ...['description', 'keywords', 'author', 'robots', 'og:title', 'og:description', 'og:type', 'og:image'],
  ...['article:published_time', 'article:modified_time', 'dc.title', 'dc.creator', 'dc.date', 'refresh'],
]);

export function pageParts(page: Page): PageParts {
  return {
    title: page.title,
    mainText: page.mainText,
    headings: page.blocks
      .filter((block) => block.headingLevel > 0)
      .map((block) => `${block.headingLevel} ${block.text}`)
      .join('\n'),
    links: page.links.map((link) => `${link.href} ${link.text}`).join('\n'),
    images: page.images.map((image) => `${image.src} ${image.alt ?? ''}`).join('\n'),
    metadata: [
      ...page.metas.filter((meta) => METADATA.has(meta.name)).map((meta) => `${meta.name}: ${meta.content}`),
      `canonical: ${page.canonical ?? ''}`,
    ].join('\n'),
  };
}
