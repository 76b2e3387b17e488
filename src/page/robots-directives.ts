import { parseDate } from '../kit/dates.ts';
import type { RobotsDirectives } from '../model/page.ts';

/** One `<meta name=robots>` (or named after a robot), or one X-Robots-Tag header line. */
export interface RobotsValue {
  readonly source: 'meta' | 'header';
  /** For `meta`: its name attribute; missing = for every robot. Header lines carry the robot inside `content`. */
  readonly agent?: string | undefined;
  /** Header lines are best passed one by one; a line break inside separates lines as well. */
  readonly content: string;
}

interface Collected {
  index: boolean;
  follow: boolean;
  archive: boolean;
  snippet: boolean;
  unavailableAfter: number | undefined;
  maxSnippet: number | undefined;
}

/**
 * Merges what meta elements and X-Robots-Tag headers say to `agent` (a product token, any case); the most
 * restrictive wins. Tokens are compared whole and unknown ones ignored. Whether `unavailableAfter` has passed is
 * the caller's question, who knows the time. Source: Google's robots meta tag specification.
 */
export function parseRobotsDirectives(values: readonly RobotsValue[], agent: string): RobotsDirectives {
  const collected: Collected = {
    index: true,
    follow: true,
    archive: true,
    snippet: true,
    unavailableAfter: undefined,
    maxSnippet: undefined,
  };
  const own = agent.toLowerCase();
  for (const value of values) {
    if (value.source === 'header') {
      for (const line of value.content.split('\n')) readLine(line, own, collected, value.source);
    } else if (isFor(value.agent ?? '', own)) {
      readLine(value.content, own, collected, value.source);
    }
  }
  const { unavailableAfter, maxSnippet, ...rest } = collected;
  return {
    ...rest,
    ...(unavailableAfter === undefined ? {} : { unavailableAfter }),
    ...(maxSnippet === undefined ? {} : { maxSnippet }),
  };
}

const BARE: ReadonlySet<string> = new Set([
  'all',
  'none',
  'index',
  'noindex',
  'follow',
  'nofollow',
  'archive',
  'noarchive',
  'nocache',
  'snippet',
  'nosnippet',
  'noimageindex',
  'notranslate',
  'indexifembedded',
  'nositelinkssearchbox',
  'noodp',
  'noydir',
]);
const VALUED: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

function isFor(agent: string, own: string): boolean {
  const name = agent.trim().toLowerCase();
  return name === '' || name === '*' || name === 'robots' || name === own;
}

function readLine(line: string, own: string, into: Collected, source: RobotsValue['source']): void {
  const pieces = line.split(/[,;]/);
  let applies = true;
  for (let i = 0; i < pieces.length; i++) {
    let piece = (pieces[i] ?? '').trim();
    if (source === 'header') {
      const prefix = agentPrefix(piece);
      if (prefix !== undefined) {
        applies = isFor(prefix.agent, own);
        piece = prefix.rest;
      }
    }
    const colon = piece.indexOf(':');
    const name = (colon < 0 ? piece : piece.slice(0, colon)).trim().toLowerCase();
    if (colon >= 0 && name === 'unavailable_after') {
      const date = joinDate(piece.slice(colon + 1), pieces, i + 1);
      i += date.used;
      if (applies) addDate(into, parseDate(date.text));
    } else if (applies) {
      if (colon >= 0) addValued(into, name, piece.slice(colon + 1));
      else addBare(into, name);
    }
  }
}

/** `robot: directive`. What follows the colon must be a directive, or an unknown `name: value` would pass for a robot. */
function agentPrefix(piece: string): { agent: string; rest: string } | undefined {
  const match = /^([A-Za-z*][\w*-]*)\s*:(.*)$/s.exec(piece);
  if (match === null) return undefined;
  const agent = match[1] ?? '';
  const rest = (match[2] ?? '').trim();
  const first = /^[\w-]*/.exec(rest.toLowerCase())?.[0] ?? '';
  if (VALUED.has(agent.toLowerCase())) return undefined;
  return first === '' || BARE.has(first) || VALUED.has(first) ? { agent, rest } : undefined;
}

/** A date may hold commas ('Friday, 25-Jun-10 15:00:00 PST'): following pieces that start with a digit belong to it. */
function joinDate(start: string, pieces: readonly string[], next: number): { text: string; used: number } {
  let text = start.trim();
  let used = 0;
  while (used < 3) {
    const piece = (pieces[next + used] ?? '').trim();
    if (!/^\d/.test(piece)) break;
    text = text === '' ? piece : `${text}, ${piece}`;
    used++;
  }
  return { text, used };
}

function addDate(into: Collected, date: number | undefined): void {
  if (date !== undefined) into.unavailableAfter = Math.min(date, into.unavailableAfter ?? date);
}

function addValued(into: Collected, name: string, value: string): void {
  if (name !== 'max-snippet' || !/^\s*-?\d+\s*$/.test(value)) return;
  const length = Number(value);
  if (length === 0) into.snippet = false;
  if (length >= 0) into.maxSnippet = Math.min(length, into.maxSnippet ?? length);
}

function addBare(into: Collected, piece: string): void {
  const words = piece.split(/\s+/);
  // 'noindex nofollow' without a comma is a common slip; prose that happens to hold such a word is not a directive.
  if (!words.every((word) => BARE.has(word))) return;
  for (const word of words) {
    if (word === 'noindex' || word === 'none') into.index = false;
    if (word === 'nofollow' || word === 'none') into.follow = false;
    if (word === 'noarchive' || word === 'nocache') into.archive = false;
    if (word === 'nosnippet') into.snippet = false;
  }
}
