/** A schema.org SearchAction with a URL template and the name of its parameter. */
export interface SearchActionTemplate {
  readonly template: string;
  readonly parameter: string;
}

/** Nodes of JSON-LD looked at on one page. */
const MAX_NODES = 10_000;

/** All SearchActions of a page's JSON-LD blocks; a block that is not JSON has none. */
export function searchActionTemplates(blocks: readonly string[]): readonly SearchActionTemplate[] {
  const found = new Map<string, SearchActionTemplate>();
  let nodes = 0;
  const waiting: unknown[] = blocks.map(parseJson);
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    if (nodes++ > MAX_NODES) break;
    if (typeof node !== 'object' || node === null) continue;
    const action = Array.isArray(node) ? undefined : asAction(node);
    if (action !== undefined) found.set(action.template, action);
    waiting.push(...Object.values(node).filter((value) => typeof value === 'object' && value !== null));
  }
  return [...found.values()];
}

function asAction(node: object): SearchActionTemplate | undefined {
  const entries = new Map<string, unknown>(Object.entries(node));
  const type = entries.get('@type');
  if (type !== 'SearchAction' && !(Array.isArray(type) && type.includes('SearchAction'))) return undefined;
  const target = firstOf(entries.get('target'));
  const template = typeof target === 'string' ? target : property(target, 'urlTemplate');
  if (typeof template !== 'string' || !/^https?:/i.test(template)) return undefined;
  const parameter = parameterOf(entries.get('query-input'), entries.get('query')) ?? onlyParameter(template);
  return parameter !== undefined && template.includes(`{${parameter}}`) ? { template, parameter } : undefined;
}

/** 'required name=search_term_string', or the same as an object with valueName. */
function parameterOf(queryInput: unknown, query: unknown): string | undefined {
  const input = firstOf(queryInput);
  if (typeof input === 'string') return /(?:^|\s)name=([^\s]+)/.exec(input)?.[1];
  const name = property(input, 'valueName') ?? (typeof query === 'string' ? /^\{(.+)\}$/.exec(query)?.[1] : undefined);
  return typeof name === 'string' ? name : undefined;
}

function onlyParameter(template: string): string | undefined {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]);
  return names.length === 1 ? names[0] : undefined;
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Broken JSON-LD is common and says nothing.
    return null;
  }
}
