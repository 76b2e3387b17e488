import { join } from 'node:path';

/** The checkout: commands run there, and relative paths mean it. */
export const WINNOW_FOLDER: string = join(import.meta.dirname, '..');

/** What a bench reads of the report of `winnow crawl --json`. */
export interface WinnowCrawl {
  readonly fetched: number;
  readonly kept: number;
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly duplicates: { readonly exact: number; readonly near: number };
}

/** Arguments for Node: the crawl command on loopback names, without pause, everything on. */
export function crawlArgs(web: {
  readonly seeds: readonly string[];
  readonly hostsFile: string;
  readonly data: string;
}): string[] {
  const fetching = ['--hosts', web.hostsFile, '--allow-private', '--delay', '0'];
  return [join(WINNOW_FOLDER, 'bin', 'winnow.js'), 'crawl', ...web.seeds, ...fetching, '--data', web.data, '--json'];
}
