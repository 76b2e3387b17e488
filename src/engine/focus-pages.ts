import { extractLinks } from '../crawling/url-extractor/url-extractor.ts';
import { type FitnessOptions, pageFitness, TAG_WEIGHTS } from '../focused-crawling/fitness/fitness.ts';
import { keywordCounter } from '../focused-crawling/keywords/keywords.ts';
import type { SearchAnswer } from '../focused-crawling/query-firing/query-firing.ts';
import type { HttpResponse } from '../model/fetch.ts';
import type { Page } from '../model/page.ts';
import { decodeText } from '../page/charset.ts';
import { readPage } from '../page/page.ts';
import type { AnalysisSetup } from './analysis.ts';
import type { CrawlMachine } from './crawl-machine.ts';
import type { FocusRequest, ScoredPage } from './focus-types.ts';
import { analysisSetupOf } from './options.ts';

/** Bytes of a page with what decides how they are read. */
export type PageBytes = Pick<HttpResponse, 'url' | 'status' | 'headers' | 'body'>;

type KeywordCounter = ReturnType<typeof keywordCounter>;

/** Reads and scores pages for a focused crawl, from an answer or from the repository. */
export class FocusPages {
  readonly #machine: CrawlMachine;
  readonly #setup: AnalysisSetup;
  readonly #options: FitnessOptions;
  readonly #count: KeywordCounter;

  constructor(machine: CrawlMachine, request: FocusRequest, dataDir: string) {
    const { levels, decay } = machine.config.focus;
    this.#machine = machine;
    this.#setup = analysisSetupOf(machine.config, dataDir);
    this.#options = { weights: { ...TAG_WEIGHTS, ...request.tagWeights }, levels, decay };
    this.#count = keywordCounter(request.categories);
  }

  score(bytes: PageBytes, title: string): ScoredPage {
    const categories = new Set<string>();
    const html = decodeText(bytes.body, {
      contentType: bytes.headers['content-type'],
      topLevelDomain: URL.parse(bytes.url)?.hostname.split('.').at(-1),
    }).text;
    const count = (text: string): ReturnType<KeywordCounter> => {
      const counted = this.#count(text);
      for (const { category } of counted) categories.add(category);
      return counted;
    };
    return { title, fitness: pageFitness(html, count, this.#options), categories: categories.size };
  }

  read(bytes: PageBytes): Page {
    const { url, status, headers } = bytes;
    return readPage(bytes.body, { url, status, headers }, this.#setup.pageOptions);
  }

  /** A page's links as an answer to compare others with. Pages of results may not be followed for credit, but are read. */
  linksOf(page: Page, { url, hops }: Pick<HttpResponse, 'url' | 'hops'>): SearchAnswer {
    const { links } = extractLinks(page, { ...this.#setup.extractOptions, nofollow: 'lenient' });
    return {
      url,
      redirected: hops.length > 0,
      links: links.map((link) => ({ url: link.url, key: link.key, position: link.position, hidden: link.hidden })),
    };
  }

  /** The stored bytes of a page held, without a request. */
  async held(id: number): Promise<{ readonly bytes: PageBytes; readonly title: string } | undefined> {
    const [stored] = await this.#machine.repository.pages.getMany([id]);
    if (stored?.capture === undefined || stored.state === 'garbage') return undefined;
    const outcome = await this.#machine.repository.pages.read(stored.capture.location);
    return outcome.kind === 'response' ? { bytes: outcome.response, title: stored.title } : undefined;
  }
}
