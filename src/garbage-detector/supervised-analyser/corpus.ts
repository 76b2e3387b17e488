import type { FeatureVector } from '../../model/garbage.ts';
import type { DetectorName, Label } from '../../model/lists.ts';

/** One labelled page, measured. */
export interface LabelledPage {
  /** What names the page in a training list: hash of its bytes or its URL. */
  readonly id: string;
  readonly label: Label;
  /** Pages of one group (site, owner) are never parted between training and test. */
  readonly group: string;
  readonly features: FeatureVector;
  /** Distinct terms, `place:word`. */
  readonly terms: Iterable<string>;
  /** Written to teach words (messages of many locales): only vocabularies learn from it, nothing is measured on it. */
  readonly isAid?: boolean;
}

/** Labelled pages of one detector with their terms as numbers. */
export interface Corpus {
  readonly ids: readonly string[];
  readonly positive: readonly boolean[];
  readonly labels: readonly Label[];
  readonly groups: readonly string[];
  readonly features: readonly FeatureVector[];
  /** For each page the numbers of its terms. */
  readonly terms: readonly Int32Array[];
  readonly termNames: readonly string[];
  readonly isAid: readonly boolean[];
}

/** undefined: the label says nothing to this detector. */
export function isPositive(detector: DetectorName, label: Label): boolean | undefined {
  if (detector === 'spam') return label === 'spam' ? true : label === 'ham' ? false : undefined;
  return label !== 'ham' && label !== 'spam';
}

/** The pages a detector learns from; pages whose label tells it nothing are left out. */
export function buildCorpus(detector: DetectorName, pages: Iterable<LabelledPage>): Corpus {
  const numbers = new Map<string, number>();
  const corpus = {
    ids: [] as string[],
    positive: [] as boolean[],
    labels: [] as Label[],
    groups: [] as string[],
    features: [] as FeatureVector[],
    terms: [] as Int32Array[],
    isAid: [] as boolean[],
  };
  for (const page of pages) {
    const positive = isPositive(detector, page.label);
    if (positive === undefined) continue;
    corpus.ids.push(page.id);
    corpus.positive.push(positive);
    corpus.labels.push(page.label);
    corpus.groups.push(page.group);
    corpus.features.push(page.features);
    corpus.isAid.push(page.isAid === true);
    corpus.terms.push(Int32Array.from(page.terms, (term) => numberOf(term, numbers)));
  }
  return { ...corpus, termNames: [...numbers.keys()] };
}

/** The given rows of a corpus; term numbers stay the same. */
export function selectPages(corpus: Corpus, rows: ArrayLike<number>): Corpus {
  const pick = <T>(items: readonly T[]): T[] => Array.from(rows, (row) => items[row] as T);
  return {
    ids: pick(corpus.ids),
    positive: pick(corpus.positive),
    labels: pick(corpus.labels),
    groups: pick(corpus.groups),
    features: pick(corpus.features),
    terms: pick(corpus.terms),
    isAid: pick(corpus.isAid),
    termNames: corpus.termNames,
  };
}

/**
 * Weight of each page: a group of n pages of a class counts as √n of them, so a large site does not drown a small one;
 * both classes count the same in all; the mean weight is 1.
 */
export function pageWeights(corpus: Corpus): Float64Array {
  const sizes = new Map<string, number>();
  const keys = corpus.groups.map((group, row) => `${corpus.positive[row]} ${group}`);
  for (const key of keys) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  const weights = Float64Array.from(keys, (key) => (sizes.get(key) ?? 1) ** -0.5);
  const totals = [0, 0];
  corpus.positive.forEach((positive, row) => {
    totals[Number(positive)] = (totals[Number(positive)] ?? 0) + (weights[row] ?? 0);
  });
  return weights.map((weight, row) => (weight * weights.length) / 2 / (totals[Number(corpus.positive[row])] ?? 1));
}

function numberOf(term: string, numbers: Map<string, number>): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}
