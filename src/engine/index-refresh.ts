import { analyseAnchors } from '../indexing/indexing.ts';
import { pageRank } from '../link-graph/link-graph.ts';
import type { CrawlMachine } from './crawl-machine.ts';
import type { RunEnvironment } from './crawl-run.ts';

/** Kept pages whose anchors are written at once. */
const BATCH = 500;
const MAX_ANCHORS = 300;

/**
 * After a crawl: anchor texts and importance of every kept page into the index. Both depend on pages fetched after the
 * page itself, so they come last.
 */
export async function refreshIndex(machine: CrawlMachine, environment: RunEnvironment): Promise<void> {
  const priors = priorsOf(machine);
  let after = 0;
  let done = 0;
  for (;;) {
    const urls = await machine.visited.list({ state: 'kept', after, limit: BATCH });
    if (urls.length === 0) return;
    after = urls.at(-1)?.id ?? after;
    const ids = urls.map((url) => url.id);
    const [anchors, pages] = await Promise.all([
      machine.graph.anchorsOf(ids, MAX_ANCHORS),
      machine.repository.pages.getMany(ids),
    ]);
    const languages = new Map(pages.map((page) => [page.id, page.language]));
    await machine.database.asyncTransaction(async () => {
      await machine.index.putAnchors(
        ids.map((id, i) => ({
          id,
          anchors: analyseAnchors(
            (anchors[i] ?? []).map(({ text, pages: sources }) => ({ text, sources })),
            languages.get(id) ?? 'und',
          ),
        })),
      );
      await machine.index.putPriors(ids.flatMap((id) => priors.get(id) ?? []));
    });
    done += ids.length;
    environment.progress(`anchor texts and importance of ${done} pages`);
  }
}

/** PageRank relative to the mean, by page id. */
function priorsOf(machine: CrawlMachine): Map<number, { readonly id: number; readonly prior: number }> {
  const graph = machine.graph.pageGraph();
  const { values } = pageRank(graph, machine.config.pageRank);
  const priors = new Map<number, { id: number; prior: number }>();
  for (const [node, id] of graph.ids.entries()) priors.set(id, { id, prior: (values[node] ?? 0) * graph.ids.length });
  return priors;
}
