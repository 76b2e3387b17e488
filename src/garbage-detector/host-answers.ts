import { LruMap } from '../kit/lru.ts';
import type { Page } from '../model/page.ts';
import { tokenize } from './content-analyser/tokens.ts';
import type { HostKnowledge } from './detect-garbage.ts';
import { hashText, leastHashes, resemblance, type Sketch } from './sketch.ts';

export interface HostAnswersOptions {
  /** Hosts remembered, those met last. */
  readonly hosts: number;
  /** Answers remembered of a host, those met last. */
  readonly answersPerHost: number;
}

interface Answer {
  readonly url: string;
  readonly sketch: Sketch;
  readonly isError: boolean;
}

/**
 * The last answers of each host, so that a page can be compared with what the host said at other addresses: an error
 * page that answers 200 says the same wherever it stands. Memory: hosts × answersPerHost × at most 150 bytes.
 */
export class HostAnswers {
  readonly #hosts: LruMap<string, Answer[]>;
  readonly #answersPerHost: number;

  constructor(options: HostAnswersOptions) {
    this.#hosts = new LruMap(options.hosts);
    this.#answersPerHost = options.answersPerHost;
  }

  /** Nothing for a text too short to compare. */
  knowledgeOf(host: string, url: string, sketch: Sketch): HostKnowledge {
    if (sketch.length < LEAST_HASHES) return {};
    let likeIt = 0;
    let error: number | undefined;
    for (const answer of this.#hosts.get(host) ?? []) {
      if (answer.url === url) continue;
      const similarity = resemblance(sketch, answer.sketch);
      if (similarity >= SAME_ANSWER) likeIt++;
      if (answer.isError) error = Math.max(error ?? 0, similarity);
    }
    return { sameAnswers: likeIt, errorPageSimilarity: error };
  }

  /** `isError`: judged soft-404 or a default page. An address counts once, with its latest answer. */
  note(host: string, url: string, answer: { readonly sketch: Sketch; readonly isError: boolean }): void {
    if (answer.sketch.length < LEAST_HASHES) return;
    const others = (this.#hosts.get(host) ?? []).filter((known) => known.url !== url);
    this.#hosts.set(host, [...others.slice(1 - this.#answersPerHost), { url, ...answer }]);
  }
}

const LEAST_HASHES = 5;
/** Resemblance from which two answers count as one and the same. */
const SAME_ANSWER = 0.8;
const SKETCH_WORDS = 400;

/**
 * Sketch of the words and pairs of words of the main text. Numbers and the words of the page's
 * own address are left out: an error page repeats what was asked for.
 */
export function sketchOf(page: Page, url: string): Sketch {
  const own = new Set(tokenize(decodeAddress(url), [], 100));
  const words = tokenize(page.mainText.slice(0, SKETCH_WORDS * 20), [], SKETCH_WORDS).filter(
    (word) => !own.has(word) && !/^\d+$/.test(word),
  );
  const hashes = new Set<number>();
  words.forEach((word, at) => {
    hashes.add(hashText(word));
    const next = words[at + 1];
    if (next !== undefined) hashes.add(hashText(`${word} ${next}`));
  });
  return leastHashes(hashes);
}

function decodeAddress(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
