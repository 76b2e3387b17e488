import { UsageError } from '../config/errors.ts';
import { keyRulesOf } from '../engine/options.ts';
import { resolveLine, type UrlLine } from '../url/url.ts';
import type { Command } from './command.ts';
import { answerLines, stringFields } from './json-lines.ts';
import { isOn, textOf } from './values.ts';

export const urlCommand: Command = {
  name: 'url',
  summary: 'how a reference resolves: its URL and its dedupe key',
  details: `With --batch, JSON lines {"ref": …, "base": …} on standard input give lines {"url", "key", "reason"}.`,
  args: [{ name: 'REF', help: 'reference as it stands in a page', many: true }],
  options: [
    { name: 'base', value: 'URL', help: 'URL of the page the reference stands in' },
    { name: 'batch', help: 'read JSON lines from standard input' },
  ],
  async run({ args, options }, { config }) {
    const rules = keyRulesOf(config);
    if (isOn(options, 'batch')) {
      return { kind: 'lines', lines: answerLines(process.stdin, parseLine, (line) => resolveLine(line, rules)) };
    }
    if (args.length === 0) throw new UsageError('url: name a reference, or use --batch');
    const base = textOf(options, 'base');
    const answers = args.map((ref) => resolveLine({ ref, base }, rules));
    const text = answers.map(
      (a) => `${a.url ?? '(not a URL)'}\n  key ${a.key ?? '-'}${a.reason === undefined ? '' : `  (${a.reason})`}`,
    );
    return { kind: 'report', json: answers.length === 1 ? answers[0] : answers, text: text.join('\n') };
  },
};

function parseLine(value: unknown): { readonly value: UrlLine } | { readonly problem: string } {
  const fields = stringFields(value, ['ref', 'base']);
  if (fields?.['ref'] === undefined) return { problem: 'a string field "ref" is missing' };
  return { value: { ref: fields['ref'], base: fields['base'] } };
}
