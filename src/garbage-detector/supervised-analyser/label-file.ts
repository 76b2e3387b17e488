import { LABELS, type Label } from '../../model/lists.ts';

/** One data line of a labels file; fields left empty are absent. */
export interface LabelLine {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly label: Label;
  readonly file?: string | undefined;
  readonly url?: string | undefined;
  readonly status?: number | undefined;
  readonly kind?: string | undefined;
  readonly language?: string | undefined;
  readonly site?: string | undefined;
}

export interface LabelProblem {
  readonly line: number;
  readonly problem: string;
}

/** Reads a labels CSV (RFC 4180 quoting): a header, `label` and one of `file`, `url` required. Bad lines are listed and left out. */
export function parseLabels(text: string): { readonly lines: LabelLine[]; readonly problems: LabelProblem[] } {
  const rows = parseCsv(text.replace(/^\uFEFF/, ''));
  const header = rows.shift()?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  if (!header.includes('label') || !(header.includes('file') || header.includes('url'))) {
    return { lines: [], problems: [{ line: 1, problem: 'the header must name "label" and "file" or "url"' }] };
  }
  const lines: LabelLine[] = [];
  const problems: LabelProblem[] = [];
  for (const row of rows) {
    if (row.cells.length === 1 && row.cells[0]?.trim() === '') continue;
    const read = readRow(header, row);
    if ('problem' in read) problems.push(read);
    else lines.push(read);
  }
  return { lines, problems };
}

const COLUMNS = ['url', 'label', 'kind', 'language', 'site', 'status'] as const;

/** A labels CSV with these lines; what {@link parseLabels} reads back. */
export function formatLabels(lines: readonly Omit<LabelLine, 'line'>[]): string {
  const columns = lines.some(({ file }) => file !== undefined) ? (['file', ...COLUMNS] as const) : COLUMNS;
  let text = `${columns.join(',')}\n`;
  for (const line of lines) text += `${columns.map((name) => quote(String(line[name] ?? ''))).join(',')}\n`;
  return text;
}

function readRow(header: readonly string[], { cells, line }: CsvRow): LabelLine | LabelProblem {
  if (cells.length !== header.length) {
    return { line, problem: `${cells.length} fields where the header has ${header.length}` };
  }
  const field = (name: string): string | undefined => {
    const value = cells[header.indexOf(name)]?.trim();
    return value === undefined || value === '' ? undefined : value;
  };
  const label = LABELS.find((known) => known === field('label'));
  if (label === undefined) {
    return { line, problem: `unknown label "${field('label') ?? ''}"; known: ${LABELS.join(', ')}` };
  }
  const file = field('file');
  const url = field('url');
  if (file === undefined && url === undefined) return { line, problem: 'neither file nor url' };
  const status = field('status');
  if (status !== undefined && !/^[1-5]\d\d$/.test(status))
    return { line, problem: `status "${status}" is no HTTP status` };
  return {
    line,
    label,
    file,
    url,
    status: status === undefined ? undefined : Number(status),
    kind: field('kind'),
    language: field('language'),
    site: field('site'),
  };
}

interface CsvRow {
  readonly line: number;
  readonly cells: string[];
}

function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let cell = '';
  let line = 1;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text[at];
    if (unit === '\n') line++;
    if (quoted) {
      if (unit !== '"') cell += unit;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (unit === '"' && cell === '') quoted = true;
    else if (unit === ',') {
      row.cells.push(cell);
      cell = '';
    } else if (unit === '\n') {
      row.cells.push(cell.endsWith('\r') ? cell.slice(0, -1) : cell);
      rows.push(row);
      row = { line, cells: [] };
      cell = '';
    } else cell += unit;
  }
  if (cell !== '' || row.cells.length > 0) rows.push({ ...row, cells: [...row.cells, cell] });
  return rows;
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
