import type { Config } from '../config/config.ts';
import { UnableError } from '../config/errors.ts';
import { Resolver } from '../http/http.ts';
import type { ProofMethod, RegisteredSite } from '../model/changes.ts';
import type { Fetcher } from '../model/fetch.ts';
import { readPage } from '../page/page.ts';
import { hostName } from '../url/url.ts';
import { describeOutcome, openFetcher } from './fetch-once.ts';
import { pageOptionsOf, resolverOptionsOf } from './options.ts';

/** Where a site shows its token: in a file of this path, in this meta tag of its front page, or below this DNS name. */
export const PROOF_PATH = '/.well-known/winnow-site.txt';
export const PROOF_META = 'winnow-site';
export const PROOF_NAME = '_winnow.';
/** Characters of the file that are looked at. */
const PROOF_LENGTH = 1_000;

interface ProofSources {
  readonly fetcher: Fetcher;
  readonly resolver: Pick<Resolver, 'lookupText'>;
  readonly config: Config;
}

/** undefined: the proof is there; else what was found in its place. */
type Look = (site: RegisteredSite, sources: ProofSources) => Promise<string | undefined>;

const LOOKS: readonly (readonly [ProofMethod, Look])[] = [
  ['file', inFile],
  ['meta', inMeta],
  ['dns', inDns],
];

/** How the site's owner shows the token. Throws {@link UnableError} saying what was found in each place instead. */
export async function findProof(site: RegisteredSite, config: Config, now: () => number): Promise<ProofMethod> {
  const fetcher = openFetcher(config, now);
  const sources = { fetcher, config, resolver: new Resolver(resolverOptionsOf(config, now)) };
  const problems: string[] = [];
  try {
    for (const [method, look] of LOOKS) {
      const problem = await look(site, sources);
      if (problem === undefined) return method;
      problems.push(problem);
    }
  } finally {
    await fetcher.close();
  }
  throw new UnableError(`no proof for ${site.site}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

async function inFile(site: RegisteredSite, { fetcher }: ProofSources): Promise<string | undefined> {
  const url = new URL(PROOF_PATH, site.url).href;
  const body = await bodyOf(url, 'robots', fetcher);
  if ('problem' in body) return body.problem;
  const text = Buffer.from(body.bytes).toString('utf8').slice(0, PROOF_LENGTH);
  return text.trim() === site.token ? undefined : `${url} does not hold ${site.token} and nothing else`;
}

async function inMeta(site: RegisteredSite, { fetcher, config }: ProofSources): Promise<string | undefined> {
  const url = new URL('.', site.url).href;
  const body = await bodyOf(url, 'page', fetcher);
  if ('problem' in body) return body.problem;
  const { metas } = readPage(body.bytes, { url }, pageOptionsOf(config));
  const isThere = metas.some(({ name, content }) => name === PROOF_META && content.trim() === site.token);
  return isThere ? undefined : `${url} has no <meta name="${PROOF_META}" content="${site.token}">`;
}

async function inDns(site: RegisteredSite, { resolver }: ProofSources): Promise<string | undefined> {
  const name = PROOF_NAME + hostName(site.url);
  const { texts, error } = await resolver.lookupText(name);
  if (texts.some((text) => text.trim() === site.token)) return undefined;
  return `${name} has no TXT record ${site.token}${error === undefined ? '' : ` (${error})`}`;
}

async function bodyOf(
  url: string,
  purpose: 'robots' | 'page',
  fetcher: Fetcher,
): Promise<{ readonly bytes: Uint8Array } | { readonly problem: string }> {
  // A redirect to another host would prove nothing about this one.
  const followRedirect = (from: string, target: string): boolean => hostName(target) === hostName(from);
  const outcome = await fetcher.fetch({ url, purpose, followRedirect });
  return outcome.kind === 'page'
    ? { bytes: outcome.response.body }
    : { problem: `${url}: ${describeOutcome(outcome)}` };
}
