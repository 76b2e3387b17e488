import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { readPage } from '../page/page.ts';
import type { PageOptions } from '../page/page-options.ts';

export interface MainContentScore {
  readonly page: string;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export interface MainContentEvaluation {
  readonly pages: number;
  /** Means over pages. */
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Worst first. */
  readonly scores: readonly MainContentScore[];
}

/** Main text against the text of the expected article, for a folder of pages each with source.html and expected.html. */
export function evaluateMainContent(directory: string, options: PageOptions): MainContentEvaluation {
  const scores = readdirSync(directory)
    .filter((page) => existsSync(join(directory, page, 'expected.html')))
    .map((page) => scorePage(directory, page, options))
    .sort((a, b) => a.f1 - b.f1);
  const mean = (of: (score: MainContentScore) => number) =>
    scores.reduce((sum, score) => sum + of(score), 0) / Math.max(scores.length, 1);
  return {
    pages: scores.length,
    precision: mean((score) => score.precision),
    recall: mean((score) => score.recall),
    f1: mean((score) => score.f1),
    scores,
  };
}

function scorePage(directory: string, page: string, options: PageOptions): MainContentScore {
  const source = readFileSync(join(directory, page, 'source.html'));
  const expected = plainText(readFileSync(join(directory, page, 'expected.html'), 'utf8'));
  const found = readPage(source, { url: 'http://fakehost/test/page.html' }, options).mainText;
  return { page, ...overlap(tokensOf(expected), tokensOf(found)) };
}

/** Precision, recall and F1 of two multisets of tokens; two empty ones agree. */
function overlap(
  expected: readonly string[],
  found: readonly string[],
): { precision: number; recall: number; f1: number } {
  if (expected.length === 0 && found.length === 0) return { precision: 1, recall: 1, f1: 1 };
  const left = new Map<string, number>();
  for (const token of expected) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of found) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    shared++;
  }
  const precision = shared / Math.max(found.length, 1);
  const recall = shared / Math.max(expected.length, 1);
  return { precision, recall, f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** Lower-cased words; of scripts without spaces every character. */
function tokensOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\p{L}\p{N}\p{M}]|$)/gu,
      ) ?? []
  );
}

const INLINE =
  /^(?:a|abbr|b|bdi|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)$/;
const SILENT = /^(?:script|style|template|svg|title|head)$/;

/** The text of HTML, blocks apart, without the reader under test. */
function plainText(html: string): string {
  let text = '';
  let silent = 0;
  const parser = new Parser({
    onopentag(name) {
      if (SILENT.test(name)) silent++;
      if (!INLINE.test(name)) text += ' ';
    },
    onclosetag(name) {
      if (SILENT.test(name)) silent--;
      if (!INLINE.test(name)) text += ' ';
    },
    ontext(piece) {
      if (silent === 0) text += piece;
    },
  });
  parser.end(html);
  return text;
}
