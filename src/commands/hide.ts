import { UnableError, UsageError } from '../config/errors.ts';
import type { PageRule } from '../engine/page-rules.ts';
import {
  forgetPages,
  hidePages,
  listRules,
  pinPages,
  type RuleOutcome,
  type RuleRequest,
  rulePatterns,
  undoRule,
} from '../engine/rule-change.ts';
import type { Command, CommandContext, CommandInput, CommandResult } from './command.ts';
import { isOn } from './values.ts';

const TARGETS = `A target that ends in "/" or "*" means every URL that begins so (a bare host means the whole site); any other means
that URL alone. --exact takes a target that ends in "/" as one URL: a home page without its site. Without a scheme,
http and https are both meant. Without a target, the rules set so far are listed. A rule on one URL wins over one on a
prefix, a longer prefix over a shorter one, and rules hold in every later crawl.`;

export const hideCommand: Command = {
  ...command('hide', 'keep pages out of the results; they are still crawled and stored'),
  details: `The pages leave the results at once, also while a crawl runs, and copies held under their name with them. They are
still fetched, judged and stored, and their links followed; "explain" shows them as hidden. --undo fetches them anew
with the next crawl and shows them again.

${TARGETS}`,
};

export const forgetCommand: Command = {
  ...command('forget', 'drop all that is stored of pages and never request them again'),
  details: `Text, versions, links, index entries and verdicts go at once; the archived bytes go with the next "winnow compact". The
URLs themselves stay known, so that links to them are refused. --undo allows them again: they are fetched by the next
crawl. Not possible while a crawl runs.

${TARGETS}`,
};

export const pinCommand: Command = {
  ...command('pin', 'keep pages whatever the garbage detector says'),
  details: `Pinned pages are still judged, so that "explain" tells what the detector thinks, but they are kept, not ranked down,
not held against their site, and fetched even on a condemned host. Pages judged garbage earlier are fetched anew with the
next crawl. --undo leaves the pages where they are until they are judged again. Not possible while a crawl runs.

${TARGETS}`,
};

function command(rule: PageRule, summary: string): Command {
  return {
    name: rule,
    summary,
    args: [{ name: 'URL|PREFIX', help: 'pages meant', many: true }],
    options: [
      { name: 'undo', help: 'take the rule back' },
      { name: 'exact', help: 'the URL alone, even when it ends in "/"' },
    ],
    run: (input, context) => change(rule, input, context),
  };
}

async function change(rule: PageRule, input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDir, config } = context;
  if (input.args.length === 0) {
    if (isOn(input.options, 'undo')) throw new UsageError(`${rule} --undo: name the URL or prefix of the rule`);
    return listing(rule, context, undefined);
  }
  const patterns = input.args.flatMap((text) => {
    const found = rulePatterns(text, config, isOn(input.options, 'exact') ? 'exact' : 'as-written');
    if (found === undefined) throw new UsageError(`${rule}: "${text}" is neither a URL nor the beginning of one`);
    return found;
  });
  // Reads first: a folder without a collection must not become one by a rule.
  listRules(dataDir, config);
  const request = { rule, patterns, dataDir, config, now: context.now() };
  const outcome = isOn(input.options, 'undo') ? await undoRule(request) : await APPLY[rule](request);
  if (outcome === undefined)
    throw new UnableError(`there is no ${rule} rule for ${input.args.join(', ')}; "winnow ${rule}" lists them`);
  return listing(rule, context, outcome);
}

const APPLY: Readonly<Record<PageRule, (request: RuleRequest) => Promise<RuleOutcome>>> = {
  hide: hidePages,
  forget: forgetPages,
  pin: pinPages,
};

function listing(rule: PageRule, { dataDir, config }: CommandContext, outcome: RuleOutcome | undefined): CommandResult {
  const rules = listRules(dataDir, config).filter((row) => row.rule === rule);
  const lines = rules.map((row) => `${row.rule.padEnd(7)} ${row.pattern}  since ${row.since.slice(0, 10)}`);
  const head = outcome === undefined ? [] : [`${outcome.matched} known URLs match, ${outcome.changed} of them changed`];
  const text = [...head, ...(lines.length === 0 ? [`no ${rule} rules`] : lines)].join('\n');
  return { kind: 'report', json: { ...outcome, rules }, text };
}
