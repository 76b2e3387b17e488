import type { Config } from '../config/config.ts';
import { countCopies } from '../crawling/visited-urls/copies.ts';
import { VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import { InvertedIndex } from '../inverted-index/inverted-index.ts';
import type { Database } from '../kit/sqlite.ts';
import type { SearchResult } from '../model/reports.ts';
import { StoredPages } from '../repository/stored-pages.ts';
import { type SearchRequest, type StoredDocument, search } from '../searching/search.ts';
import { asUnable, openForReading } from './collection.ts';
import { indexOptionsOf, repositoryOptionsOf, searchOptionsOf, visitedOptionsOf } from './options.ts';

export type { SearchRequest } from '../searching/search.ts';

/** Answers queries over a read-only connection of its own. Synchronous inside: not for a thread that serves requests. */
export class SearchService {
  readonly #database: Database;
  readonly #index: InvertedIndex;
  readonly #visited: VisitedUrls;
  readonly #pages: StoredPages;
  readonly #config: Config;

  /** Throws {@link UnableError} when the folder holds no collection, or one of a newer version. */
  constructor(dataDir: string, config: Config) {
    this.#config = config;
    this.#database = openForReading(dataDir, config);
    try {
      this.#index = new InvertedIndex(this.#database, indexOptionsOf(config));
      this.#visited = new VisitedUrls(this.#database, visitedOptionsOf(config));
      this.#pages = new StoredPages(this.#database, repositoryOptionsOf(config, dataDir, Date.now));
    } catch (error) {
      this.#database.close();
      throw asUnable(error, dataDir);
    }
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return search(request, {
      index: this.#index,
      loadDocuments: (ids) => this.#load(ids),
      options: searchOptionsOf(this.#config),
      now: Date.now,
    });
  }

  close(): void {
    this.#database.close();
  }

  async #load(ids: readonly number[]): Promise<StoredDocument[]> {
    const [pages, urls] = await Promise.all([this.#pages.detailsOf(ids), this.#visited.getMany(ids)]);
    const copies = countCopies(this.#database, ids);
    const byId = new Map(urls.map((url) => [url.id, url]));
    return pages.flatMap((page) => {
      const url = byId.get(page.id);
      if (url === undefined) return [];
      const verdict = url.answer?.verdict;
      return [
        {
          id: page.id,
          url: url.url,
          title: page.title,
          text: page.mainText,
          language: page.language,
          fetchedAt: page.checkedAt,
          changedAt: page.changedAt,
          flagged: verdict === 'keep' ? undefined : verdict,
          duplicates: copies.get(page.id) ?? 0,
          snippet: page.outline.snippet,
          maxSnippet: page.outline.maxSnippet,
        },
      ];
    });
  }
}
