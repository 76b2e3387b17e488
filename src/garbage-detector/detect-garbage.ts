import { explainPath, type PathStep } from '../learning/c45.ts';
import { logOdds } from '../learning/calibration.ts';
import { type Contribution, contributions } from '../learning/learning.ts';
import type { FeatureVector, Judgement } from '../model/garbage.ts';
import type { DetectorName, GarbageKind, Verdict } from '../model/lists.ts';
import type { Page, PageContext } from '../model/page.ts';
import {
  analyse,
  heuristicsFor,
  type PageFacts,
  pageFacts,
  unlearnedHeuristics,
  visitTerms,
} from './content-analyser/content-analyser.ts';
import type { Heuristic } from './content-analyser/heuristic.ts';
import type { PageCompany } from './content-analyser/page-company.ts';
import { TERM_PLACES } from './content-analyser/terms.ts';
import { garbageKinds, softVerdict } from './garbage-kinds.ts';
import { companyEvidence, companyShift } from './supervised-analyser/company-evidence.ts';
import { type DetectorModel, type LevelName, type NamedPart, partOf } from './supervised-analyser/detector-model.ts';
import { evidenceShift, type HostEvidence, hostShift, SHIFT_FEATURES } from './supervised-analyser/evidence-shift.ts';
import { hasInjectedLinks, sendsToTrade, spamEvidence } from './supervised-analyser/spam-evidence.ts';
import { pairScorer, type TermScore } from './supervised-analyser/term-model.ts';
import { featureRow, partProbability } from './supervised-analyser/train-detector.ts';
import {
  HIGHEST_COST,
  isSure,
  type JudgingLevel,
  planFor,
  type TreeChoice,
  type TreeSize,
} from './system-configurator/system-configurator.ts';

export interface DetectorOptions {
  readonly models: Readonly<Record<DetectorName, DetectorModel>>;
  /** `auto`: below and above these the fast trees decide alone. */
  readonly sureHam: number;
  readonly sureGarbage: number;
}

/** What is known beyond the page, of its host and of other sites: nothing is requested for it. */
export interface HostKnowledge extends HostEvidence, PageCompany {
  /** The page holds links injected by others (hacked page), as found elsewhere. */
  readonly injectedLinks?: boolean | undefined;
  /** A link to it led into an area that is possibly soft-404. */
  readonly possibleSoft404?: boolean | undefined;
}

export interface JudgeHow {
  /** As configured; named in the judgement. */
  readonly level: JudgingLevel | 'auto';
  readonly host: HostKnowledge;
  /** From the system configurator: reduced trees under load. */
  readonly size: TreeSize;
}

/** Judges pages. Holds no state of pages: the same input gives the same judgement, in any thread. */
export interface Detector {
  judge(page: Page, context: PageContext, how: JudgeHow): Judgement;
}

/** Soft-404 decides first at its threshold, then spam; else the page is kept. */
export function createDetector(options: DetectorOptions): Detector {
  const planOf = planner(options.models);
  const scoreTerms = pairScorer(options.models.spam.terms, options.models['soft-404'].terms);
  return {
    judge(page, context, how) {
      const facts = pageFacts(page, context, how.host);
      const [spam, soft] = scoreTerms((place, visit) => visitTerms(facts, place, visit));
      const found = { spam, 'soft-404': soft };
      let opinion: Opinion | undefined;
      for (const choice of planFor(how.level, how.size)) {
        opinion = opinionOf({ planOf, facts, found, host: how.host, before: opinion?.features }, choice);
        if (isSure(opinion.probability, options.sureHam, options.sureGarbage)) break;
      }
      if (opinion === undefined) throw new Error('a judgement needs at least one tree');
      return conclude({ options, how, facts, opinion, found });
    },
  };
}

/** Name of the feature that holds the log-odds of spam by the page's own evidence. */
export const OWN_SPAM = 'spam_own_log_odds';

type Found = Readonly<Record<DetectorName, TermScore>>;

interface Opinion {
  readonly choice: TreeChoice;
  readonly features: FeatureVector;
  readonly parts: Readonly<Record<DetectorName, NamedPart>>;
  readonly values: Readonly<Record<DetectorName, Float64Array>>;
  readonly probability: Readonly<Record<DetectorName, number>>;
  /** Of the soft-404 detector, in log-odds. */
  readonly shift: number;
  /** Part of the shift that comes from other answers of the host. */
  readonly known: number;
  /** Of the spam detector: what links put in by others add. */
  readonly links: number;
  /** Of the spam detector: what the host's other pages add. */
  readonly leaning: number;
  /** Of the spam detector: what the page's company on other sites adds. */
  readonly company: number;
  /** Probability of spam without the host's other pages and other sites. */
  readonly own: number;
}

interface Question {
  readonly planOf: PlanOf;
  readonly facts: PageFacts;
  readonly found: Found;
  readonly host: HostKnowledge;
  /** What cheaper trees were told: not computed again. */
  readonly before: FeatureVector | undefined;
}

function opinionOf({ planOf, facts, found, host, before }: Question, choice: TreeChoice): Opinion {
  const { parts, heuristics } = planOf(choice);
  const features =
    before === undefined
      ? analyse(facts, heuristics)
      : {
          ...before,
          ...analyse(
            facts,
            heuristics.filter(({ names }) => names.some((name) => !(name in before))),
          ),
        };
  const values = {
    spam: featureRow(features, parts.spam.features, found.spam.score),
    'soft-404': featureRow(features, parts['soft-404'].features, found['soft-404'].score),
  };
  const known = hostShift(host, features);
  const shift = evidenceShift('soft-404', features) + known;
  const links = evidenceShift('spam', features);
  const leaning = host.spamLeaning ?? 0;
  const company = companyShift(features);
  const spamBy = { vocabulary: found.spam.score, evidence: links };
  const probability = {
    spam: partProbability(parts.spam, values.spam, { ...spamBy, evidence: links + leaning + company }),
    'soft-404': partProbability(parts['soft-404'], values['soft-404'], {
      vocabulary: found['soft-404'].score,
      evidence: shift,
    }),
  };
  const own = leaning + company === 0 ? probability.spam : partProbability(parts.spam, values.spam, spamBy);
  return { choice, features, parts, values, probability, shift, known, links, leaning, company, own };
}

interface Plan {
  readonly parts: Readonly<Record<DetectorName, NamedPart>>;
  /** What the trees and the evidence ask for. */
  readonly heuristics: readonly Heuristic[];
}

type PlanOf = (choice: TreeChoice) => Plan;

/** The same for every page, so each is made once. */
function planner(models: DetectorOptions['models']): PlanOf {
  const made = new Map<string, Plan>();
  return (choice) => {
    const name = `${choice.level} ${choice.size}`;
    const plan = made.get(name) ?? makePlan(models, choice);
    made.set(name, plan);
    return plan;
  };
}

function makePlan(models: DetectorOptions['models'], { level, size }: TreeChoice): Plan {
  const parts = {
    spam: partOf(models.spam, treesOf(level), size),
    'soft-404': partOf(models['soft-404'], treesOf(level), size),
  };
  const needed = new Set([...parts.spam.features, ...parts['soft-404'].features, ...SHIFT_FEATURES]);
  const highest = HIGHEST_COST[level];
  const learned = heuristicsFor(['spam', 'soft-404'], highest).filter(({ names }) =>
    names.some((name) => needed.has(name)),
  );
  return { parts, heuristics: [...learned, ...unlearnedHeuristics(highest)] };
}

function treesOf(level: JudgingLevel): LevelName {
  return level === 'fast' ? 'fast' : 'standard';
}

interface Conclusion {
  readonly options: DetectorOptions;
  readonly how: JudgeHow;
  readonly facts: PageFacts;
  readonly opinion: Opinion;
  readonly found: Found;
}

function conclude({ options, how, facts, opinion, found }: Conclusion): Judgement {
  const { probability, parts, choice } = opinion;
  const threshold = { spam: parts.spam.threshold, 'soft-404': parts['soft-404'].threshold };
  const verdict = decide(probability, threshold, facts);
  const detector = verdict === 'spam' || verdict === 'keep' ? 'spam' : 'soft-404';
  const kinds: readonly GarbageKind[] = garbageKinds(verdict, facts, {
    injectedLinks: how.host.injectedLinks === true || hasInjectedLinks(opinion.features),
    sendsAway: sendsToTrade(opinion.features),
  });
  return {
    verdict,
    kinds,
    probability,
    threshold,
    level: how.level,
    trees: [`spam/${choice.level}/${choice.size}`, `soft-404/${choice.level}/${choice.size}`],
    features: {
      ...opinion.features,
      spam_term_score: found.spam.score,
      soft_term_score: found['soft-404'].score,
      [OWN_SPAM]: logOdds(opinion.own),
    },
    reasons: reasonsOf(opinion, detector, found[detector]),
    modelVersion: `${options.models.spam.version} ${options.models['soft-404'].version}`,
  };
}

function decide(
  probability: Readonly<Record<DetectorName, number>>,
  threshold: Readonly<Record<DetectorName, number>>,
  facts: PageFacts,
): Verdict {
  if (probability['soft-404'] >= threshold['soft-404']) return softVerdict(facts);
  return probability.spam >= threshold.spam ? 'spam' : 'keep';
}

const REASONS = 5;

/** The tree's path, or the features that moved an ensemble's score most; then the terms behind the vocabulary's score. */
function reasonsOf(opinion: Opinion, detector: DetectorName, terms: TermScore): string[] {
  const { model } = opinion.parts[detector];
  const values = opinion.values[detector];
  const inner = model.kind === 'calibrated' ? model.model : model;
  const reasons =
    inner.kind === 'c45'
      ? explainPath(inner, values).map(describeStep)
      : contributions(inner, values)
          .slice(0, REASONS)
          .map((contribution) => describeContribution(contribution, detector));
  const words = terms.strongest
    .slice(0, REASONS)
    .map(({ term, weight }) => `${describeTerm(term)} (${signed(weight)})`);
  if (words.length > 0) reasons.push(`words that counted most: ${words.join(', ')}`);
  if (detector === 'soft-404') reasons.push(...describeShifts(opinion));
  else reasons.push(...describeSpamEvidence(opinion));
  return reasons;
}

function describeSpamEvidence({ links, leaning, company, features }: Opinion): string[] {
  const reasons: string[] = [];
  if (links > 0) reasons.push(`${spamEvidence(features).join('; ')}: more like spam (${signed(links)})`);
  if (leaning > 0) reasons.push(`other pages of its host look like spam: more like spam (${signed(leaning)})`);
  if (company > 0) reasons.push(`${companyEvidence(features).join('; ')}: more like spam (${signed(company)})`);
  return reasons;
}

function describeShifts({ shift, known, features }: Opinion): string[] {
  const reasons: string[] = [];
  if (shift !== known) reasons.push(describeShift(shift - known, features));
  if (known > 0) reasons.push(`its host says the same at other addresses: more like soft-404 (${signed(known)})`);
  return reasons;
}

function describeShift(shift: number, features: FeatureVector): string {
  if (shift < 0)
    return `${Math.max(features['main_words'] ?? 0, features['long_block_words'] ?? 0) > 100 ? 'long text of its own' : 'no sign of an error'} (${features['main_words'] ?? 0} words): less like soft-404 (${signed(shift)})`;
  return `${evidenceText(features)}: more like soft-404 (${signed(shift)})`;
}

function evidenceText(features: FeatureVector): string {
  if ((features['echoes_url'] ?? 0) > 0) return 'little but the address asked for';
  if ((features['parking_signs'] ?? 0) > 1) return 'several signs of a parked domain';
  return 'a status line, a notice that there is no such page or a report of a fault, and little else';
}

function describeStep({ attribute, op, threshold, value }: PathStep): string {
  if (op === 'missing' || value === undefined) return `${attribute} is unknown`;
  return `${attribute} = ${short(value)} (${op} ${typeof threshold === 'number' ? short(threshold) : threshold})`;
}

function describeContribution({ attribute, value, delta }: Contribution, detector: DetectorName): string {
  const shown = value === undefined ? 'unknown' : short(value);
  return `${attribute} = ${shown}: ${delta > 0 ? 'more' : 'less'} like ${detector} (${signed(delta)})`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : '−'}${short(Math.abs(value))}`;
}

function describeTerm(term: string): string {
  const place = term.charAt(0);
  const where = Object.entries(TERM_PLACES).find(([letter]) => letter === place)?.[1] ?? '';
  return `"${term.slice(2)}" ${where}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
