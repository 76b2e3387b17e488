const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Minutes east of Greenwich of the zone names of RFC 822 and of some common others. */
const ZONES: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  bst: 60,
  cet: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  jst: 540,
};

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * Reads W3C-DTF / ISO 8601 ('2015', '2015-12', '2015-12-22', '2015-12-22T05:31-01:00', fractions of seconds),
 * RFC 822 / 1123 ('Fri, 25 Jun 2010 15:00:00 PST'), RFC 850 ('Friday, 25-Jun-10 15:00:00 PST') and asctime dates.
 * No zone means UTC. Returns milliseconds since 1970, or undefined for anything else, impossible days included.
 */
export function parseDate(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > 80) return undefined;
  return parseIso(trimmed) ?? parseNamedMonth(trimmed.toLowerCase());
}

const ISO =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ]\s?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}:?(?:\d{2})?|[a-z]{3,4})?)?)?)?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?(?:\d{2})?)?)?$/i;

function parseIso(text: string): number | undefined {
  const extended = ISO.exec(text);
  const compact = extended === null ? COMPACT.exec(text) : null;
  const match = extended ?? compact;
  if (match === null) return undefined;
  const part = (index: number, missing: number): number =>
    match[index] === undefined ? missing : Number(match[index]);
  const zone = zoneMinutes(match[extended === null ? 7 : 8] ?? 'z');
  const milliseconds = extended?.[7] === undefined ? 0 : Math.trunc(Number(`0.${extended[7]}`) * 1000);
  const parts = {
    year: part(1, 0),
    month: part(2, 1) - 1,
    day: part(3, 1),
    hour: part(4, 0),
    minute: part(5, 0),
    second: part(6, 0),
  };
  const utc = toUtc(parts);
  return utc === undefined || zone === undefined ? undefined : utc - zone * 60_000 + milliseconds;
}

/** Any order of day, month name, year, time and zone: covers RFC 822, RFC 850, asctime and their sloppy writers. */
function parseNamedMonth(text: string): number | undefined {
  const tokens = text.split(/[\s,]+|(?<=[a-z0-9])-(?=[a-z0-9]*-|\d+(?:\s|$))/).filter((token) => token !== '');
  let month = -1;
  let zone = 0;
  const numbers: number[] = [];
  let time: readonly [number, number, number] = [0, 0, 0];
  for (const token of tokens) {
    const named = monthIndex(token);
    const clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/.exec(token);
    const minutes = zoneMinutes(token);
    if (named >= 0) month = named;
    else if (clock !== null) time = [Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0)];
    else if (/^\d{1,4}(?:st|nd|rd|th)?$/.test(token)) numbers.push(Number.parseInt(token, 10));
    else if (minutes !== undefined) zone = minutes;
    else if (!/^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?$/.test(token)) return undefined;
  }
  const [day, year] = numbers;
  if (month < 0 || day === undefined || year === undefined || numbers.length > 2) return undefined;
  const utc = toUtc({ year: fullYear(year), month, day, hour: time[0], minute: time[1], second: time[2] });
  return utc === undefined ? undefined : utc - zone * 60_000;
}

function monthIndex(token: string): number {
  const name = token.endsWith('.') ? token.slice(0, -1) : token;
  return name.length < 3 ? -1 : MONTHS.findIndex((month) => month.startsWith(name));
}

/** RFC 2822 §4.3: 00–49 are of this century, 50–99 of the last. */
function fullYear(year: number): number {
  if (year >= 100) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

function zoneMinutes(zone: string): number | undefined {
  const name = zone.toLowerCase();
  if (Object.hasOwn(ZONES, name)) return ZONES[name];
  const offset = /^(?:gmt|utc)?([+-])(\d{2}):?(\d{2})?$/.exec(name);
  if (offset === null) return undefined;
  const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
  return offset[1] === '-' ? -minutes : minutes;
}

function toUtc(parts: Parts): number | undefined {
  const { year, month, day, hour, minute, second } = parts;
  if (month < 0 || month > 11 || day < 1 || hour > 24 || minute > 59 || second > 60) return undefined;
  if (day > new Date(Date.UTC(year, month + 1, 0)).getUTCDate()) return undefined;
  return Date.UTC(year, month, day, hour, minute, second);
}
