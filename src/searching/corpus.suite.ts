import { analyseAnchors, analyseDocument } from '../indexing/indexing.ts';
import { InvertedIndex } from '../inverted-index/inverted-index.ts';
import { type Database, openDatabase } from '../kit/sqlite.ts';
import { BLOCK_CHROME, BLOCK_HEADING, BLOCK_MAIN } from '../model/page.ts';
import { INDEX_OPTIONS, SEARCH_OPTIONS } from './options.suite.ts';
import { type SearchContext, type SearchOptions, type StoredDocument, search } from './search.ts';

/** One made-up page. `text` is its body, one block a line. */
export interface TestPage {
  readonly url: string;
  readonly title?: string;
  readonly headings?: readonly string[];
  readonly text?: string;
  /** Blocks that are nothing but links. */
  readonly linkList?: readonly string[];
  readonly menu?: string;
  readonly language?: string;
  readonly anchors?: readonly { readonly text: string; readonly sources: number }[];
  readonly facts?: { readonly garbage?: number; readonly demoted?: boolean; readonly time?: number };
  readonly prior?: number;
  readonly stored?: Partial<StoredDocument>;
}

export const NOW = Date.UTC(2026, 0, 31);

/** An index in memory with the pages under the ids 1, 2, … */
export class TestCorpus {
  readonly database: Database;
  readonly index: InvertedIndex;
  readonly #pages: readonly TestPage[];

  private constructor(pages: readonly TestPage[]) {
    this.database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 8_000_000 });
    this.index = new InvertedIndex(this.database, INDEX_OPTIONS);
    this.#pages = pages;
  }

  static async of(pages: readonly TestPage[]): Promise<TestCorpus> {
    const corpus = new TestCorpus(pages);
    await corpus.index.putMany(
      pages.map((page, i) => ({ id: i + 1, document: documentOf(page), facts: factsOf(page) })),
    );
    await corpus.index.putAnchors(
      pages.map((page, i) => ({ id: i + 1, anchors: analyseAnchors(page.anchors ?? [], page.language ?? 'en') })),
    );
    const rated = pages.flatMap(({ prior }, i) => (prior === undefined ? [] : [{ id: i + 1, prior }]));
    await corpus.index.putPriors(rated);
    return corpus;
  }

  context(options: SearchOptions = SEARCH_OPTIONS): SearchContext {
    return {
      index: this.index,
      options,
      now: () => NOW,
      loadDocuments: async (ids) => ids.map((id) => this.#stored(id)),
    };
  }

  search(query: string, more: { readonly limit?: number; readonly offset?: number; readonly explain?: boolean } = {}) {
    const request = { query, limit: more.limit ?? 10, offset: more.offset ?? 0, explain: more.explain ?? false };
    return search(request, this.context());
  }

  async urls(query: string): Promise<string[]> {
    const { hits } = await this.search(query);
    return hits.map((hit) => hit.url);
  }

  #stored(id: number): StoredDocument {
    const page = this.#pages[id - 1];
    const text = [...(page?.headings ?? []), ...(page?.text === undefined ? [] : [page.text])].join('\n');
    return {
      id,
      url: page?.url ?? '',
      title: page?.title ?? '',
      text,
      language: page?.language ?? 'en',
      fetchedAt: NOW,
      duplicates: 0,
      snippet: true,
      ...page?.stored,
    };
  }
}

export function documentOf(page: TestPage) {
  const block = (text: string, flags: number, linked = false) => ({
    text,
    flags,
    linkLength: linked ? text.length : 0,
    tag: 'p',
  });
  const blocks = [
    ...(page.headings ?? []).map((text) => block(text, BLOCK_MAIN | BLOCK_HEADING)),
    ...(page.text ?? '')
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => block(text, BLOCK_MAIN)),
    ...(page.linkList ?? []).map((text) => block(text, BLOCK_MAIN, true)),
    ...(page.menu === undefined ? [] : [block(page.menu, BLOCK_CHROME)]),
  ];
  const { title = '', language = 'en' } = page;
  return analyseDocument({ title, blocks, language, description: '' }, page.url);
}

export function factsOf(page: TestPage) {
  return {
    type: 'html',
    time: page.facts?.time ?? NOW,
    garbage: page.facts?.garbage ?? 0,
    demoted: page.facts?.demoted ?? false,
  };
}
