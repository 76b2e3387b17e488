import { SearchService } from '../engine/search-service.ts';
import type { SearchHit, SearchResult } from '../model/reports.ts';
import type { Command } from './command.ts';
import { isOn, numberOf } from './values.ts';

export const searchCommand: Command = {
  name: 'search',
  summary: 'search the collection',
  details: `Words are looked for together first. "exact words" keeps them together, -word leaves out, site:example.org
stays on one site. A query that begins with a minus goes behind --:
  winnow search -- '-draft report'`,
  args: [{ name: 'QUERY', help: 'words to look for', required: true, many: true }],
  options: [
    { name: 'limit', value: 'N', type: 'integer', min: 1, help: 'hits to show (default 10)' },
    { name: 'offset', value: 'N', type: 'integer', min: 0, help: 'hits to skip' },
    { name: 'explain', help: 'with the parts of every score' },
  ],
  async run({ args, options }, { config, dataDir }) {
    const service = new SearchService(dataDir, config);
    try {
      const result = await service.search({
        query: args.join(' '),
        limit: numberOf(options, 'limit') ?? config.search.limit,
        offset: numberOf(options, 'offset') ?? 0,
        explain: isOn(options, 'explain'),
      });
      return { kind: 'report', json: result, text: renderResult(result) };
    } finally {
      service.close();
    }
  },
};

function renderResult(result: SearchResult): string {
  const head = `${result.total} ${result.total === 1 ? 'page' : 'pages'}${result.relaxed ? ' with any of the words' : ''} in ${result.tookMs} ms`;
  const suggestion = result.suggestion === undefined ? [] : [`Did you mean: ${result.suggestion}`];
  return [head, ...suggestion, ...result.hits.flatMap(renderHit)].join('\n');
}

function renderHit(hit: SearchHit): string[] {
  const flag = hit.flagged === undefined ? '' : `  [flagged: ${hit.flagged}]`;
  const lines = ['', `${hit.title === '' ? hit.url : hit.title}${flag}`, `  ${hit.url}`];
  if (hit.snippet !== '') lines.push(`  ${hit.snippet.replace(/\s+/g, ' ')}`);
  if (hit.explanation !== undefined) lines.push(`  score ${hit.score.toFixed(3)} = ${JSON.stringify(hit.explanation)}`);
  return lines;
}
