import { join } from 'node:path';
import { UnableError } from '../config/errors.ts';
import { createDetector, type HostKnowledge, OWN_SPAM } from '../garbage-detector/detect-garbage.ts';
import { FarmMemory } from '../garbage-detector/farm-memory.ts';
import { HostAnswers, sketchOf } from '../garbage-detector/host-answers.ts';
import { HOSTS_REMEMBERED, HostLeanings } from '../garbage-detector/host-leanings.ts';
import { ModelStore, SHIPPED_MODELS } from '../garbage-detector/model-store/model-store.ts';
import { samplePage } from '../garbage-detector/page-sample.ts';
import { type DetectorModel, isDetectorModel } from '../garbage-detector/supervised-analyser/detector-model.ts';
import type { TreeSize } from '../garbage-detector/system-configurator/system-configurator.ts';
import type { Judgement } from '../model/garbage.ts';
import type { DetectorName, Level } from '../model/lists.ts';
import type { Page, PageContext } from '../model/page.ts';
import { hostName, registrableDomain } from '../url/url.ts';

export type { HostKnowledge } from '../garbage-detector/detect-garbage.ts';

/** What a thread needs to judge pages. Structured-cloneable. */
export interface DetectorSetup {
  /** `models` of the data folder; need not exist. */
  readonly modelFolder: string;
  readonly sureHam: number;
  readonly sureGarbage: number;
}

export interface JudgeOrder {
  readonly level: Exclude<Level, 'off'>;
  readonly size: TreeSize;
  readonly host: HostKnowledge;
}

export type Judge = (page: Page, context: PageContext, order: JudgeOrder) => Judgement;

/**
 * Loads the models in use. What a host answered is remembered from page to page, and with it later pages are judged
 * at every level but `fast`.
 * Throws {@link UnableError} when a model is missing.
 */
export function createJudge(setup: DetectorSetup): Judge {
  const models = loadModels(setup.modelFolder);
  const detector = createDetector({ models, sureHam: setup.sureHam, sureGarbage: setup.sureGarbage });
  const { hosts, pagesPerHost } = HOSTS_REMEMBERED;
  const answers = new HostAnswers({ hosts, answersPerHost: pagesPerHost });
  const leanings = new HostLeanings(HOSTS_REMEMBERED);
  const farms = new FarmMemory(PHRASES_REMEMBERED);
  return (page, context, order) => {
    const { url } = context;
    const host = url === undefined ? '' : hostName(url);
    if (url === undefined || host === '') return detector.judge(page, context, order);
    const sketch = sketchOf(page, url);
    const domain = registrableDomain(host);
    const sample = samplePage(page);
    const remembered = {
      ...answers.knowledgeOf(host, url, sketch),
      spamLeaning: leanings.leaningOf(host, url),
      farm: farms.companyOf(domain, sample),
    };
    // `fast` judges a page by itself, so that a crawl killed and resumed ends as an undisturbed one.
    const known = order.level === 'fast' ? order.host : { ...remembered, ...order.host };
    const judgement = detector.judge(page, context, { ...order, host: known });
    const isError = judgement.verdict === 'soft-404' || judgement.verdict === 'default-page';
    answers.note(host, url, { sketch, isError });
    // Links put in by others say nothing about the site.
    const own = judgement.kinds.includes('injected') ? 0 : (judgement.features[OWN_SPAM] ?? 0);
    leanings.note(host, url, own);
    farms.note(domain, sample, own);
    return judgement;
  };
}

/** Of at least 2,000 pages that lean to spam, and as many domains as evidence counts and the page's own: 11 MB a thread. */
const PHRASES_REMEMBERED = { phrases: 48_000, domainsPerPhrase: 5 };

export function openModelStore(modelFolder: string): ModelStore<DetectorModel> {
  return new ModelStore<DetectorModel>(modelFolder, SHIPPED_MODELS, isDetectorModel);
}

/** Versions in use, for reports; 'none' where no model is to be had. */
export function modelVersions(dataDir: string): { readonly spam: string; readonly 'soft-404': string } {
  const store = openModelStore(join(dataDir, 'models'));
  return { spam: store.load('spam')?.version ?? 'none', 'soft-404': store.load('soft-404')?.version ?? 'none' };
}

function needed(store: ModelStore<DetectorModel>, detector: DetectorName): DetectorModel {
  const model = store.load(detector);
  if (model === undefined) {
    throw new UnableError(
      `no model for ${detector} is to be had: reinstall Winnow, or train one with "winnow train --detector ${detector}"`,
    );
  }
  return model;
}

/** Both models in use. Throws {@link UnableError} when one is missing. */
export function loadModels(modelFolder: string): Readonly<Record<DetectorName, DetectorModel>> {
  const store = openModelStore(modelFolder);
  return { spam: needed(store, 'spam'), 'soft-404': needed(store, 'soft-404') };
}

/** One above the highest whole number among a detector's versions. */
export function nextVersion(store: ModelStore<DetectorModel>, detector: DetectorName): string {
  const numbers = store
    .list()
    .filter((row) => row.detector === detector)
    .map((row) => Number(row.version));
  return String(Math.max(0, ...numbers.filter(Number.isInteger)) + 1);
}

/** Both models in use; undefined when one is missing. */
export function loadModelsIfAny(modelFolder: string): Readonly<Record<DetectorName, DetectorModel>> | undefined {
  const store = openModelStore(modelFolder);
  const spam = store.load('spam');
  const soft = store.load('soft-404');
  return spam === undefined || soft === undefined ? undefined : { spam, 'soft-404': soft };
}
