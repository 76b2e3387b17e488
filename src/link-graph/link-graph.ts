import type { Database } from '../kit/sqlite.ts';
import type { LinkPosition } from '../model/page.ts';
import { AggregateChanges } from './aggregates.ts';
import { AnchorTexts } from './anchor-texts.ts';
import { type Edge, forEachFollowedTarget, packEdges, unpackEdges } from './edges.ts';
import { type Graph, GraphBuilder } from './graph.ts';
import { BOX, STEPS } from './schema.ts';

export { type Graph, nodeOf } from './graph.ts';
export { pageRank, type RankOptions } from './rank.ts';

export interface LinkGraphOptions {
  /** Anchor texts kept in memory. */
  readonly textCacheEntries: number;
  /** UTF-16 units of an anchor text; longer ones are cut. */
  readonly maxTextLength: number;
}

/** All links of one page, in document order. Ids of pages and hosts are those of the visited-URL controller. */
export interface PageLinks {
  readonly sourceId: number;
  readonly sourceHost: number;
  readonly links: readonly PageLink[];
}

export interface PageLink {
  readonly targetId: number;
  readonly targetHost: number;
  /** Visible text, white space collapsed. */
  readonly text: string;
  readonly nofollow: boolean;
  readonly position: LinkPosition;
}

export interface Anchor {
  readonly text: string;
  /** Pages that link with this text, over all hosts. */
  readonly pages: number;
  /** Of these, pages that do so in their main content. */
  readonly main: number;
  /** Hosts with such a page, the target's own included. */
  readonly hosts: number;
}

export interface InDegree {
  readonly pages: number;
  readonly hosts: number;
}

export interface HostLink {
  readonly hostId: number;
  /** Pairs of a page here and a page there with a link between them. */
  readonly links: number;
}

/**
 * The edges of every page. Links with rel=nofollow are kept but count nowhere; nor does a page's link to itself.
 * What is asked by target (anchor texts, in-degree) and by host is kept summed up beside the edges; replacing a page's
 * links changes the sums by the difference.
 */
export class LinkGraph {
  readonly #database: Database;
  readonly #texts: AnchorTexts;
  readonly #maxTextLength: number;

  /** @throws NewerVersionError */
  constructor(database: Database, options: LinkGraphOptions) {
    database.migrate(BOX, STEPS);
    this.#database = database;
    this.#texts = new AnchorTexts(database, options.textCacheEntries);
    this.#maxTextLength = options.maxTextLength;
  }

  /** Replaces all links of each page. Of a page that comes twice in a batch the last entry counts. */
  async putMany(pages: readonly PageLinks[]): Promise<void> {
    this.#database.transaction(() => {
      const changes = new AggregateChanges();
      for (const page of new Map(pages.map((entry) => [entry.sourceId, entry])).values()) this.#replace(page, changes);
      changes.write(this.#database);
    });
  }

  /** Forgets the links of pages; pages without any are passed over. */
  async removeMany(sourceIds: readonly number[]): Promise<void> {
    this.#database.transaction(() => {
      const changes = new AggregateChanges();
      for (const sourceId of sourceIds) {
        const row = this.#row(sourceId);
        if (row === undefined) continue;
        changes.add({ sourceId, sourceHost: row.source_host, edges: unpackEdges(row.edges, row.source_host) }, -1);
        this.#database.run('DELETE FROM page_links WHERE source_id = ?', sourceId);
      }
      changes.write(this.#database);
    });
  }

  /** The links of a page as they were put, in document order; empty when it has none or is unknown. */
  async linksOf(sourceId: number): Promise<PageLink[]> {
    const row = this.#row(sourceId);
    if (row === undefined) return [];
    return unpackEdges(row.edges, row.source_host).map(({ textId, ...edge }) => {
      return { ...edge, text: this.#texts.textOf(textId) };
    });
  }

  /**
   * Anchor texts of links to each target: at most `limit` texts, those used by most hosts first, then by most pages.
   * The lists stand in the order of the ids.
   */
  async anchorsOf(targetIds: readonly number[], limit: number): Promise<Anchor[][]> {
    return targetIds.map((targetId) =>
      this.#database.all<Anchor>(ANCHORS_OF, targetId, limit).map((row) => ({ ...row })),
    );
  }

  /** Distinct pages and hosts that link to each target, in the order of the ids. */
  async inDegrees(targetIds: readonly number[]): Promise<InDegree[]> {
    const sql = `SELECT coalesce(sum(pages), 0) AS pages, count(*) AS hosts FROM anchors
      WHERE target_id = ? AND text_id = 0`;
    return targetIds.map((targetId) => ({ pages: 0, hosts: 0, ...this.#database.get<InDegree>(sql, targetId) }));
  }

  /** Other hosts that a host links to, by id. */
  async hostsLinkedFrom(hostId: number): Promise<HostLink[]> {
    const sql = 'SELECT target_host AS hostId, links FROM host_links WHERE source_host = ? ORDER BY target_host';
    return this.#database.all<HostLink>(sql, hostId).map((row) => ({ ...row }));
  }

  /** Other hosts that link to a host, by id. */
  async hostsLinkingTo(hostId: number): Promise<HostLink[]> {
    const sql = 'SELECT source_host AS hostId, links FROM host_links WHERE target_host = ? ORDER BY source_host';
    return this.#database.all<HostLink>(sql, hostId).map((row) => ({ ...row }));
  }

  /** All pages with their links that pass credit. Takes memory by the edge: not for the thread that crawls. */
  pageGraph(): Graph {
    const builder = new GraphBuilder();
    const rows = this.#database.iterate<{ source_id: number; edges: Uint8Array }>(
      'SELECT source_id, edges FROM page_links ORDER BY source_id',
    );
    for (const { source_id, edges } of rows) forEachFollowedTarget(edges, (target) => builder.add(source_id, target));
    return builder.build();
  }

  /** Hosts with the links between them, weighted by their number. */
  hostGraph(): Graph {
    const builder = new GraphBuilder();
    const rows = this.#database.iterate<{ source_host: number; target_host: number; links: number }>(
      'SELECT source_host, target_host, links FROM host_links',
    );
    for (const row of rows) builder.addWeighted(row.source_host, row.target_host, row.links);
    return builder.build();
  }

  #replace(page: PageLinks, changes: AggregateChanges): void {
    const { sourceId, sourceHost, links } = page;
    const edges = links.map((link) => this.#edgeOf(link));
    const packed = packEdges(edges, sourceHost);
    const before = this.#row(sourceId);
    if (before !== undefined) {
      if (before.source_host === sourceHost && Buffer.compare(before.edges, packed) === 0) return;
      const { source_host: host, edges: bytes } = before;
      changes.add({ sourceId, sourceHost: host, edges: unpackEdges(bytes, host) }, -1);
    }
    changes.add({ sourceId, sourceHost, edges }, 1);
    this.#database.run(
      'INSERT OR REPLACE INTO page_links (source_id, source_host, edges) VALUES (?, ?, ?)',
      sourceId,
      sourceHost,
      packed,
    );
  }

  #edgeOf({ text, ...link }: PageLink): Edge {
    return { ...link, textId: this.#texts.idOf(cut(text, this.#maxTextLength)) };
  }

  #row(sourceId: number): { readonly source_host: number; readonly edges: Uint8Array } | undefined {
    return this.#database.get('SELECT source_host, edges FROM page_links WHERE source_id = ?', sourceId);
  }
}

const ANCHORS_OF = `SELECT t.text, sum(a.pages) AS pages, sum(a.main) AS main, count(*) AS hosts
  FROM anchors a JOIN anchor_texts t ON t.id = a.text_id
  WHERE a.target_id = ? AND a.text_id > 0 GROUP BY a.text_id ORDER BY hosts DESC, pages DESC, a.text_id LIMIT ?`;

/** Not through a surrogate pair: half of one would not survive UTF-8. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length).toWellFormed();
}
