import type { FeatureVector } from '../../model/garbage.ts';
import type { DetectorName } from '../../model/lists.ts';
import type { CostLevel, Heuristic } from './heuristic.ts';
import { affiliateLinks } from './heuristics/affiliate-links.ts';
import { compressionRatio } from './heuristics/compression.ts';
import { garbageNeighbours } from './heuristics/garbage-neighbours.ts';
import { hiddenText } from './heuristics/hidden-text.ts';
import { fragments, hotlinks } from './heuristics/hotlinks.ts';
import { images } from './heuristics/images.ts';
import { injectedLinks } from './heuristics/injected-links.ts';
import { anchorShare, linkRatios, repeatedLinks } from './heuristics/links.ts';
import { metaDescription } from './heuristics/meta-description.ts';
import { keywordStuffing, metaKeywords } from './heuristics/meta-keywords.ts';
import { addressEcho, errorCodes, notFoundPhrases } from './heuristics/not-found.ts';
import { pageSize } from './heuristics/page-size.ts';
import { parkingLayout, parkingServices, parkingSigns, standingNotices } from './heuristics/parking.ts';
import { clientRedirect, robotsNoindex, serverRedirect } from './heuristics/redirects.ts';
import { repetition } from './heuristics/repetition.ts';
import { decodingFunctions, evaluatedCode, obfuscation, scriptInjection } from './heuristics/scripts.ts';
import { reportedFault, statedAbsence } from './heuristics/stated-absence.ts';
import { foreignIdentity, structuredData } from './heuristics/structured-data.ts';
import { bodyShape, titleShape, titleStuffing } from './heuristics/stuffing.ts';
import { templateFarm } from './heuristics/template-farm.ts';
import { tradeLinks } from './heuristics/trade-links.ts';
import { tradeAddresses, tradeWords } from './heuristics/trades.ts';
import { urlShape } from './heuristics/url-shape.ts';
import { visibleShare, wordCounts } from './heuristics/word-counts.ts';
import { wordLength } from './heuristics/word-length.ts';
import type { PageFacts } from './page-facts.ts';

/**
 * Every heuristic. A6 (spam phrases) is learned with the model and applied by `terms.ts`;
 * A14 (stop-word share) is left out: it tells the language of a page, and language must not decide.
 */
export const HEURISTICS: readonly Heuristic[] = [
  wordLength,
  wordCounts,
  metaKeywords,
  metaDescription,
  keywordStuffing,
  decodingFunctions,
  scriptInjection,
  evaluatedCode,
  obfuscation,
  clientRedirect,
  images,
  hiddenText,
  linkRatios,
  anchorShare,
  visibleShare,
  compressionRatio,
  urlShape,
  pageSize,
  repetition,
  repeatedLinks,
  injectedLinks,
  tradeWords,
  tradeAddresses,
  tradeLinks,
  affiliateLinks,
  hotlinks,
  fragments,
  titleStuffing,
  titleShape,
  bodyShape,
  structuredData,
  foreignIdentity,
  garbageNeighbours,
  templateFarm,
  notFoundPhrases,
  errorCodes,
  addressEcho,
  statedAbsence,
  reportedFault,
  serverRedirect,
  robotsNoindex,
  parkingServices,
  parkingLayout,
  parkingSigns,
  standingNotices,
];

export { type PageFacts, pageFacts } from './page-facts.ts';
export { pageTerms, visitTerms } from './terms.ts';

const LEVEL_ORDER: Readonly<Record<CostLevel, number>> = { A: 0, B: 1, C: 2 };

/** The heuristics a detector may use up to a cost level. */
export function heuristicsFor(detectors: readonly DetectorName[], highest: CostLevel): Heuristic[] {
  return upTo(highest).filter((heuristic) => heuristic.detectors.some((name) => detectors.includes(name)));
}

/** Those up to a cost level that no model learns from: what they say counts by rules. */
export function unlearnedHeuristics(highest: CostLevel): Heuristic[] {
  return upTo(highest).filter(({ detectors }) => detectors.length === 0);
}

function upTo(highest: CostLevel): Heuristic[] {
  return HEURISTICS.filter(({ level }) => LEVEL_ORDER[level] <= LEVEL_ORDER[highest]);
}

/** Values of these heuristics; unknown ones are absent. */
export function analyse(facts: PageFacts, heuristics: readonly Heuristic[]): FeatureVector {
  const features: Record<string, number> = {};
  for (const heuristic of heuristics) {
    const values = heuristic.compute(facts);
    for (let i = 0; i < heuristic.names.length; i++) {
      const name = heuristic.names[i];
      const value = values[i];
      if (name !== undefined && value !== undefined && Number.isFinite(value)) features[name] = value;
    }
  }
  return features;
}
