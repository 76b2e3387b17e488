import { analyseDocument } from '../indexing/indexing.ts';
import { type IndexOptions, InvertedIndex } from '../inverted-index/inverted-index.ts';
import { rankingMeasures, trecOrder } from '../kit/metrics.ts';
import { openDatabase } from '../kit/sqlite.ts';
import { BLOCK_MAIN } from '../model/page.ts';
import type { SearchEvaluation } from '../model/reports.ts';
import { detectLanguage } from '../page/language.ts';
import { find, type SearchOptions } from '../searching/search.ts';

export interface RetrievalDocument {
  readonly id: string;
  readonly title: string;
  /** A title repeated at its head is stripped. */
  readonly text: string;
}

export interface RetrievalCollection {
  readonly documents: readonly RetrievalDocument[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** Query → document → gain. */
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Documents kept per query, as in trec_eval. */
const DEPTH = 1000;
const BATCH = 500;

/**
 * Indexes a test collection in memory and runs its topics, as plain words, on the product's default path.
 * Figures by trec_eval's conventions.
 */
export async function evaluateSearch(
  collection: RetrievalCollection,
  options: { readonly index: IndexOptions; readonly search: SearchOptions },
): Promise<SearchEvaluation> {
  const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheBytes: 64 * 1024 * 1024 });
  try {
    const index = new InvertedIndex(database, { ...options.index, matched: DEPTH, candidates: DEPTH });
    await fill(index, collection.documents);
    const rankings = new Map<string, string[]>();
    for (const query of collection.queries) {
      const { ranked } = find(query.text, index, options.search);
      const results = ranked.slice(0, DEPTH).map(({ candidate, score }) => ({
        id: collection.documents[candidate.id - 1]?.id ?? '',
        score,
      }));
      rankings.set(query.id, trecOrder(results));
    }
    return rankingMeasures(rankings, collection.judgements);
  } finally {
    database.close();
  }
}

/** Documents get their place in the list, from 1, as id. */
async function fill(index: InvertedIndex, documents: readonly RetrievalDocument[]): Promise<void> {
  for (let from = 0; from < documents.length; from += BATCH) {
    const rows = documents.slice(from, from + BATCH).map((document, i) => {
      const text = withoutTitle(document);
      const page = {
        title: document.title,
        blocks: [{ text, flags: BLOCK_MAIN, linkLength: 0, tag: 'p' }],
        language: detectLanguage(`${document.title}\n${text}`, undefined),
        description: '',
      };
      const facts = { type: 'text', time: 0, garbage: 0, demoted: false };
      return { id: from + i + 1, document: analyseDocument(page, ''), facts };
    });
    await index.putMany(rows);
  }
}

function withoutTitle({ title, text }: RetrievalDocument): string {
  return title !== '' && text.startsWith(title) ? text.slice(title.length).trimStart() : text;
}
