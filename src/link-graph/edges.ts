import type { LinkPosition } from '../model/page.ts';

/** An edge with its text replaced by a number; 0 = no text. */
export interface Edge {
  readonly targetId: number;
  readonly targetHost: number;
  readonly textId: number;
  readonly nofollow: boolean;
  readonly position: LinkPosition;
}

/** Order in the packed form: part of the file format, append only. */
const POSITIONS: readonly LinkPosition[] = ['main', 'nav', 'header', 'footer', 'aside', 'form', 'other'];

const POSITION_BITS = 0b111;
const NOFOLLOW_BIT = 0b1000;
const OTHER_HOST_BIT = 0b1_0000;

/**
 * Packs edges in the order given: flags, target as a signed difference to the one before, text number, and the target's
 * host where it is another one; all numbers as variable-length integers (LEB128).
 */
export function packEdges(edges: readonly Edge[], sourceHost: number): Uint8Array {
  const bytes = new Uint8Array(edges.length * LONGEST_EDGE);
  let length = 0;
  let before = 0;
  const write = (value: number): void => {
    while (value >= 0x80) {
      bytes[length++] = (value % 0x80) | 0x80;
      value = Math.floor(value / 0x80);
    }
    bytes[length++] = value;
  };
  for (const edge of edges) {
    const otherHost = edge.targetHost !== sourceHost;
    const flags = POSITIONS.indexOf(edge.position) | (edge.nofollow ? NOFOLLOW_BIT : 0);
    bytes[length++] = flags | (otherHost ? OTHER_HOST_BIT : 0);
    const difference = edge.targetId - before;
    before = edge.targetId;
    write(difference >= 0 ? difference * 2 : -difference * 2 - 1);
    write(edge.textId);
    if (otherHost) write(edge.targetHost);
  }
  return bytes.slice(0, length);
}

/** Flags and three integers of up to 53 bits. */
const LONGEST_EDGE = 1 + 3 * 8;

export function unpackEdges(bytes: Uint8Array, sourceHost: number): Edge[] {
  const edges: Edge[] = [];
  walkEdges(bytes, (targetId, flags, { textId, targetHost }) => {
    edges.push({
      targetId,
      targetHost: targetHost ?? sourceHost,
      textId,
      nofollow: (flags & NOFOLLOW_BIT) !== 0,
      position: POSITIONS[flags & POSITION_BITS] ?? 'other',
    });
  });
  return edges;
}

/** Targets of the links that pass credit, without making an object an edge. May name a target more than once. */
export function forEachFollowedTarget(bytes: Uint8Array, visit: (targetId: number) => void): void {
  let at = 0;
  let target = 0;
  while (at < bytes.length) {
    const flags = bytes[at++] ?? 0;
    let value = 0;
    let scale = 1;
    let byte = 0x80;
    while (byte >= 0x80) {
      byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    }
    target += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    while ((bytes[at++] ?? 0) >= 0x80);
    if ((flags & OTHER_HOST_BIT) !== 0) while ((bytes[at++] ?? 0) >= 0x80);
    if ((flags & NOFOLLOW_BIT) === 0) visit(target);
  }
}

interface RestOfEdge {
  readonly textId: number;
  readonly targetHost: number | undefined;
}

function walkEdges(bytes: Uint8Array, visit: (targetId: number, flags: number, rest: RestOfEdge) => void): void {
  let at = 0;
  let target = 0;
  const read = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  };
  while (at < bytes.length) {
    const flags = bytes[at++] ?? 0;
    const difference = read();
    target += difference % 2 === 0 ? difference / 2 : -(difference + 1) / 2;
    const textId = read();
    visit(target, flags, { textId, targetHost: (flags & OTHER_HOST_BIT) !== 0 ? read() : undefined });
  }
}
