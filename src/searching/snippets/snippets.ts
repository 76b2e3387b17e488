import { analyse } from '../../text/text.ts';

/** A term of the query as snippets see it. */
export interface SoughtTerm {
  readonly terms: readonly string[];
  readonly idf: number;
}

export interface SnippetRequest {
  /** Stored text: blocks separated by line feeds. */
  readonly text: string;
  /** ISO 639 primary subtag or 'und': how the text was analysed. */
  readonly language: string;
  readonly sought: readonly SoughtTerm[];
  /** UTF-16 units of the whole snippet. */
  readonly maxLength: number;
}

export interface Snippet {
  /** Plain text, not escaped; fragments are joined by {@link GAP}. */
  readonly text: string;
  /** Pairs of offsets in UTF-16 units, ascending, not overlapping. */
  readonly highlights: readonly (readonly [number, number])[];
}

/** Stands where text was left out. */
export const GAP = ' … ';
/** UTF-16 units of one fragment when there are two. */
const FRAGMENT = 150;
/** UTF-16 units of a long line read at once, and of the text at most. */
const READ_STEP = 4_000;
const READ_MOST = 100_000;
/** Units analysed after which the places found so far must do. */
const ENOUGH = 16_000;
/** Places of sought terms looked at. */
const MAX_PLACES = 400;

interface Place {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

interface Fragment {
  readonly start: number;
  readonly end: number;
  readonly places: readonly Place[];
}

/**
 * The passage or two that show best why a document matches (Tombros and Sanderson 1998): distinct sought terms by idf,
 * neighbours, headings, early places; the second passage is chosen for what the first lacks.
 */
export function makeSnippet(request: SnippetRequest): Snippet {
  const { maxLength } = request;
  if (maxLength <= 0 || request.text === '') return { text: '', highlights: [] };
  const places = findPlaces(request);
  const needed = (places.at(-1)?.end ?? 0) + 4 * maxLength;
  const text = request.text.slice(0, safeCut(request.text, needed)).replace(/[\s\u0000-\u001F]/g, ' ');
  if (places.length === 0) return render(request, [fragmentAt(text, 0, maxLength, [])], maxLength);
  const length = Math.min(maxLength, FRAGMENT);
  const first = best(request, text, places, { length, seen: new Set() });
  const rest = maxLength - (first.end - first.start) - GAP.length * 3;
  const seen = new Set(first.places.map((place) => place.term));
  const others = places.filter((place) => !seen.has(place.term) && outside(place, first, rest));
  if (rest < 40 || others.length === 0) {
    const wide = best(request, text, places, { length: maxLength - GAP.length * 2, seen: new Set() });
    return render(request, [wide], maxLength);
  }
  const second = best(request, text, others, { length: Math.min(rest, length), seen });
  const apart = second.start >= first.end || second.end <= first.start;
  return render(request, apart ? [first, second].sort((a, b) => a.start - b.start) : [first], maxLength);
}

/** Text cut at a word boundary to at most `maxLength` UTF-16 units, highlights cut with it. */
export function cutSnippet(snippet: Snippet, maxLength: number): Snippet {
  if (snippet.text.length <= maxLength) return snippet;
  const text = maxLength <= 0 ? '' : snippet.text.slice(0, wordEnd(snippet.text, maxLength));
  return { text, highlights: snippet.highlights.filter(([, to]) => to <= text.length) };
}

function findPlaces({ text, language, sought }: SnippetRequest): Place[] {
  const forms = sought.flatMap(({ terms }) => terms);
  const places = placesIn(text, language, sought, probeFor(forms));
  // Irregular forms share no beginning with their stem: then every line is read.
  const found = places.length > 0 || forms.length === 0 ? places : placesIn(text, language, sought, /[^\s]/g);
  // A name kept whole comes before its parts, so that it is marked in one piece.
  return found.sort((a, b) => a.start - b.start || b.end - a.end).slice(0, MAX_PLACES);
}

/** Reads the lines that the probe finds something in, until every sought term was met. */
function placesIn(text: string, language: string, sought: readonly SoughtTerm[], probe: RegExp): Place[] {
  const termOf = new Map(sought.flatMap(({ terms }, i) => terms.map((term) => [term, i] as const)));
  const places: Place[] = [];
  const met = new Set<number>();
  const end = Math.min(text.length, READ_MOST);
  let read = 0;
  const isDone = (): boolean =>
    met.size === sought.length || places.length >= MAX_PLACES || (read > ENOUGH && places.length > 0);
  for (let from = 0; from < end && !isDone(); ) {
    probe.lastIndex = from;
    const hit = probe.exec(text);
    if (hit === null || hit.index >= end) break;
    const start = Math.max(from, lineStart(text, hit.index));
    const to = lineEnd(text, Math.max(start, hit.index), end);
    for (const token of analyse(text.slice(start, to), language)) {
      const term = termOf.get(token.term);
      if (term === undefined) continue;
      met.add(term);
      places.push({ start: start + token.start, end: start + token.end, term });
    }
    read += to - start;
    from = to + 1;
  }
  return places;
}

/**
 * Finds what may be a form of one of the terms: most of its letters, or any letter outside ASCII, whose forms are many.
 * Only a filter: the text analysis decides.
 */
function probeFor(terms: readonly string[]): RegExp {
  const beginnings = terms.map((term) => term.slice(0, Math.max(2, term.length - 2)).replace(/[^a-z0-9]+.*$/s, ''));
  const ascii = beginnings.filter((beginning) => beginning !== '');
  return new RegExp([...new Set(ascii), '[^\\x00-\\xbf\\u2010-\\u205e\\u2190-\\u2bff]'].join('|'), 'gi');
}

/** Start of the line that holds `at`; in a very long line, of a word some way before it. */
function lineStart(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at) + 1;
  return at - line <= READ_STEP ? line : Math.max(line, text.lastIndexOf(' ', at - 200) + 1);
}

/** End of the line that holds `at`; of a very long line a stretch, so that no word is cut. */
function lineEnd(text: string, at: number, end: number): number {
  const line = text.indexOf('\n', at);
  if (line >= 0 && line < at + 2 * READ_STEP) return line;
  const space = text.indexOf(' ', at + READ_STEP);
  if (space >= 0 && space < at + 2 * READ_STEP) return space;
  return Math.min(line < 0 ? end : line, safeCut(text, at + 2 * READ_STEP));
}

function best(
  request: SnippetRequest,
  text: string,
  places: readonly Place[],
  { length, seen }: { readonly length: number; readonly seen: ReadonlySet<number> },
): Fragment {
  let found = fragmentAt(text, places[0]?.start ?? 0, length, places);
  let most = -1;
  for (let i = 0; i < places.length; i++) {
    const fragment = fragmentAt(text, places[i]?.start ?? 0, length, places, i);
    const score = scoreOf(fragment, request, seen);
    if (score > most) {
      most = score;
      found = fragment;
    }
  }
  return found;
}

function scoreOf(fragment: Fragment, { sought, text }: SnippetRequest, seen: ReadonlySet<number>): number {
  const distinct = new Set<number>();
  let score = 0;
  let last: Place | undefined;
  for (const place of fragment.places) {
    const idf = sought[place.term]?.idf ?? 0;
    if (!distinct.has(place.term) && !seen.has(place.term)) score += idf;
    distinct.add(place.term);
    const adjacent = last !== undefined && place.start - last.end <= 2 && place.term !== last.term;
    if (adjacent) score += 0.5 * Math.min(idf, sought[last?.term ?? 0]?.idf ?? 0);
    last = place;
  }
  const lineEnd = text.indexOf('\n', fragment.places[0]?.end ?? fragment.start);
  const heading = lineEnd >= 0 && lineEnd - fragment.start < 80 && !/[.,;:]/.test(text[lineEnd - 1] ?? '');
  return score + (heading ? 0.2 : 0) - (0.1 * fragment.start) / Math.max(1, text.length);
}

/** A fragment that shows the place: from the start of its sentence if that is near, else some words before it. */
function fragmentAt(text: string, place: number, length: number, places: readonly Place[], first = 0): Fragment {
  const start = fragmentStart(text, place, Math.floor(length / 2));
  const end = start + length >= text.length ? text.length : wordEnd(text, start + length, place + 1);
  const inside: Place[] = [];
  for (let i = Math.max(0, first - 20); i < places.length; i++) {
    const other = places[i];
    if (other === undefined || other.start >= end) break;
    if (other.start >= start && other.end <= end) inside.push(other);
  }
  return { start, end, places: inside };
}

function fragmentStart(text: string, place: number, reach: number): number {
  const low = Math.max(0, place - reach);
  for (let i = place; i > low; i--) {
    if (i === 0 || (text[i - 1] === ' ' && /[.!?。！？]/.test(text[i - 2] ?? ''))) return i;
  }
  if (low === 0) return 0;
  const space = text.indexOf(' ', Math.max(0, place - Math.min(reach, 40)));
  return space >= 0 && space < place ? space + 1 : safeCut(text, Math.max(0, place - 20));
}

/** Last word boundary at or before `most`, but not before `least`; mid-word where there is none near. */
function wordEnd(text: string, most: number, least = 0): number {
  if (most >= text.length || text[most] === ' ') return Math.min(most, text.length);
  const space = text.lastIndexOf(' ', most);
  return space > Math.max(least, most - 40) ? space : safeCut(text, most);
}

/** Never between the halves of a surrogate pair. */
function safeCut(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

function outside(place: Place, fragment: Fragment, margin: number): boolean {
  return place.start > fragment.end + Math.min(margin, 20) || place.end < fragment.start - Math.min(margin, 20);
}

/** The fragments with every sought word in them marked; what stood on lines of its own is set apart. */
function render(request: SnippetRequest, fragments: readonly Fragment[], maxLength: number): Snippet {
  const { text } = request;
  let out = '';
  const highlights: [number, number][] = [];
  for (const { start, end } of fragments) {
    if (out !== '') out += GAP;
    else if (start > 0) out += GAP.trimStart();
    let isFirst = true;
    for (let from = start; from < end; ) {
      const to = Math.min(end, lineEnd(text, from, end));
      const line = text.slice(from, to).replace(/[\s\u0000-\u001F]/g, ' ');
      if (line.trim() !== '') {
        if (!isFirst) out += /[.!?:;,…。！？]["'”’»)\]]*\s*$/.test(out) ? ' ' : ' · ';
        for (const [at, till] of wordsIn(line, request)) mark(highlights, out.length + at, out.length + till);
        out += line;
        isFirst = false;
      }
      from = to + 1;
    }
  }
  if ((fragments.at(-1)?.end ?? 0) < text.length) out += /[.…]\s*$/.test(out) ? ' …' : GAP.trimEnd();
  return cutSnippet({ text: out, highlights }, maxLength);
}

/** Where sought words stand in a line; a name kept whole before its parts. */
function wordsIn(line: string, { language, sought }: SnippetRequest): (readonly [number, number])[] {
  const terms = new Set(sought.flatMap((term) => term.terms));
  const found = analyse(line, language).filter((token) => terms.has(token.term));
  return found.map(({ start, end }) => [start, end] as const).sort((x, y) => x[0] - y[0] || y[1] - x[1]);
}

/** Adds a highlight; one that overlaps the last is joined with it. */
function mark(highlights: [number, number][], from: number, to: number): void {
  const last = highlights.at(-1);
  if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
  else highlights.push([from, to]);
}
