import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { UnableError } from '../config/errors.ts';
import type { RegisteredSite } from '../model/changes.ts';
import { Sites } from '../modification-detection/repository/sites.ts';
import { siteOf } from '../modification-detection/request-processor/request-processor.ts';
import { hostName } from '../url/url.ts';
import { asUnable, DATABASE_FILE, openForShortWrites } from './collection.ts';
import { describeOutcome, openFetcher } from './fetch-once.ts';

export { type BeaconLines, beaconLines } from './beacon-script.ts';

/** Where a site shows its token. */
export const PROOF_PATH = '/.well-known/winnow-site.txt';
/** Characters of the proof that are looked at. */
const PROOF_LENGTH = 1_000;

export interface SiteEnvironment {
  readonly dataDir: string;
  readonly config: Config;
  readonly now: () => number;
}

/** Registers a site that carries the beacon. Waits for a writer that is at work. */
export async function addSite(url: string, environment: SiteEnvironment): Promise<RegisteredSite> {
  const site = siteOf(url);
  if (site === undefined) throw new RangeError(`${url} is not an absolute http(s) URL`);
  return await withSites(environment, async (sites) => {
    const token = randomBytes(16).toString('hex');
    await sites.add({ site, url, addedAt: environment.now(), token, verifiedAt: undefined });
    return await registered(sites, site);
  });
}

export async function listSites(environment: SiteEnvironment): Promise<readonly RegisteredSite[]> {
  return await withSites(environment, (sites) => sites.list());
}

/** Looks for the token at {@link PROOF_PATH}. Throws {@link UnableError} saying what was found instead. */
export async function verifySite(url: string, environment: SiteEnvironment): Promise<RegisteredSite> {
  const name = siteOf(url) ?? url;
  const known = (await listSites(environment)).find(({ site }) => site === name);
  if (known === undefined) throw new UnableError(`${name} is not registered; first "winnow site add ${url}"`);
  await readProof(known, environment);
  return await withSites(environment, async (sites) => {
    await sites.setVerified(known.site, environment.now());
    return await registered(sites, known.site);
  });
}

async function readProof(site: RegisteredSite, { config, now }: SiteEnvironment): Promise<void> {
  const url = new URL(PROOF_PATH, site.url).href;
  const fetcher = openFetcher(config, now);
  try {
    // A redirect to another host would prove nothing about this one.
    const followRedirect = (from: string, target: string): boolean => hostName(target) === hostName(from);
    const outcome = await fetcher.fetch({ url, purpose: 'robots', followRedirect });
    if (outcome.kind !== 'page') throw new UnableError(`${url}: ${describeOutcome(outcome)}`);
    const text = Buffer.from(outcome.response.body).toString('utf8').slice(0, PROOF_LENGTH);
    if (text.trim() !== site.token) throw new UnableError(`${url} does not hold ${site.token} and nothing else`);
  } finally {
    await fetcher.close();
  }
}

async function registered(sites: Sites, name: string): Promise<RegisteredSite> {
  const found = (await sites.list()).find(({ site }) => site === name);
  if (found === undefined) throw new RangeError(`${name} was registered a moment ago and is not`);
  return found;
}

async function withSites<T>(environment: SiteEnvironment, work: (sites: Sites) => Promise<T>): Promise<T> {
  const { dataDir, config } = environment;
  // Only a crawl makes a collection: readers rely on all its tables being there.
  if (!existsSync(join(dataDir, DATABASE_FILE)))
    throw new UnableError(
      `there is no collection in ${dataDir}; first "winnow crawl URL", or name another with --data`,
    );
  const database = openForShortWrites(dataDir, config);
  try {
    return await work(new Sites(database));
  } catch (error) {
    throw asUnable(error, dataDir);
  } finally {
    database.close();
  }
}
