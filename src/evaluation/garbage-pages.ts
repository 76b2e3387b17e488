import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../config/errors.ts';
import { analyse, heuristicsFor, pageFacts, pageTerms } from '../garbage-detector/content-analyser/content-analyser.ts';
import type { LabelledPage } from '../garbage-detector/supervised-analyser/corpus.ts';
import { type LabelLine, parseLabels } from '../garbage-detector/supervised-analyser/label-file.ts';
import type { Page, PageContext } from '../model/page.ts';
import { readPage } from '../page/page.ts';
import type { PageOptions } from '../page/page-options.ts';
import { withoutWords } from './without-words.ts';

/** One folder of pages with its labels, as given by `--pages DIR --labels FILE`. */
export interface LabelledFolder {
  readonly pages: string;
  readonly labels: string;
}

/** A page measured for evaluation. */
export interface MeasuredPage extends LabelledPage {
  readonly file: string;
  readonly kind: string;
  readonly language: string;
  readonly site: string;
  readonly context: PageContext;
  /** Milliseconds. */
  readonly parse: number;
}

/**
 * Reads and measures the pages of the folders.
 * @param visit sees each page while it is in memory; pages are not kept.
 * @throws UsageError naming file and line for bad labels, or a page that cannot be read.
 */
export function measureFolders(
  folders: readonly LabelledFolder[],
  options: {
    readonly page: PageOptions;
    readonly group: 'site' | 'owner';
    /** Words taken out of every page. */
    readonly without?: ReadonlySet<string>;
  },
  visit?: (page: Page, measured: MeasuredPage) => void,
): MeasuredPage[] {
  const heuristics = heuristicsFor(['spam', 'soft-404'], 'B');
  const pages: MeasuredPage[] = [];
  for (const folder of folders) {
    for (const line of readLabels(folder.labels)) {
      const bytes = readPageFile(folder, line);
      const context: PageContext = { url: line.url, status: line.status };
      const started = performance.now();
      const whole = readPage(bytes, context, options.page);
      const parse = performance.now() - started;
      const page = options.without === undefined ? whole : withoutWords(whole, options.without);
      const facts = pageFacts(page, context);
      const measured: MeasuredPage = {
        id: createHash('sha256').update(bytes).digest('hex').slice(0, 12),
        label: line.label,
        group: groupOf(line, options.group),
        features: analyse(facts, heuristics),
        terms: pageTerms(facts),
        file: line.file ?? '',
        kind: line.kind ?? '',
        language: primary(line.language) ?? page.language,
        site: line.site ?? '',
        context,
        parse,
      };
      pages.push(measured);
      visit?.(page, measured);
    }
  }
  return pages;
}

function readLabels(file: string): readonly LabelLine[] {
  const { lines, problems } = parseLabels(readOrExplain(file, file).toString('utf8'));
  const first = problems[0];
  if (first !== undefined) throw new UsageError(`${file}, line ${first.line}: ${first.problem}`);
  if (lines.length === 0) throw new UsageError(`${file}: no labels in it`);
  return lines;
}

function readPageFile(folder: LabelledFolder, line: LabelLine): Buffer {
  if (line.file === undefined) throw new UsageError(`${folder.labels}, line ${line.line}: no file named for the page`);
  return readOrExplain(join(folder.pages, line.file), `${folder.labels}, line ${line.line}`);
}

function readOrExplain(file: string, where: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`${where}: cannot read ${file}`);
  }
}

function groupOf(line: LabelLine, by: 'site' | 'owner'): string {
  const site = line.site ?? line.file ?? '';
  return by === 'site' ? site : (site.split('/', 1)[0] ?? site);
}

function primary(language: string | undefined): string | undefined {
  return language?.toLowerCase().split(/[-_]/, 1)[0];
}
