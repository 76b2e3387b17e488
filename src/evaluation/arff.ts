import type { Attribute, Dataset } from '../learning/dataset.ts';

/** What is wrong with an ARFF file; `line` counts from 1. */
export class ArffError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = 'ArffError';
    this.line = line;
  }
}

/** A table as read: every attribute, none singled out as the class. */
export interface Table {
  readonly relation: string;
  readonly attributes: readonly Attribute[];
  readonly columns: readonly Float64Array[];
}

/**
 * Attribute-Relation File Format as Weka writes it: numeric (real, integer) and nominal attributes, `?` for missing,
 * quoted names and values, comments, sparse rows, instance weights ignored. String and date attributes are refused.
 * Throws {@link ArffError}.
 */
export function parseArff(text: string): Table {
  const lines = text.split(/\r\n|\n|\r/);
  const attributes: Attribute[] = [];
  let relation = '';
  for (const [at, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('%')) continue;
    const keyword = /^@(\w+)/.exec(line)?.[1]?.toLowerCase();
    const rest = line.slice((keyword?.length ?? 0) + 1).trim();
    if (keyword === 'relation') relation = takeToken(rest).token;
    else if (keyword === 'attribute') attributes.push(readAttribute(rest, at + 1));
    else if (keyword === 'data') return { relation, attributes, columns: readRows(lines, at + 1, attributes) };
    else throw new ArffError(at + 1, `expected @relation, @attribute or @data, found "${line.slice(0, 40)}"`);
  }
  throw new ArffError(lines.length, 'no @data section');
}

/** Takes one nominal attribute as the class; the last when none is named. Rows without a class are left out. */
export function asDataset(table: Table, className?: string, positive?: string): Dataset {
  const at =
    className === undefined ? table.attributes.length - 1 : table.attributes.findIndex((a) => a.name === className);
  const described = table.attributes[at];
  if (described?.kind !== 'nominal') {
    throw new ArffError(1, `${className ?? 'the last attribute'} is no nominal attribute of the file`);
  }
  const positiveAt = positive === undefined ? described.values.length - 1 : described.values.indexOf(positive);
  if (positiveAt < 0)
    throw new ArffError(1, `class ${described.name} has no value ${positive}: ${described.values.join(', ')}`);
  const classColumn = table.columns[at] ?? new Float64Array(0);
  const labelled = (_: unknown, row: number) => !Number.isNaN(classColumn[row]);
  return {
    attributes: table.attributes.filter((_, other) => other !== at),
    columns: table.columns.filter((_, other) => other !== at).map((column) => column.filter(labelled)),
    classes: described.values,
    labels: Int32Array.from(classColumn.filter(labelled)),
    positive: positiveAt,
  };
}

function readAttribute(text: string, line: number): Attribute {
  const { token: name, rest } = takeToken(text);
  const type = rest.trim();
  if (type.startsWith('{') && type.endsWith('}')) {
    return { name, kind: 'nominal', values: splitCells(type.slice(1, -1)) };
  }
  if (/^(numeric|real|integer)\b/i.test(type)) return { name, kind: 'numeric' };
  throw new ArffError(line, `attribute ${name} has type "${type}"; numeric and nominal ones can be read`);
}

function readRows(lines: readonly string[], first: number, attributes: readonly Attribute[]): Float64Array[] {
  const indices = attributes.map((a) => (a.kind === 'nominal' ? new Map(a.values.map((v, i) => [v, i])) : undefined));
  const cells: number[][] = attributes.map(() => []);
  for (let at = first; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    if (line === '' || line.startsWith('%')) continue;
    const row = line.startsWith('{') ? sparseRow(line, attributes.length) : splitCells(line);
    if (row.length < attributes.length) {
      throw new ArffError(at + 1, `${row.length} values for ${attributes.length} attributes`);
    }
    for (const [column, cell] of cells.entries()) {
      cell.push(readCell(row[column] ?? '', { line: at + 1, name: attributes[column]?.name ?? '' }, indices[column]));
    }
  }
  return cells.map((column) => Float64Array.from(column));
}

function readCell(
  text: string,
  place: { readonly line: number; readonly name: string },
  index: ReadonlyMap<string, number> | undefined,
): number {
  if (text === '?') return Number.NaN;
  // Sparse rows leave out cells that are 0 or the first nominal value.
  const value = index ? (text === SPARSE_DEFAULT ? 0 : index.get(text)) : text === SPARSE_DEFAULT ? 0 : Number(text);
  if (value === undefined || Number.isNaN(value) || text === '') {
    throw new ArffError(place.line, `"${text.slice(0, 40)}" is no value of attribute ${place.name}`);
  }
  return value;
}

const SPARSE_DEFAULT = '\u0000';

function sparseRow(line: string, width: number): string[] {
  const row = new Array<string>(width).fill(SPARSE_DEFAULT);
  for (const cell of splitCells(line.slice(1, line.lastIndexOf('}')))) {
    const { token, rest } = takeToken(cell);
    const column = Number(token);
    if (column >= 0 && column < width) row[column] = unquote(rest.trim());
  }
  return row;
}

/** Cells between commas; quotes protect commas and are taken off. */
function splitCells(text: string): string[] {
  if (!text.includes("'") && !text.includes('"')) return text.split(',').map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] ?? '';
    if (unit === '\\' && quote !== '') cell += unit + (text[++at] ?? '');
    else if (quote !== '') {
      cell += unit;
      if (unit === quote) quote = '';
    } else if (unit === ',') {
      cells.push(unquote(cell.trim()));
      cell = '';
    } else {
      if (unit === "'" || unit === '"') quote = unit;
      cell += unit;
    }
  }
  cells.push(unquote(cell.trim()));
  return cells;
}

function takeToken(text: string): { token: string; rest: string } {
  const quote = text[0] === "'" || text[0] === '"' ? text[0] : '';
  if (quote === '') {
    const end = text.search(/[\s{]/);
    return end < 0 ? { token: text, rest: '' } : { token: text.slice(0, end), rest: text.slice(end) };
  }
  let end = 1;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  return { token: unquote(text.slice(0, end + 1)), rest: text.slice(end + 1) };
}

function unquote(text: string): string {
  const quote = text[0];
  if ((quote !== "'" && quote !== '"') || text.length < 2 || !text.endsWith(quote)) return text;
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}
