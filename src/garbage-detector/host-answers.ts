import { LruMap } from '../kit/lru.ts';
import type { Page } from '../model/page.ts';
import { tokenize } from './content-analyser/tokens.ts';
import type { HostKnowledge } from './detect-garbage.ts';

export interface HostAnswersOptions {
  /** Hosts remembered, those met last. */
  readonly hosts: number;
  /** Answers remembered of a host, those met last. */
  readonly answersPerHost: number;
}

/** What a page says in its main part, small enough to be kept: the least hashes of its words and pairs of words. */
export type AnswerSketch = Uint32Array;

interface Answer {
  readonly url: string;
  readonly sketch: AnswerSketch;
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
  knowledgeOf(host: string, url: string, sketch: AnswerSketch): HostKnowledge {
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
  note(host: string, url: string, answer: { readonly sketch: AnswerSketch; readonly isError: boolean }): void {
    if (answer.sketch.length < LEAST_HASHES) return;
    const others = (this.#hosts.get(host) ?? []).filter((known) => known.url !== url);
    this.#hosts.set(host, [...others.slice(1 - this.#answersPerHost), { url, ...answer }]);
  }
}

const SKETCH_HASHES = 32;
const LEAST_HASHES = 5;
/** Resemblance from which two answers count as one and the same. */
const SAME_ANSWER = 0.8;
const SKETCH_WORDS = 400;

/**
 * Bottom-k sketch (Broder 1997) of the words and pairs of words of the main text. Numbers and the words of the page's
 * own address are left out: an error page repeats what was asked for.
 */
export function sketchOf(page: Page, url: string): AnswerSketch {
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
  return Uint32Array.from(hashes).sort().slice(0, SKETCH_HASHES);
}

/** Jaccard coefficient as two sketches estimate it: exact for texts of few words. */
export function resemblance(a: AnswerSketch, b: AnswerSketch): number {
  let i = 0;
  let j = 0;
  let both = 0;
  let union = 0;
  while (union < SKETCH_HASHES && (i < a.length || j < b.length)) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[j] ?? Number.POSITIVE_INFINITY;
    if (left === right) both++;
    if (left <= right) i++;
    if (right <= left) j++;
    union++;
  }
  return union === 0 ? 0 : both / union;
}

function decodeAddress(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** FNV-1a with a final mix, unsigned. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
