import { type Bagging, baggingDeltas, classifyBagging } from './bagging.ts';
import { type BoostedTrees, boostedTreesDeltas, scoreBoostedTrees } from './boosted-trees.ts';
import { type Boosting, boostingDeltas, classifyBoosting } from './boosting.ts';
import { type C45Tree, pathDeltas, scoreC45 } from './c45.ts';
import { type Calibration, calibrate } from './calibration.ts';
import type { Attribute, Values } from './dataset.ts';
import { type LogisticRegression, logisticDeltas, scoreLogistic } from './logistic-regression.ts';

/** What a learner leaves: plain JSON data, told apart by `kind`. */
export type Model = C45Tree | Bagging | Boosting | BoostedTrees | LogisticRegression | CalibratedModel;

/** A model whose scores are mapped to probabilities. */
export interface CalibratedModel {
  readonly kind: 'calibrated';
  readonly model: Exclude<Model, CalibratedModel>;
  readonly calibration: Calibration;
}

/** Probability of the positive class; `values` in the order of the model's attributes, NaN where missing. */
export function score(model: Model, values: Values): number {
  switch (model.kind) {
    case 'c45':
      return scoreC45(model, values);
    case 'bagging':
      return classifyBagging(model, values)[model.positive] ?? 0;
    case 'boosting':
      return classifyBoosting(model, values)[model.positive] ?? 0;
    case 'boosted-trees':
      return scoreBoostedTrees(model, values);
    case 'logistic':
      return scoreLogistic(model, values);
    case 'calibrated':
      return calibrate(model.calibration, score(model.model, values));
  }
}

export interface Contribution {
  readonly attribute: string;
  readonly value: number | undefined;
  /** How far the attribute moved this case's score: in probability for c45 and bagging, else in log-odds. */
  readonly delta: number;
}

/** Attributes that moved the score of one case, the strongest first; those without effect are left out. */
export function contributions(model: Model, values: Values): Contribution[] {
  const deltas = deltasOf(model, values);
  return attributesOf(model)
    .map(({ name }, at) => {
      const value = values[at];
      return {
        attribute: name,
        value: value === undefined || Number.isNaN(value) ? undefined : value,
        delta: deltas[at] ?? 0,
      };
    })
    .filter(({ delta }) => delta !== 0)
    .sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta));
}

export function attributesOf(model: Model): readonly Attribute[] {
  return model.kind === 'calibrated' ? model.model.attributes : model.attributes;
}

/** The values of a record by attribute name; an absent name is missing. */
export function valuesInOrder(model: Model, record: Readonly<Record<string, number | undefined>>): Float64Array {
  return Float64Array.from(attributesOf(model), ({ name }) => record[name] ?? Number.NaN);
}

function deltasOf(model: Model, values: Values): Float64Array {
  switch (model.kind) {
    case 'c45':
      return pathDeltas(model, model.nodes, values);
    case 'bagging':
      return baggingDeltas(model, values);
    case 'boosting':
      return boostingDeltas(model, values);
    case 'boosted-trees':
      return boostedTreesDeltas(model, values);
    case 'logistic':
      return logisticDeltas(model, values);
    case 'calibrated':
      return deltasOf(model.model, values);
  }
}
