/** A refresh as written: the target is not resolved; empty = the page itself. */
export interface Refresh {
  readonly seconds: number;
  readonly target: string;
}

/**
 * Parses the value of a Refresh header or of `<meta http-equiv=refresh content>`: HTML standard, "shared declarative
 * refresh steps". undefined when browsers would ignore it.
 */
export function parseRefresh(value: string): Refresh | undefined {
  const time = /^[\t\n\f\r ]*(\d*)([\d.]*)/.exec(value);
  const digits = time?.[1] ?? '';
  const rest = value.slice(time?.[0].length ?? 0);
  if (digits === '' && !(time?.[2] ?? '').startsWith('.')) return undefined;
  const seconds = digits === '' ? 0 : Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
  if (rest === '') return { seconds, target: '' };
  if (!/^[\t\n\f\r ;,]/.test(rest)) return undefined;
  const after = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/.exec(rest)?.[0].length ?? 0;
  return { seconds, target: unquote(rest.slice(after)) };
}

/** The part of the steps from the optional `url=` on. */
function unquote(text: string): string {
  const named = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(text);
  const value = named === null ? text : text.slice(named[0].length);
  const quote = value.charAt(0);
  if (quote !== '"' && quote !== "'") return value.trim();
  const close = value.indexOf(quote, 1);
  return (close < 0 ? value.slice(1) : value.slice(1, close)).trim();
}
