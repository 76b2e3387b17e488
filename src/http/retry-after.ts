/**
 * Milliseconds since 1970 that a Retry-After value asks to wait for (RFC 9110 §10.2.3: seconds or HTTP-date), never
 * before `now` nor later than `now + maxMs`. Undefined when it is neither.
 */
export function retryAfter(value: string | undefined, now: number, maxMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const at = /^\d+(?:\.\d+)?$/.test(text) ? now + Number(text) * 1000 : parseHttpDate(text);
  if (at === undefined) return undefined;
  return Math.round(Math.min(Math.max(at, now), now + maxMs));
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Milliseconds since 1970 of the three HTTP-date forms (RFC 9110 §5.6.7): IMF-fixdate, RFC 850, asctime. Two-digit years
 * follow RFC 6265 §5.1.1: 70–99 are 19xx, 00–69 are 20xx.
 */
export function parseHttpDate(text: string): number | undefined {
  const usual = /^(?:[a-z]+,\s*)?(\d{1,2})[\s-]([a-z]{3})[\s-](\d{4}|\d{2})\s+(\d{1,2}):(\d{2}):(\d{2})/i.exec(text);
  if (usual !== null) {
    const [, day, month, year, ...time] = usual;
    return toTime([year, month, day, ...time]);
  }
  const asctime = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(\d{4})$/i.exec(text);
  if (asctime === null) return undefined;
  const [, month, day, hour, minute, second, year] = asctime;
  return toTime([year, month, day, hour, minute, second]);
}

function toTime(parts: readonly (string | undefined)[]): number | undefined {
  const [year = '', monthName = '', day, hour, minute, second] = parts;
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month < 0) return undefined;
  const short = Number(year);
  const full = year.length === 2 ? short + (short < 70 ? 2000 : 1900) : short;
  const time = Date.UTC(full, month, Number(day), Number(hour), Number(minute), Number(second));
  return new Date(time).getUTCDate() === Number(day) ? time : undefined;
}
