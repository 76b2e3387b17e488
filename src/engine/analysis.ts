import { randomUUID } from 'node:crypto';
import { type Extraction, type ExtractOptions, extractLinks } from '../crawling/url-extractor/url-extractor.ts';
import { type Fingerprint, fingerprint } from '../document-controller/fingerprint.ts';
import type { TreeSize } from '../garbage-detector/system-configurator/system-configurator.ts';
import { analyseDocument } from '../indexing/indexing.ts';
import type { IndexDocument } from '../inverted-index/index-document.ts';
import { hash64, toHex64 } from '../kit/hash.ts';
import type { HttpResponse } from '../model/fetch.ts';
import type { Judgement } from '../model/garbage.ts';
import type { Level, PageType } from '../model/lists.ts';
import { BLOCK_HEADING, type Page, type PageContext, type RobotsDirectives } from '../model/page.ts';
import { readPage } from '../page/page.ts';
import type { PageOptions } from '../page/page-options.ts';
import { pageParts } from '../page/page-parts.ts';
import { pageType } from '../page/page-type.ts';
import { type PackedPage, packPage } from '../repository/page-row.ts';
import { buildCapture, type WarcCapture } from '../repository/warc-record.ts';
import type { DetectorSetup, HostKnowledge } from './judging.ts';
import { createJudge, type Judge } from './judging.ts';

/** What the worker is given once. Structured-cloneable. */
export interface AnalysisSetup {
  readonly pageOptions: PageOptions;
  readonly extractOptions: ExtractOptions;
  readonly detector: DetectorSetup;
  readonly requestHeaders: readonly (readonly [string, string])[];
  /** UTF-16 units of main text stored for snippets and searches. */
  readonly maxStoredText: number;
}

/** First answer about a page: enough for the document controller and for the rules of exclusion. */
export interface PageReading {
  readonly fingerprint: Fingerprint;
  /** Hash of the main text without its digits: equal for pages that differ in numbers only. */
  readonly skeleton: string;
  readonly title: string;
  readonly language: string;
  readonly robots: RobotsDirectives;
  /** Meta or script redirect, absolute. */
  readonly redirect:
    | { readonly by: 'http' | 'meta' | 'script'; readonly target: string; readonly seconds: number }
    | undefined;
  readonly extraction: Extraction;
  /** Absolute addresses of the RSS and Atom feeds it names, the first few. */
  readonly feeds: readonly string[];
  readonly type: PageType;
  readonly problems: readonly string[];
}

/** Second answer: the verdict, and what store and index take. */
export interface PageJudging {
  readonly judgement: Judgement | undefined;
  /** Milliseconds that judging took. */
  readonly judgeMs: number;
  readonly packed: PackedPage;
  readonly document: IndexDocument;
  readonly capture: WarcCapture;
}

interface Held {
  readonly page: Page;
  readonly response: HttpResponse;
  readonly context: PageContext;
}

/** The CPU side of a crawl: lives in a worker thread, holds a page between its two answers. */
export class Analysis {
  readonly #setup: AnalysisSetup;
  readonly #judge: Judge;
  readonly #held = new Map<number, Held>();

  constructor(setup: AnalysisSetup) {
    this.#setup = setup;
    this.#judge = createJudge(setup.detector);
  }

  read(id: number, response: HttpResponse): PageReading {
    const context = contextOf(response);
    const page = readPage(response.body, context, this.#setup.pageOptions);
    this.#held.set(id, { page, response, context });
    return {
      fingerprint: fingerprint(page, response.body),
      skeleton: toHex64(hash64(page.mainText.slice(0, MAX_SKELETON).replace(/\d+/g, '0'))),
      title: page.title,
      language: page.language,
      robots: page.robots,
      redirect: page.redirect,
      extraction: extractLinks(page, this.#setup.extractOptions),
      feeds: feedsOf(page, response.url),
      type: pageType(page, response.url),
      problems: page.problems,
    };
  }

  judge(id: number, level: Level, by: { readonly host: HostKnowledge; readonly size: TreeSize }): PageJudging {
    const held = this.#held.get(id);
    if (held === undefined) throw new RangeError(`no page ${id} is held`);
    this.#held.delete(id);
    const { page, response, context } = held;
    const started = performance.now();
    const judgement = level === 'off' ? undefined : this.#judge(page, context, { level, ...by });
    const judgeMs = performance.now() - started;
    return {
      judgement,
      judgeMs,
      packed: packPage(this.#contentOf(page, judgement)),
      document: analyseDocument(
        { title: page.title, blocks: page.blocks, language: page.language, description: descriptionOf(page) },
        response.url,
      ),
      capture: buildCapture(response, {
        request: { method: 'GET', headers: this.#setup.requestHeaders, body: undefined },
        newId: randomUUID,
      }),
    };
  }

  /** Lets go of a page that needs no judging. */
  drop(id: number): void {
    this.#held.delete(id);
  }

  #contentOf(page: Page, judgement: Judgement | undefined): Parameters<typeof packPage>[0] {
    const headings = page.blocks.filter((block) => (block.flags & BLOCK_HEADING) !== 0);
    return {
      title: page.title,
      language: page.language,
      charset: page.charset,
      mainText: page.mainText.slice(0, this.#setup.maxStoredText),
      outline: {
        description: descriptionOf(page),
        snippet: page.robots.snippet,
        maxSnippet: page.robots.maxSnippet,
        headings: headings
          .slice(0, MAX_HEADINGS)
          .map((block) => ({ level: block.headingLevel, text: block.text.slice(0, 300) })),
      },
      parts: Object.fromEntries(Object.entries(pageParts(page)).map(([name, text]) => [name, toHex64(hash64(text))])),
      judgement,
    };
  }
}

const MAX_FEEDS = 3;

function feedsOf(page: Page, url: string): string[] {
  const feeds = page.headLinks.filter(
    ({ rel, type }) => rel.includes('alternate') && /^application\/(?:rss|atom)\+xml\b/i.test(type),
  );
  const addresses = feeds.flatMap(({ href }) => URL.parse(href, page.baseUrl ?? url)?.href ?? []);
  return addresses.filter((address) => /^https?:/.test(address) && address.length <= 2000).slice(0, MAX_FEEDS);
}

const MAX_HEADINGS = 200;
/** UTF-16 units of main text looked at for its skeleton. */
const MAX_SKELETON = 4_000;

function descriptionOf(page: Page): string {
  return page.metas.find((meta) => meta.name === 'description')?.content ?? '';
}

/** What an HTTP answer says of its page. */
export function contextOf(response: HttpResponse): PageContext {
  return {
    url: response.url,
    status: response.status,
    headers: response.headers,
    redirects: response.hops.length,
    redirectedFrom: response.hops[0]?.url,
    truncated: response.truncated !== undefined,
  };
}
