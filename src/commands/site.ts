import type { Config } from '../config/config.ts';
import { UsageError } from '../config/errors.ts';
import {
  addSite,
  type BeaconLines,
  beaconLines,
  listSites,
  PROOF_META,
  PROOF_NAME,
  PROOF_PATH,
  verifySite,
} from '../engine/beacon-sites.ts';
import { parseSeed } from '../engine/seeds.ts';
import type { ProofMethod, RegisteredSite } from '../model/changes.ts';
import type { Command } from './command.ts';
import { textOf } from './values.ts';

export const siteCommand: Command = {
  name: 'site',
  summary: 'sites whose pages carry the change beacon (docs/freshness.md)',
  sub: [
    {
      name: 'add',
      summary: 'register a site of this collection: all pages below the last slash of URL',
      args: [{ name: 'URL', help: 'the site, such as https://www.example.org/', required: true }],
      options: [
        { name: 'server', value: 'URL', help: 'this server as visitors reach it, for the lines of the site owner' },
      ],
      async run({ args, options }, context) {
        const server = textOf(options, 'server') ?? context.config.server.publicUrl;
        const lines = beaconLines(server === '' ? PLACEHOLDER : serverOf(server));
        const row = await addSite(urlOf(args[0] ?? '', context.config), context);
        const text = server === '' ? `${explainSite(row, lines)}\n${UNKNOWN_SERVER}` : explainSite(row, lines);
        return { kind: 'report', json: [{ ...toJson(row), ...lines }], text };
      },
    },
    {
      name: 'verify',
      summary: 'look for the proof that its owner runs the beacon on purpose',
      args: [{ name: 'URL', help: 'the site as it was added', required: true }],
      fetches: true,
      async run({ args }, context) {
        const row = await verifySite(urlOf(args[0] ?? '', context.config), context);
        return { kind: 'report', json: [toJson(row)], text: `${row.site} is verified by ${row.verifiedBy}` };
      },
    },
    {
      name: 'list',
      summary: 'the registered sites',
      async run(_input, context) {
        const rows = (await listSites(context)).map(toJson);
        const lines = rows.map(
          ({ site, verified }) => `${site}  ${verified === null ? 'not verified' : `verified ${verified}`}`,
        );
        return { kind: 'report', json: rows, text: lines.length === 0 ? 'no site is registered' : lines.join('\n') };
      },
    },
  ],
};

function urlOf(text: string, config: Config): string {
  const parsed = parseSeed(text, config.crawl.maxUrlLength);
  if ('problem' in parsed) throw new UsageError(`"${text}" is not the URL of a site: ${parsed.problem}`);
  return parsed.url;
}

function toJson(row: RegisteredSite): {
  readonly site: string;
  readonly url: string;
  readonly added: string;
  readonly token: string;
  readonly verified: string | null;
  readonly verifiedBy: ProofMethod | null;
} {
  const { site, url, addedAt, token, verifiedAt, verifiedBy } = row;
  const verified = verifiedAt === undefined ? null : new Date(verifiedAt).toISOString();
  return { site, url, added: new Date(addedAt).toISOString(), token, verified, verifiedBy: verifiedBy ?? null };
}

function explainSite({ site, url, token }: RegisteredSite, { tag, inline, policy }: BeaconLines): string {
  const { origin, hostname } = new URL(url);
  return `${site} is registered. Every page of it gets this line:
  ${tag}
or this one, which asks for nothing before the page has loaded:
  ${inline}
which a content security policy allows with
  ${policy}
To have it verified, its owner shows the token in one of three places:
  a file with this line only: ${origin}${PROOF_PATH}
  a tag of its front page: <meta name="${PROOF_META}" content="${token}">
  a DNS record: ${PROOF_NAME}${hostname} TXT "${token}"
The token is ${token}. Then: winnow site verify ${url}`;
}

const PLACEHOLDER = 'https://search.example';
const UNKNOWN_SERVER = `${PLACEHOLDER} stands for the address of this server: give it with --server, or as server.publicUrl in the configuration; the hash depends on it.`;

function serverOf(text: string): string {
  const parsed = URL.parse(text);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed.href;
  throw new UsageError(`--server takes the URL of this server, such as https://search.example.org, not "${text}"`);
}
