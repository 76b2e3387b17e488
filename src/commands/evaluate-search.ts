import { UsageError } from '../config/errors.ts';
import { indexOptionsOf, searchOptionsOf } from '../engine/options.ts';
import { evaluateSearch, type RetrievalDocument } from '../evaluation/search.ts';
import type { Command } from './command.ts';
import { stringFields } from './json-lines.ts';
import { readFileFor } from './text-list.ts';
import { textOf } from './values.ts';

export const evaluateSearchCommand: Command = {
  name: 'search',
  summary: 'the ranking on a test collection',
  options: [
    { name: 'docs', value: 'F.jsonl', help: 'lines {"id", "title", "text"}' },
    { name: 'queries', value: 'F.jsonl', help: 'lines {"id", "text"}' },
    { name: 'qrels', value: 'F.tsv', help: 'query, document and gain, separated by tabs' },
  ],
  async run({ options }, { config }) {
    const named = (name: string): string => {
      const file = textOf(options, name);
      if (file === undefined) throw new UsageError(`--${name}: name a file`);
      return file;
    };
    const report = await evaluateSearch(
      {
        documents: readDocuments(named('docs')),
        queries: readQueries(named('queries')),
        judgements: readQrels(named('qrels')),
      },
      { index: indexOptionsOf(config), search: searchOptionsOf(config) },
    );
    const figures = Object.entries(report).map(
      ([name, value]) => `${name.padEnd(8)} ${name === 'queries' ? value : Number(value).toFixed(4)}`,
    );
    return { kind: 'report', json: report, text: figures.join('\n') };
  },
};

function readDocuments(file: string): RetrievalDocument[] {
  return jsonLines(file, '--docs', ['id', 'title', 'text']).map(({ id = '', title = '', text = '' }) => ({
    id,
    title,
    text,
  }));
}

function readQueries(file: string): { readonly id: string; readonly text: string }[] {
  return jsonLines(file, '--queries', ['id', 'text']).map(({ id = '', text = '' }) => ({ id, text }));
}

function readQrels(file: string): Map<string, Map<string, number>> {
  const judged = new Map<string, Map<string, number>>();
  lines(file, '--qrels').forEach((line, i) => {
    const [query, document, gain] = line.split('\t');
    if (query === undefined || document === undefined || gain === undefined || !Number.isFinite(Number(gain))) {
      throw new UsageError(`${file}:${i + 1}: not "query⇥document⇥gain"`);
    }
    const gains = judged.get(query) ?? new Map<string, number>();
    gains.set(document, Number(gain));
    judged.set(query, gains);
  });
  return judged;
}

function jsonLines(
  file: string,
  option: string,
  names: readonly string[],
): Readonly<Record<string, string | undefined>>[] {
  return lines(file, option).map((line, i) => {
    const fields = stringFields(parse(line, `${file}:${i + 1}`), names);
    if (fields?.[names[0] ?? ''] === undefined)
      throw new UsageError(`${file}:${i + 1}: string fields ${names.join(', ')} are needed`);
    return fields;
  });
}

function parse(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UsageError(`${where}: not JSON`);
  }
}

function lines(file: string, option: string): string[] {
  return readFileFor(file, option)
    .split('\n')
    .filter((line) => line.trim() !== '');
}
