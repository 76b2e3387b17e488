import { isPaired, PAIRED_SCRIPTS } from '../garbage-detector/content-analyser/tokens.ts';
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
  const whole = alternation([...words].filter((word) => !isPaired(word)));
  const pairs = alternation([...words].filter(isPaired));
  // As `tokenize` sees words: a digit beside a Han character is a word of its own.
  const letter = `[[\\p{L}\\p{M}\\p{N}]--[${PAIRED_SCRIPTS}]]`;
  const patterns = [
    ...(whole === '' ? [] : [new RegExp(`(?<!${letter})(?:${whole})(?!${letter})`, 'giv')]),
    ...(pairs === '' ? [] : [new RegExp(pairs, 'gv')]),
  ];
  return (text) => {
    // A scheme is no word of an address: without it no host could be read.
    const scheme = /^https?:/i.exec(text)?.[0] ?? '';
    const rest = text.slice(scheme.length).replaceAll(FANCY, (letters) => letters.normalize('NFKC'));
    return scheme + patterns.reduce((left, pattern) => left.replace(pattern, GAP), rest);
  };
}

/** Letters of mathematical alphabets, which `tokenize` reads as plain ones. */
const FANCY = /[\u{1D400}-\u{1D7FF}]+/gu;
/** Parts words without being one. */
const GAP = ' ';

/** The longest first: an alternation takes the first that fits. */
function alternation(words: readonly string[]): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map(literally)
    .join('|');
}

function literally(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/&~!#%,:;<=>@`-]/g, '\\$&');
}
