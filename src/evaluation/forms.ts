import { FORM_FEATURE_BITS, formFeatures } from '../focused-crawling/search-interface/form-features.ts';
import { ACCEPT_SCORE, ruleScore } from '../focused-crawling/search-interface/form-rules.ts';
import { classifyForm, isSearchForm } from '../focused-crawling/search-interface/search-interface.ts';
import { groupedFolds, splitFold } from '../kit/folds.ts';
import { f1, precision, recall } from '../kit/metrics.ts';
import { seededRandom } from '../kit/random.ts';
import {
  type SparseCase,
  type SparseLogistic,
  sparseScorer,
  trainSparseLogistic,
} from '../learning/sparse-logistic.ts';
import type { FormType } from '../model/lists.ts';
import type { Page } from '../model/page.ts';

/** One form a person has looked at. */
export interface JudgedForm {
  readonly type: FormType;
  /** Registrable domain. */
  readonly group: string;
  readonly features: SparseCase;
  readonly rule: number;
  /** What the classifier in use says. */
  readonly found: FormType;
}

interface Figures {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
}

export interface FormsEvaluation extends Figures {
  readonly pages: number;
  readonly forms: number;
  readonly searchForms: number;
  /** Pages whose number of forms is not the one judged. */
  readonly skipped: readonly string[];
  readonly folds?: number;
  /** The same forms by the rules alone. */
  readonly rule: Figures;
  /** Share of all judged forms whose type is right, by the classifier in use. */
  readonly typeAccuracy: number;
}

/** Letters of the annotations; others are not judged. */
const TYPES: Readonly<Record<string, FormType>> = {
  s: 'search',
  l: 'login',
  r: 'registration',
  p: 'password-recovery',
  m: 'mailing-list',
  c: 'contact',
  b: 'order',
  o: 'other',
};

/** The judged forms of a page; undefined when the page reader sees another number of forms than the annotator did. */
export function judgedForms(page: Page, letters: readonly string[], group: string): readonly JudgedForm[] | undefined {
  if (page.forms.length !== letters.length) return undefined;
  return page.forms.flatMap((form, at) => {
    const type = TYPES[letters[at] ?? ''];
    if (type === undefined) return [];
    return [{ type, group, features: formFeatures(form), rule: ruleScore(form), found: classifyForm(form).type }];
  });
}

/**
 * Search-form detection against judged forms. With folds the model is retrained for each, forms of one registrable
 * domain together; without, the rules are measured, which are what the program uses.
 */
export function evaluateForms(
  forms: readonly JudgedForm[],
  options: { readonly folds: number | undefined; readonly seed: number },
): Omit<FormsEvaluation, 'pages' | 'skipped'> {
  const truth = forms.map((form) => form.type === 'search');
  const found =
    options.folds === undefined
      ? forms.map((form) => form.found === 'search')
      : outOfFold(forms, { folds: options.folds, seed: options.seed });
  const right = forms.filter((form) => form.found === form.type).length;
  return {
    ...figures(found, truth),
    forms: forms.length,
    searchForms: truth.filter(Boolean).length,
    ...(options.folds === undefined ? {} : { folds: options.folds }),
    rule: figures(
      forms.map((form) => form.rule >= ACCEPT_SCORE),
      truth,
    ),
    typeAccuracy: forms.length === 0 ? 0 : right / forms.length,
  };
}

/** Settings of the learner; the data are small, so a dozen passes cost a second. */
const LEARNER = { bits: FORM_FEATURE_BITS, alpha: 0.3, beta: 1, l1: 0, l2: 0.3, epochs: 12, positiveWeight: 1 };

function trainFormModel(forms: readonly JudgedForm[], seed: number): SparseLogistic {
  return trainSparseLogistic(
    forms.map((form) => form.features),
    forms.map((form) => form.type === 'search'),
    { ...LEARNER, random: seededRandom(seed) },
  );
}

function outOfFold(
  forms: readonly JudgedForm[],
  options: { readonly folds: number; readonly seed: number },
): boolean[] {
  const foldOf = groupedFolds({
    classes: forms.map((form) => (form.type === 'search' ? 1 : 0)),
    groups: forms.map((form) => form.group),
    folds: options.folds,
    random: seededRandom(options.seed),
  });
  const found: boolean[] = [];
  for (let fold = 0; fold < options.folds; fold++) {
    const { train, test } = splitFold(foldOf, fold);
    const model = trainFormModel(
      Array.from(train).flatMap((row) => forms[row] ?? []),
      options.seed + fold,
    );
    const score = sparseScorer(model);
    for (const row of test) {
      const form = forms[row];
      if (form !== undefined) found[row] = isSearchForm(form.rule, score(form.features));
    }
  }
  return found;
}

function figures(found: readonly boolean[], truth: readonly boolean[]): Figures {
  const count = (is: boolean, was: boolean): number =>
    found.filter((value, i) => value === is && truth[i] === was).length;
  const confusion = {
    truePositives: count(true, true),
    falsePositives: count(true, false),
    trueNegatives: count(false, false),
    falseNegatives: count(false, true),
  };
  return { f1: f1(confusion), precision: precision(confusion), recall: recall(confusion) };
}
