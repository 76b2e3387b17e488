import type { Heuristic } from '../heuristic.ts';
import type { PageFacts } from '../page-facts.ts';
import { bestCover, isWholePhrase } from '../phrase-index.ts';

export const notFoundPhrases: Heuristic = {
  id: 'soft-404/phrases',
  names: ['error_phrase_title', 'error_phrase_heading', 'error_phrase_block', 'error_phrase_whole'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'How far the title, the best heading and the best of the first 12 short blocks are covered by one error message of 102 locales (0–1, rare words count more); how many of them hold a whole message and little else.',
  source:
    'own; messages of Django, Docusaurus, Apache and tarampampam/error-pages; whole sentences in title, heading and first blocks only, after the faults collected for Bar-Yossef et al. 2004',
  compute(facts) {
    const best = { title: 0, heading: 0, block: 0 };
    let whole = 0;
    for (const { where, words } of facts.openings) {
      best[where] = Math.max(best[where], bestCover(words));
      if (isWholePhrase(words)) whole++;
    }
    return [best.title, best.heading, best.block, whole];
  },
};

export const errorCodes: Heuristic = {
  id: 'soft-404/codes',
  names: ['code_title', 'code_heading', 'code_block', 'code_words'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'An HTTP error code (400–418, 421–431, 451, 500–511) as a word of the title, of a heading, of one of the first short blocks (0 or 1); words of the shortest of these places that has one, unknown without.',
  source: 'Prieto et al. 2014 (digits "404" in title, h1 or first block)',
  compute(facts) {
    const found = { title: 0, heading: 0, block: 0 };
    let shortest: number | undefined;
    for (const { where, words } of facts.openings) {
      if (!words.some(isErrorCode)) continue;
      found[where] = 1;
      shortest = Math.min(shortest ?? words.length, words.length);
    }
    return [found.title, found.heading, found.block, shortest];
  },
};

export const addressEcho: Heuristic = {
  id: 'soft-404/echo',
  names: ['echoes_url', 'url_error_words', 'status'],
  level: 'A',
  detectors: ['soft-404'],
  definition:
    'Share of the visible text that repeats the path asked for (unknown without URL, or for paths under 4 units); whether the path names an error page (404, error, notfound) as a word; the HTTP status.',
  source: 'own; cases F3 (sullo/nikto#246)',
  compute(facts) {
    const { url, status } = facts.context;
    const path = url === undefined ? undefined : URL.parse(url)?.pathname;
    if (path === undefined) return [undefined, undefined, status];
    return [
      echoShare(facts, path),
      /(?:^|[/_.-])(?:404|error|errors|not-?found|not_found)(?:[/_.-]|$)/i.test(path) ? 1 : 0,
      status,
    ];
  },
};

export function isErrorCode(word: string): boolean {
  return word.length === 3 && /^(?:4(?:0\d|1[0-8]|2[1-9]|31|51)|50\d|51[01])$/.test(word);
}

function echoShare(facts: PageFacts, path: string): number | undefined {
  if (path.length < 4 || facts.visibleLength > 5000) return path.length < 4 ? undefined : 0;
  for (const block of facts.visibleBlocks) {
    if (block.text.includes(path) || block.text.includes(decoded(path)))
      return Math.min(1, path.length / facts.visibleLength);
  }
  return 0;
}

function decoded(path: string): string {
  return path.includes('%') ? (URL.parse(`x:/${path}`)?.pathname ?? path).replaceAll('%20', ' ') : path;
}
