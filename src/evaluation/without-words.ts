import { isPaired } from '../garbage-detector/content-analyser/tokens.ts';
import type { Page } from '../model/page.ts';

/**
 * The page as if these words stood nowhere on it: in no text, title, meta, address, link or image. How much of a
 * detector's work a word list does shows when its strongest words are gone. Words are lower-case tokens as
 * `tokenize` gives them; pairs of characters of unspaced scripts are taken out wherever they stand.
 */
export function withoutWords(page: Page, words: ReadonlySet<string>): Page {
  if (words.size === 0) return page;
  const strip = remover(words);
  return {
    ...page,
    title: strip(page.title),
    metas: page.metas.map((meta) => ({ ...meta, content: strip(meta.content) })),
    blocks: page.blocks.map((block) => ({ ...block, text: strip(block.text) })),
    mainText: strip(page.mainText),
    links: page.links.map((link) => ({
      ...link,
      text: strip(link.text),
      href: strip(link.href),
      title: strip(link.title),
    })),
    images: page.images.map((image) => ({
      ...image,
      src: strip(image.src),
      alt: image.alt === undefined ? undefined : strip(image.alt),
    })),
    redirect: page.redirect && { ...page.redirect, target: strip(page.redirect.target) },
  };
}

function remover(words: ReadonlySet<string>): (text: string) => string {
  const spaced = [...words].filter((word) => !isPaired(word));
  const paired = [...words].filter(isPaired);
  // The longest first: an alternation takes the first that fits.
  const among = (list: readonly string[]) =>
    [...list]
      .sort((a, b) => b.length - a.length)
      .map(literally)
      .join('|');
  const whole =
    spaced.length === 0
      ? undefined
      : new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${among(spaced)})(?![\\p{L}\\p{M}\\p{N}])`, 'giu');
  const parts = paired.length === 0 ? undefined : new RegExp(among(paired), 'gu');
  return (text) => {
    const left = whole === undefined ? text : text.replace(whole, ' ');
    return parts === undefined ? left : left.replace(parts, ' ');
  };
}

function literally(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
