import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { UnableError } from '../config/errors.ts';
import type { RegisteredSite } from '../model/changes.ts';
import { Sites } from '../modification-detection/repository/sites.ts';
import { siteOf } from '../modification-detection/request-processor/request-processor.ts';
import { asUnable, DATABASE_FILE, openForShortWrites } from './collection.ts';
import { findProof } from './site-proof.ts';

export { type BeaconLines, beaconLines } from './beacon-script.ts';

export { PROOF_META, PROOF_NAME, PROOF_PATH } from './site-proof.ts';

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

/** Looks for the token where its owner may show it. Throws {@link UnableError} saying what was found instead. */
export async function verifySite(url: string, environment: SiteEnvironment): Promise<RegisteredSite> {
  const name = siteOf(url) ?? url;
  const known = (await listSites(environment)).find(({ site }) => site === name);
  if (known === undefined) throw new UnableError(`${name} is not registered; first "winnow site add ${url}"`);
  const method = await findProof(known, environment.config, environment.now);
  return await withSites(environment, async (sites) => {
    await sites.setVerified(known.site, method, environment.now());
    return await registered(sites, known.site);
  });
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
