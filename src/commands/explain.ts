import { UnableError } from '../config/errors.ts';
import { explainUrl } from '../engine/explain.ts';
import type { UrlHistory } from '../model/reports.ts';
import type { Command } from './command.ts';

export const explainCommand: Command = {
  name: 'explain',
  summary: 'the life of a URL, and why it is or is not in the index',
  args: [{ name: 'URL', help: 'the URL, as found or as it resolves', required: true }],
  async run({ args }, { dataDir, config }) {
    const [url = ''] = args;
    const history = await explainUrl(url, dataDir, config);
    if (history === undefined)
      throw new UnableError(`${url} was never seen: no page that was read links to it, and it is no seed`);
    return { kind: 'report', json: history, text: render(history) };
  },
};

const MEANING: Readonly<Record<UrlHistory['state'], string>> = {
  queued: 'not in the index: it waits to be fetched',
  deferred: 'not in the index: possibly a soft-404 page, fetched rarely and last',
  'in-flight': 'not in the index yet: it is being fetched',
  kept: 'in the index',
  garbage: 'not in the index: judged garbage',
  duplicate: 'not in the index: its content is held under another URL',
  redirect: 'not in the index: it redirects',
  'not-html': 'not in the index: it is no HTML page',
  noindex: 'not in the index: the page asks not to be indexed',
  refused: 'not in the index: it was not to be fetched',
  avoided: 'not in the index: its host or the page that links to it is garbage',
  blocked: 'not in the index: the site refuses the crawler (bot wall or rate limit)',
  gone: 'not in the index: the server says that it is gone',
  failed: 'not in the index: it could not be fetched',
  hidden: 'not in the index: hidden by hand',
};

function render(history: UrlHistory): string {
  const lines = [
    history.url,
    `  ${MEANING[history.state]}${history.reason === undefined ? '' : ` (${history.reason})`}`,
  ];
  const add = (label: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') lines.push(`  ${label.padEnd(14)}${value}`);
  };
  add('key', history.key === history.url ? undefined : history.key);
  add('copy of', history.duplicateOf);
  add('verdict', history.verdict);
  for (const reason of history.reasons ?? []) add('because', reason);
  add('found from', history.foundFrom.join(', '));
  add('depth', String(history.depth));
  add('robots', history.robots);
  add('domain', history.domain.listed);
  for (const { notBefore, notAfter, parts, signal } of history.changes) {
    const what = parts.length === 0 ? 'it is no more what it was' : parts.join(', ');
    const told = signal === 'none' ? 'found by crawling it again' : `told by: ${signal}`;
    add('changed', `between ${notBefore} and ${notAfter}: ${what} (${told})`);
  }
  lines.push('  history');
  for (const { at, from, to, reason } of history.transitions) {
    lines.push(
      `    ${at}  ${from === null ? 'seen:' : `${from} →`} ${to}${reason === undefined ? '' : ` (${reason})`}`,
    );
  }
  return lines.join('\n');
}
