export interface TrapShapeOptions {
  /** Path segments of the deepest real page. */
  readonly maxSegments: number;
  /** Query parameters of the most particular real page. */
  readonly maxParameters: number;
  /** Values that may be chosen at once in filters named alike (`f[0]=…&f[1]=…`). */
  readonly maxFacets: number;
  /** Years after now that a dated page may lie ahead. */
  readonly yearsAhead: number;
  /** Years before now that a page of an events calendar may lie back; archives by date are not bounded. */
  readonly calendarYearsBack: number;
}

/**
 * Looks for the shape of generated URL spaces in a key; returns what was seen, or undefined. Sources of the kinds:
 * Heritrix PathologicalPathDecideRule (repeated segments), BUbiNG (duplicate segments), Nutch and StormCrawler filters.
 *
 * @param year the current one.
 */
export function findTrapShape(key: string, year: number, options: TrapShapeOptions): string | undefined {
  const { segments, parameters } = splitKey(key);
  if (segments.length > options.maxSegments) return `${segments.length} path segments`;
  if (parameters.length > options.maxParameters) return `${parameters.length} parameters`;
  return repeatedSegments(segments) ?? tooManyFacets(parameters, options.maxFacets) ?? farCalendar(key, year, options);
}

export interface KeyParts {
  /** Path segments without empty ones. */
  readonly segments: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

export function splitKey(key: string): KeyParts {
  const start = key.indexOf('/', key.indexOf('://') + 3);
  const query = key.indexOf('?', start);
  const path = query < 0 ? key.slice(start) : key.slice(start, query);
  const segments = path.split('/').filter((segment) => segment !== '');
  const parameters =
    query < 0
      ? []
      : key
          .slice(query + 1)
          .split('&')
          .map(splitParameter);
  return { segments, parameters };
}

/** `f[3]`, `f%5B3%5D` and `f[]` are one filter. */
export function facetName(name: string): string {
  return name.replace(/(?:\[|%5B)\d*(?:\]|%5D)$/, '[]');
}

function splitParameter(parameter: string): { name: string; value: string } {
  const equals = parameter.indexOf('=');
  return equals < 0
    ? { name: parameter, value: '' }
    : { name: parameter.slice(0, equals), value: parameter.slice(equals + 1) };
}

/** A run `x/x/x`, `x/y/x/y/x/y`, …, or many segments of which half are repetitions: relative links that pile up. */
function repeatedSegments(segments: readonly string[]): string | undefined {
  for (let period = 1; period <= 4; period++) {
    let equal = 0;
    for (let i = period; i < segments.length; i++) {
      const segment = segments[i] ?? '';
      equal = segment === segments[i - period] ? equal + 1 : 0;
      // Three times is a pattern; a number may stand three times in a row by chance (11/11/11).
      const needed = period === 1 && /^\d+$/.test(segment) ? 3 : period * 2;
      if (equal >= needed) return `path repeats ${segments.slice(i - period + 1, i + 1).join('/')}`;
    }
  }
  const distinct = new Set(segments).size;
  return segments.length >= 8 && distinct * 2 <= segments.length
    ? `${segments.length} path segments, ${distinct} different`
    : undefined;
}

function tooManyFacets(parameters: KeyParts['parameters'], maxFacets: number): string | undefined {
  if (parameters.length <= maxFacets) return undefined;
  const counts = new Map<string, number>();
  for (const { name } of parameters) {
    const facet = facetName(name);
    const count = (counts.get(facet) ?? 0) + 1;
    if (count > maxFacets) return `${count} values of ${facet}`;
    counts.set(facet, count);
  }
  return undefined;
}

/** `/2031/07` and `/2031-07` at the root of a site or below a word for an archive, `/2031-07-01` and `/20310701` anywhere. */
const DATED_FOLDER = /\/((?:1\d|2[01])\d\d)[/-](?:0[1-9]|1[0-2])(?=[/?-]|$)/;
const DATED_DAY = /\/((?:1\d|2[01])\d\d)(?:-(?:0[1-9]|1[0-2])-|(?:0[1-9]|1[0-2]))(?:[0-2]\d|3[01])(?=[/?]|$)/;
/** A bare number is a year only by the name of its parameter: `start=2050` counts results. */
const DATED_YEAR = /[?&](?:year|yr|jahr|annee|ano)=((?:1\d|2[01])\d\d)(?:&|$)/i;
const DATED_VALUE = /[?&][\w-]+=((?:1\d|2[01])\d\d)-(?:0?[1-9]|1[0-2])(?:-|&|T|$)/;
const YEAR = /(?:1\d|2[01])\d\d/;
const ARCHIVE_WORD = /[/?&_-](?:archives?|blogs?|news|events?|agenda|veranstaltungen)(?=[/?&=_.-]|$)/i;
const CALENDAR_WORD = /[/?&_-](?:calendars?|kalender|calendrier|calendario|tribe-bar-date)(?=[/?&=_.-]|$)/i;

function farCalendar(key: string, year: number, options: TrapShapeOptions): string | undefined {
  if (!YEAR.test(key)) return undefined;
  const isCalendar = CALENDAR_WORD.test(key);
  const folder = DATED_FOLDER.exec(key);
  const isRoot = folder !== null && folder.index === key.indexOf('/', key.indexOf('://') + 3);
  const isDated = isRoot || isCalendar || ARCHIVE_WORD.test(key);
  const found = (isDated ? folder : null) ?? DATED_DAY.exec(key) ?? DATED_YEAR.exec(key) ?? DATED_VALUE.exec(key);
  if (found === null) return undefined;
  const dated = Number(found[1]);
  if (dated > year + options.yearsAhead) return `dated ${dated}`;
  return isCalendar && dated < year - options.calendarYearsBack ? `calendar of ${dated}` : undefined;
}
