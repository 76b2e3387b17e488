import { type Random, shuffle } from './random.ts';

export interface FoldsOptions {
  /** Class of each case; strata are kept as even as the groups allow. */
  readonly classes: readonly number[] | Int32Array;
  /** Group of each case (site, owner); a group is never split. Omit to let every case be a group of its own. */
  readonly groups?: readonly (string | number)[] | undefined;
  readonly folds: number;
  readonly random: Random;
}

/**
 * Fold of each case (0 … folds−1). Groups are taken in random order, larger ones first, and each goes to the fold
 * where the sum over classes of squared shares stays smallest, so class shares and sizes come out even.
 */
export function groupedFolds(options: FoldsOptions): Int32Array {
  const { folds, random } = options;
  const groups = gather(options);
  shuffle(groups, random);
  groups.sort((a, b) => b.rows.length - a.rows.length);
  const totals = classTotals(options.classes);
  const filled = Array.from({ length: folds }, () => new Float64Array(totals.length));
  const sizes = new Float64Array(folds);
  const foldOf = new Int32Array(options.classes.length);
  for (const group of groups) {
    let best = 0;
    let bestCost = Number.POSITIVE_INFINITY;
    for (let fold = 0; fold < folds; fold++) {
      const cost = growth(filled[fold], group.counts, totals) + ((sizes[fold] ?? 0) / foldOf.length) * 1e-9;
      if (cost < bestCost) {
        best = fold;
        bestCost = cost;
      }
    }
    for (const row of group.rows) foldOf[row] = best;
    group.counts.forEach((count, c) => {
      const target = filled[best];
      if (target) target[c] = (target[c] ?? 0) + count;
    });
    sizes[best] = (sizes[best] ?? 0) + group.rows.length;
  }
  return foldOf;
}

/** Row numbers of one fold (`test`) and of all others (`train`), ascending. */
export function splitFold(foldOf: Int32Array, fold: number): { readonly train: Int32Array; readonly test: Int32Array } {
  const rows = Int32Array.from(foldOf.keys());
  return { train: rows.filter((row) => foldOf[row] !== fold), test: rows.filter((row) => foldOf[row] === fold) };
}

interface Group {
  readonly rows: number[];
  readonly counts: Map<number, number>;
}

function gather(options: FoldsOptions): Group[] {
  const byKey = new Map<string | number, Group>();
  for (let row = 0; row < options.classes.length; row++) {
    const key = options.groups?.[row] ?? row;
    let group = byKey.get(key);
    if (!group) {
      group = { rows: [], counts: new Map() };
      byKey.set(key, group);
    }
    group.rows.push(row);
    const c = options.classes[row] ?? 0;
    group.counts.set(c, (group.counts.get(c) ?? 0) + 1);
  }
  return [...byKey.values()];
}

function classTotals(classes: readonly number[] | Int32Array): Float64Array {
  let highest = 0;
  for (const c of classes) highest = Math.max(highest, c);
  const totals = new Float64Array(highest + 1);
  for (const c of classes) totals[c] = (totals[c] ?? 0) + 1;
  return totals;
}

/** Increase of Σ_c (share of class c in the fold)² when the group joins. */
function growth(filled: Float64Array | undefined, counts: Map<number, number>, totals: Float64Array): number {
  let sum = 0;
  for (const [c, count] of counts) {
    const total = totals[c] ?? 1;
    const before = (filled?.[c] ?? 0) / total;
    const after = before + count / total;
    sum += after * after - before * before;
  }
  return sum;
}
