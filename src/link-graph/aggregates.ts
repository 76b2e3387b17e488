import type { Database } from '../kit/sqlite.ts';
import type { Edge } from './edges.ts';

export interface SourceEdges {
  readonly sourceId: number;
  readonly sourceHost: number;
  readonly edges: readonly Edge[];
}

/** By how much a batch changes the sums per target and per pair of hosts; written once, in the order of the tables. */
export class AggregateChanges {
  readonly #anchors = new Map<string, AnchorChange>();
  readonly #hosts = new Map<string, HostChange>();

  /** `sign`: 1 for edges that appear, -1 for edges that vanish. */
  add({ sourceId, sourceHost, edges }: SourceEdges, sign: 1 | -1): void {
    const inMain = new Map<string, boolean>();
    const targets = new Set<number>();
    for (const edge of edges) {
      if (edge.nofollow || edge.targetId === sourceId) continue;
      const main = edge.position === 'main';
      for (const textId of edge.textId === 0 ? [0] : [0, edge.textId]) {
        const key = `${edge.targetId} ${textId}`;
        inMain.set(key, main || inMain.get(key) === true);
      }
      if (targets.has(edge.targetId)) continue;
      targets.add(edge.targetId);
      if (edge.targetHost !== sourceHost) this.#addHostLink(sourceHost, edge.targetHost, sign);
    }
    for (const [key, main] of inMain) this.#addAnchor(key, sourceHost, { pages: sign, main: main ? sign : 0 });
  }

  write(database: Database): void {
    const anchors = [...this.#anchors.values()].filter(({ pages, main }) => pages !== 0 || main !== 0);
    for (const change of anchors.sort(byTarget)) {
      const { targetId, textId, sourceHost, pages, main } = change;
      database.run(ADD_ANCHOR, targetId, textId, sourceHost, pages, main);
      if (pages < 0) database.run(DROP_ANCHOR, targetId, textId, sourceHost);
    }
    const hosts = [...this.#hosts.values()].filter(({ links }) => links !== 0);
    for (const { sourceHost, targetHost, links } of hosts) {
      database.run(ADD_HOST_LINKS, sourceHost, targetHost, links);
      if (links < 0) database.run(DROP_HOST_LINKS, sourceHost, targetHost);
    }
  }

  #addAnchor(key: string, sourceHost: number, change: { readonly pages: number; readonly main: number }): void {
    const slot = `${key} ${sourceHost}`;
    const known = this.#anchors.get(slot);
    if (known !== undefined) {
      known.pages += change.pages;
      known.main += change.main;
      return;
    }
    const space = key.indexOf(' ');
    const targetId = Number(key.slice(0, space));
    const textId = Number(key.slice(space + 1));
    this.#anchors.set(slot, { targetId, textId, sourceHost, ...change });
  }

  #addHostLink(sourceHost: number, targetHost: number, change: number): void {
    const slot = `${sourceHost} ${targetHost}`;
    const known = this.#hosts.get(slot);
    if (known === undefined) this.#hosts.set(slot, { sourceHost, targetHost, links: change });
    else known.links += change;
  }
}

interface AnchorChange {
  readonly targetId: number;
  readonly textId: number;
  readonly sourceHost: number;
  pages: number;
  main: number;
}

interface HostChange {
  readonly sourceHost: number;
  readonly targetHost: number;
  links: number;
}

function byTarget(a: AnchorChange, b: AnchorChange): number {
  return a.targetId - b.targetId || a.textId - b.textId || a.sourceHost - b.sourceHost;
}

const ADD_ANCHOR = `INSERT INTO anchors (target_id, text_id, source_host, pages, main) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (target_id, text_id, source_host) DO UPDATE SET pages = pages + ?4, main = main + ?5`;
const DROP_ANCHOR = 'DELETE FROM anchors WHERE target_id = ? AND text_id = ? AND source_host = ? AND pages = 0';
const ADD_HOST_LINKS = `INSERT INTO host_links (source_host, target_host, links) VALUES (?1, ?2, ?3)
  ON CONFLICT (source_host, target_host) DO UPDATE SET links = links + ?3`;
const DROP_HOST_LINKS = 'DELETE FROM host_links WHERE source_host = ? AND target_host = ? AND links = 0';
