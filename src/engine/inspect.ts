import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { messageOf, UnableError, UsageError } from '../config/errors.ts';
import type { RobotsAnalyser } from '../crawling/robots-analyser/robots-analyser.ts';
import { extractLinks } from '../crawling/url-extractor/url-extractor.ts';
import { classifyForm } from '../focused-crawling/search-interface/search-interface.ts';
import type { HttpFetcher } from '../http/http.ts';
import type { Judgement } from '../model/garbage.ts';
import type { Level } from '../model/lists.ts';
import type { Form, Page, PageContext } from '../model/page.ts';
import type { Inspection } from '../model/reports.ts';
import { readPage } from '../page/page.ts';
import { contextOf } from './analysis.ts';
import { analyserFor, describeOutcome, openFetcher } from './fetch-once.ts';
import { createJudge, type Judge } from './judging.ts';
import { analysisSetupOf } from './options.ts';

export interface InspectRequest {
  /** Files and URLs. */
  readonly inputs: readonly string[];
  readonly level: Level;
  /** What is known of the one file besides its bytes. */
  readonly context: PageContext;
  readonly config: Config;
  readonly dataDir: string;
  readonly now: () => number;
}

interface Input {
  readonly bytes: Uint8Array;
  readonly context: PageContext;
  readonly httpRedirect?: Inspection['page']['redirect'];
}

/** Reads and judges pages without storing anything. An input that gives no page is an error that names it. */
export async function inspectPages(request: InspectRequest): Promise<Inspection[]> {
  const judge = createJudge(analysisSetupOf(request.config, request.dataDir).detector);
  const reader = new InputReader(request);
  try {
    const inspections: Inspection[] = [];
    for (const input of request.inputs) inspections.push(inspect(input, await reader.read(input), { judge, request }));
    return inspections;
  } finally {
    await reader.close();
  }
}

/** Bytes of files and URLs; the fetcher is opened when the first URL comes. */
class InputReader {
  readonly #request: InspectRequest;
  #web: { readonly fetcher: HttpFetcher; readonly robots: RobotsAnalyser } | undefined;

  constructor(request: InspectRequest) {
    this.#request = request;
  }

  async read(input: string): Promise<Input> {
    if (existsSync(input)) return { bytes: readInput(input), context: this.#request.context };
    if (/^https?:\/\//i.test(input)) return await this.#fetch(input);
    throw new UsageError(`inspect: there is no file ${input} (a URL begins with http:// or https://)`);
  }

  async close(): Promise<void> {
    await this.#web?.fetcher.close();
  }

  async #fetch(url: string): Promise<Input> {
    const { fetcher, robots } = this.#open();
    const decision = await robots.decide(url);
    if (!decision.allowed) throw new UnableError(`${url}: robots.txt forbids it (${decision.because})`);
    const outcome = await fetcher.fetch({ url, purpose: 'page' });
    const response = outcome.kind === 'page' || outcome.kind === 'gone' ? outcome.response : undefined;
    if (response === undefined)
      throw new UnableError(`${url}: ${outcome.kind === 'page' ? 'no answer' : describeOutcome(outcome)}`);
    const hop = response.hops.at(-1);
    return {
      bytes: response.body,
      context: contextOf(response),
      ...(hop === undefined ? {} : { httpRedirect: { by: 'http', target: hop.target, seconds: 0 } }),
    };
  }

  #open(): { readonly fetcher: HttpFetcher; readonly robots: RobotsAnalyser } {
    if (this.#web === undefined) {
      const { config, now } = this.#request;
      const fetcher = openFetcher(config, now);
      this.#web = { fetcher, robots: analyserFor(fetcher, config, now) };
    }
    return this.#web;
  }
}

function readInput(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`inspect: cannot read ${file}: ${messageOf(error)}`);
  }
}

function inspect(
  input: string,
  given: Input,
  by: { readonly judge: Judge; readonly request: InspectRequest },
): Inspection {
  const { config, dataDir, level } = by.request;
  const setup = analysisSetupOf(config, dataDir);
  const started = performance.now();
  const page = readPage(given.bytes, given.context, setup.pageOptions);
  const parsed = performance.now();
  const judgement = level === 'off' ? UNJUDGED : by.judge(page, given.context, { level, size: 'full', host: {} });
  const judged = performance.now();
  return {
    input,
    ...(page.url === undefined ? {} : { url: page.url }),
    page: describePage(page, extractLinks(page, setup.extractOptions).links.length, given.httpRedirect),
    verdict: judgement.verdict,
    kinds: judgement.kinds,
    probability: judgement.probability,
    threshold: judgement.threshold,
    level,
    features: judgement.features,
    reasons: judgement.reasons,
    milliseconds: { parse: round(parsed - started), judge: round(judged - parsed) },
  };
}

const UNJUDGED: Pick<Judgement, 'verdict' | 'kinds' | 'probability' | 'threshold' | 'features' | 'reasons'> = {
  verdict: 'keep',
  kinds: [],
  probability: { spam: 0, 'soft-404': 0 },
  threshold: { spam: 1, 'soft-404': 1 },
  features: {},
  reasons: ['level off: not judged'],
};

function describePage(page: Page, links: number, httpRedirect: Inspection['page']['redirect']): Inspection['page'] {
  const { index, follow, archive, snippet } = page.robots;
  const redirect = page.redirect ?? httpRedirect;
  return {
    charset: page.charset,
    title: page.title,
    language: page.language,
    mainText: page.mainText,
    ...(page.canonical === undefined ? {} : { canonical: page.canonical }),
    robots: { index, follow, archive, snippet },
    links: page.baseUrl === undefined ? page.links.length : links,
    forms: page.forms.map(describeForm),
    ...(redirect === undefined ? {} : { redirect }),
    problems: page.problems,
  };
}

function describeForm(form: Form): Inspection['page']['forms'][number] {
  const field = form.controls.find((control) => ['text', 'search', ''].includes(control.type) && control.name !== '');
  return {
    type: classifyForm(form).type,
    method: form.method,
    action: form.action ?? '',
    ...(field === undefined ? {} : { field: field.name }),
  };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
