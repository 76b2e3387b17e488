import type { Ranking } from '../focused-crawling/priority/priority.ts';
import {
  fillTemplate,
  foreignTarget,
  nonsenseWord,
  resultLinks,
  type SearchAnswer,
  type Submission,
  submission,
} from '../focused-crawling/query-firing/query-firing.ts';
import { parseOpenSearch } from '../focused-crawling/search-interface/search-interface.ts';
import { seededRandom } from '../kit/random.ts';
import type { FetchOutcome } from '../model/fetch.ts';
import { describeOutcome } from './fetch-once.ts';
import type { FocusSession } from './focus-session.ts';
import type { FocusSite, TriedInterface } from './focus-types.ts';

/** Puts queries to the interfaces of sites, one at a time and no faster than a crawl would ask the host. */
export class QueryFiring {
  readonly #session: FocusSession;

  constructor(session: FocusSession) {
    this.#session = session;
  }

  /** Rankings of the keywords; undefined when the interface was dropped, its report says why. */
  async fire(
    site: FocusSite,
    face: TriedInterface,
    keywords: readonly string[],
  ): Promise<readonly Ranking[] | undefined> {
    const { probeQueries } = this.#session.machine.config.focus;
    if (face.nonsense === undefined) {
      face.nonsense = await this.#ask(site, face, nonsenseWord(seededRandom(site.host)));
      if (isDropped(face)) return undefined;
    }
    const rankings: Ranking[] = [];
    let results = 0;
    for (const keyword of keywords) {
      if (this.#session.look() !== undefined) break;
      const answer = await this.#ask(site, face, keyword);
      if (isDropped(face)) break;
      const links = answer === undefined ? [] : resultLinks(answer, { page: site.links, nonsense: face.nonsense });
      results += links.length;
      rankings.push({ keyword, source: 'form', urls: links.map((link) => link.url) });
      if (results === 0 && rankings.length >= probeQueries && face.report.state !== 'used') break;
    }
    if (results > 0) face.report = { ...face.report, state: 'used' };
    else if (face.report.state === 'found') drop(face, 'no query had a result that a nonsense query does not have');
    return results > 0 || face.report.state === 'used' ? rankings : undefined;
  }

  /** The answer to one query. Failures are noted on the interface. */
  async #ask(site: FocusSite, face: TriedInterface, keyword: string): Promise<SearchAnswer | undefined> {
    const request = await this.#requestFor(site, face, keyword);
    if (request === undefined) return undefined;
    const outcome = await this.#send(site, face, request);
    if (outcome === undefined) return undefined;
    if (outcome.kind !== 'page') {
      // A search may answer "nothing found" with 404: no results, and no reason to give it up.
      if (outcome.kind !== 'gone') drop(face, describeOutcome(outcome));
      return undefined;
    }
    const page = this.#session.pages.read(outcome.response);
    return this.#session.pages.linksOf(page, outcome.response);
  }

  async #requestFor(site: FocusSite, face: TriedInterface, keyword: string): Promise<Submission | undefined> {
    const request = await this.#build(site, face, keyword);
    if (request !== undefined)
      face.report = { ...face.report, method: request.method, action: face.report.action || actionOf(request) };
    else if (!isDropped(face)) drop(face, 'its action is no http or https URL');
    return request;
  }

  async #build(site: FocusSite, face: TriedInterface, keyword: string): Promise<Submission | undefined> {
    const { found } = face;
    switch (found.kind) {
      case 'form':
        return submission(found.form, site.page, new Map([[found.field, keyword]]));
      case 'search-action':
        return templateRequest(found.template, found.parameter, keyword);
      case 'opensearch':
        return await this.#describe(site, face, { description: found.description, keyword });
      case 'browser':
        return undefined;
    }
  }

  /** Reads the description on first use; the interface is then one with a template. */
  async #describe(
    site: FocusSite,
    face: TriedInterface,
    { description, keyword }: { readonly description: string; readonly keyword: string },
  ): Promise<Submission | undefined> {
    const outcome = await this.#send(site, face, { method: 'GET', url: description });
    if (outcome === undefined) return undefined;
    const parsed =
      outcome.kind === 'page' ? parseOpenSearch(new TextDecoder().decode(outcome.response.body)) : undefined;
    if (parsed === undefined || parsed.method === 'POST') {
      drop(
        face,
        parsed === undefined ? 'its OpenSearch description names no HTML search' : 'OpenSearch by POST is not built',
      );
      return undefined;
    }
    face.found = { kind: 'search-action', template: parsed.template, parameter: 'searchTerms' };
    return templateRequest(parsed.template, 'searchTerms', keyword);
  }

  /** One request within the site, robots.txt, courtesy and budget. undefined: not sent, or led off the site. */
  async #send(site: FocusSite, face: TriedInterface, request: Submission): Promise<FetchOutcome | undefined> {
    const { machine, signal } = this.#session;
    const whyForeign = (url: string): string | undefined =>
      foreignTarget(site.page.url ?? '', { method: request.method, url });
    const foreign = whyForeign(request.url);
    if (foreign !== undefined) {
      drop(face, foreign);
      return undefined;
    }
    const decision = await machine.robots.decide(request.url);
    if (!decision.allowed) {
      face.report = { ...face.report, state: 'refused', reason: `robots.txt: ${decision.because}` };
      return undefined;
    }
    const seconds = Math.max(
      machine.config.crawl.delaySeconds,
      Math.min(decision.crawlDelay ?? 0, machine.config.crawl.maxCrawlDelaySeconds),
    );
    await pause(seconds * 1000, signal);
    if (this.#session.look() !== undefined) return undefined;
    let left = this.#session.requestsLeft - 1;
    const outcome = await machine.fetcher.fetch({
      url: request.url,
      method: request.method,
      body: request.body,
      headers: request.contentType === undefined ? {} : { 'content-type': request.contentType },
      purpose: 'search',
      followRedirect: async (_from, target) =>
        whyForeign(target) === undefined && left-- > 0 && (await machine.robots.decide(target)).allowed,
    });
    this.#session.countRequests(outcome);
    const ledTo = outcome.kind === 'redirect' ? whyForeign(outcome.target) : undefined;
    if (ledTo === undefined) return outcome;
    drop(face, `its answer redirects: ${ledTo}`);
    return undefined;
  }
}

function templateRequest(template: string, parameter: string, keyword: string): Submission | undefined {
  const url = fillTemplate(template, parameter, keyword);
  return url === undefined ? undefined : { method: 'GET', url };
}

function drop(face: TriedInterface, reason: string): void {
  face.report = { ...face.report, state: 'dropped', reason };
}

function isDropped({ report }: TriedInterface): boolean {
  return report.state === 'dropped' || report.state === 'refused';
}

/** Where queries go, without the query itself. */
function actionOf(request: Submission): string {
  const at = request.url.indexOf('?');
  return request.method === 'GET' && at >= 0 ? request.url.slice(0, at) : request.url;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
