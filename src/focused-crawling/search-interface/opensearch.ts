import { Parser } from 'htmlparser2';

/** The HTML search URL of an OpenSearch 1.1 description. */
export interface OpenSearchDescription {
  readonly method: 'GET' | 'POST';
  /** Holds {searchTerms} and further parameters in braces. */
  readonly template: string;
  /** Fields of a POST request, values with parameters in braces. */
  readonly fields: readonly (readonly [string, string])[];
}

/** The first URL of a description that gives an HTML page of results; undefined when there is none. */
export function parseOpenSearch(xml: string): OpenSearchDescription | undefined {
  let open: { method: 'GET' | 'POST'; template: string; fields: [string, string][] } | undefined;
  let found: OpenSearchDescription | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = localName(name);
        if (tag === 'url' && found === undefined && isResults(attributes)) {
          const method = (attributes['method'] ?? '').toUpperCase() === 'POST' ? 'POST' : 'GET';
          open = { method, template: attributes['template'] ?? '', fields: [] };
        } else if (tag === 'param' && open !== undefined) {
          open.fields.push([attributes['name'] ?? '', attributes['value'] ?? '']);
        }
      },
      onclosetag(name) {
        if (localName(name) !== 'url' || open === undefined) return;
        found = withFields(open);
        open = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return found;
}

function isResults(attributes: Readonly<Record<string, string>>): boolean {
  const { rel = 'results', type = '', template = '' } = attributes;
  return type.startsWith('text/html') && rel.split(/\s+/).includes('results') && /^https?:/i.test(template);
}

/** Parameters of a GET belong into the URL. Without {searchTerms} anywhere the description is of no use. */
function withFields(url: OpenSearchDescription): OpenSearchDescription | undefined {
  const query = url.fields.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&');
  const joined = `${url.template}${url.template.includes('?') ? '&' : '?'}${query}`;
  const merged = url.method === 'GET' && query !== '' ? { ...url, template: joined, fields: [] } : url;
  const everything = merged.template + merged.fields.map(([, value]) => value).join('');
  return everything.includes('{searchTerms') ? merged : undefined;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
