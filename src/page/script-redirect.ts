/** Longest script looked at, in UTF-16 units: redirects are one-liners. */
const MAX_SCRIPT_LENGTH = 4000;

const STATEMENT =
  /^(?:window\.|self\.|top\.|parent\.|document\.|globalThis\.)*location(?:\.href)?\s*(?:=\s*|\.(?:replace|assign)\s*\(\s*)(["'])([^"'\\\s]{1,2000})\1\s*\)?\s*$/;

/**
 * The target of a plain `location = '…'`, `location.replace('…')` or `location.assign('…')` that a script runs
 * unconditionally at its top level; undefined when it has none. As written, not resolved.
 */
export function scriptRedirect(script: string): string | undefined {
  if (script.length > MAX_SCRIPT_LENGTH || !script.includes('location')) return undefined;
  for (const statement of topLevelStatements(script)) {
    const match = STATEMENT.exec(statement);
    if (match?.[2] !== undefined) return match[2];
  }
  return undefined;
}

/** Statements outside any braces, comments removed; a statement that holds a block is not returned. */
function topLevelStatements(script: string): string[] {
  const statements: string[] = [];
  let current = '';
  let depth = 0;
  let at = 0;
  const end = () => {
    if (depth === 0 && current.trim() !== '') statements.push(current.trim());
    current = '';
  };
  while (at < script.length) {
    const character = script.charAt(at);
    const next = script.charAt(at + 1);
    if (character === '"' || character === "'" || character === '`') {
      const close = closingQuote(script, at);
      current += script.slice(at, close);
      at = close;
      continue;
    }
    if (character === '/' && (next === '/' || next === '*')) {
      const close = next === '/' ? script.indexOf('\n', at) : script.indexOf('*/', at);
      at = close < 0 ? script.length : next === '/' ? close : close + 2;
      continue;
    }
    if (script.startsWith('<!--', at)) {
      const close = script.indexOf('\n', at);
      at = close < 0 ? script.length : close;
      continue;
    }
    if (character === '{') {
      current = '';
      depth++;
    } else if (character === '}') {
      current = '';
      depth = Math.max(0, depth - 1);
    } else if (character === ';' || character === '\n') end();
    else current += character;
    at++;
  }
  end();
  return statements;
}

function closingQuote(script: string, open: number): number {
  const quote = script.charAt(open);
  for (let at = open + 1; at < script.length; at++) {
    if (script.charAt(at) === '\\') at++;
    else if (script.charAt(at) === quote) return at + 1;
  }
  return script.length;
}
