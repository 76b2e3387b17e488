/** A column of a table: a number, or one of a closed list of values. */
export type Attribute =
  | { readonly name: string; readonly kind: 'numeric' }
  | { readonly name: string; readonly kind: 'nominal'; readonly values: readonly string[] };

/** Labelled cases by column. A nominal cell is the index of its value; NaN is a missing value. */
export interface Dataset {
  readonly attributes: readonly Attribute[];
  readonly columns: readonly Float64Array[];
  readonly classes: readonly string[];
  /** Class index of each case. */
  readonly labels: Int32Array;
  /** Index of the class whose probability `score` gives. */
  readonly positive: number;
}

/** One case: a value for each attribute, in their order. */
export type Values = ArrayLike<number>;

/** A dataset with each numeric column sorted once, shared by every tree trained on it. */
export interface SortedDataset {
  readonly data: Dataset;
  /** For each numeric attribute its rows by ascending value, missing ones last; empty for nominal ones. */
  readonly orders: readonly Int32Array[];
}

/** Binary dataset of numeric attributes from rows; label true is class 1, `positive`. */
export function numericDataset(
  names: readonly string[],
  rows: readonly Values[],
  labels: readonly boolean[],
  classes: readonly [string, string] = ['negative', 'positive'],
): Dataset {
  return {
    attributes: names.map((name) => ({ name, kind: 'numeric' })),
    columns: names.map((_, at) => Float64Array.from(rows, (row) => row[at] ?? Number.NaN)),
    classes,
    labels: Int32Array.from(labels, Number),
    positive: 1,
  };
}

/** The given rows in the given order; a row may occur more than once. */
export function selectRows(data: Dataset, rows: Int32Array): Dataset {
  return {
    ...data,
    columns: data.columns.map((column) => Float64Array.from(rows, (row) => column[row] ?? Number.NaN)),
    labels: Int32Array.from(rows, (row) => data.labels[row] ?? 0),
  };
}

export function valuesOf(data: Dataset, row: number): Float64Array {
  return Float64Array.from(data.columns, (column) => column[row] ?? Number.NaN);
}

export function sortColumns(data: Dataset): SortedDataset {
  const orders = data.columns.map((column, at) =>
    data.attributes[at]?.kind === 'numeric' ? sortedRows(column) : new Int32Array(0),
  );
  return { data, orders };
}

/** Stable. Sorts the bare numbers, then counts each row into its value's place: far faster than a comparator. */
function sortedRows(column: Float64Array): Int32Array {
  const sorted = column.slice().sort();
  const distinct = new Float64Array(sorted.length);
  const places = new Int32Array(sorted.length);
  let count = 0;
  let known = sorted.length;
  while (known > 0 && Number.isNaN(sorted[known - 1])) known--;
  for (let i = 0; i < known; i++) {
    const value = sorted[i] ?? 0;
    if (count > 0 && distinct[count - 1] === value) continue;
    distinct[count] = value;
    places[count++] = i;
  }
  const order = new Int32Array(sorted.length);
  let missing = known;
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? 0;
    if (Number.isNaN(value)) {
      order[missing++] = row;
      continue;
    }
    const at = rank(distinct, count, value);
    const place = places[at] ?? 0;
    order[place] = row;
    places[at] = place + 1;
  }
  return order;
}

/** Index of `value`, which is there, among the first `count` of ascending numbers. */
function rank(distinct: Float64Array, count: number, value: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((distinct[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
