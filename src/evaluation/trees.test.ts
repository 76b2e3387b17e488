import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asDataset, parseArff } from './arff.ts';
import { differingAttribute, evaluateTrees, type TreeLearner } from './trees.ts';

// Real tables and Weka's figures on them, beside the project where it is developed; not part of it.
const FOLDER = new URL('../../../shared/data/tabular/', import.meta.url);
const here = existsSync(FOLDER);

const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
const table = (name: string) => asDataset(parseArff(read(name)));
const weka = here
  ? read('weka.tsv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
  : [];

describe.skipIf(!here)('against Weka on fixed splits (skipped without ../shared/data/tabular)', () => {
  it.each(weka)(
    '%s %s of %s',
    (set, learner, iterations, ...figures) => {
      const [accuracy = 0, , , f1 = 0, auc = 0, leaves = 0, treeSize = 0, ...matrix] = figures.map(Number);
      const ours = evaluateTrees(table(`${set}.train.arff`), {
        learner: learner?.replace('-unpruned', '') as TreeLearner,
        iterations: Number(iterations),
        pruning: learner === 'c45-unpruned' ? 'unpruned' : 'pruned',
        seed: 1,
        test: table(`${set}.test.arff`),
      });
      expect(ours.accuracy).toBeGreaterThan(accuracy - 0.01);
      expect(ours.f1).toBeGreaterThan(f1 - 0.03);
      expect(ours.rocAuc).toBeGreaterThan(auc - 0.02);
      // Trees and AdaBoost have no chance in them: the same to the case.
      if (learner !== 'bagging') expect(ours.confusion.flat()).toEqual(matrix);
      if (learner?.startsWith('c45')) expect([ours.leaves, ours.treeSize]).toEqual([leaves, treeSize]);
    },
    60_000,
  );

  it('prints the tree of spambase as J48 prints it', () => {
    const ours = evaluateTrees(table('spambase.train.arff'), {
      learner: 'c45',
      iterations: 1,
      pruning: 'pruned',
      seed: 1,
      test: table('spambase.test.arff'),
    });
    const printed = ours.tree?.trim() ?? '';
    expect(read('spambase.j48.txt')).toContain(printed);
    expect(printed.split('\n').length).toBeGreaterThan(143);
  });
});

describe('evaluateTrees', () => {
  const rows = Array.from(
    { length: 60 },
    (_, at) => `${at},${(at * 7) % 13},${at > 24 !== (at % 15 === 0) ? 'yes' : 'no'}`,
  );
  const data = asDataset(
    parseArff(
      `@relation r\n@attribute x numeric\n@attribute y numeric\n@attribute c {yes,no}\n@data\n${rows.join('\n')}\n`,
    ),
    'c',
    'yes',
  );

  it.each(['c45', 'bagging', 'boosting'] as const)(
    '%s tests every case once over the folds, alike for a seed',
    (learner) => {
      const options = { learner, iterations: 5, pruning: 'pruned', seed: 3, test: 5 } as const;
      const { seconds, ...report } = evaluateTrees(data, options);
      const { seconds: _, ...again } = evaluateTrees(data, options);
      expect(again).toEqual(report);
      expect(seconds).toBeGreaterThan(0);
      expect(report.instances).toBe(60);
      expect(report.confusion.flat().reduce((sum, count) => sum + count, 0)).toBe(60);
      expect(report.accuracy).toBeGreaterThan(0.85);
      expect(report.tree === undefined).toBe(learner !== 'c45');
      expect(report.iterations).toBe(learner === 'c45' ? 1 : 5);
    },
  );

  it('names what a test table has otherwise', () => {
    const renamed = data.attributes.map((one) => (one.name === 'y' ? { ...one, name: 'z' } : one));
    expect(differingAttribute(data, data)).toBeUndefined();
    expect(differingAttribute(data, { ...data, attributes: renamed })).toBe('y');
    expect(differingAttribute(data, { ...data, attributes: data.attributes.slice(1) })).toBe('x');
    expect(
      differingAttribute(data, { ...data, attributes: [...data.attributes, { name: 'w', kind: 'numeric' }] }),
    ).toBe('w');
    expect(differingAttribute(data, { ...data, classes: ['no', 'yes'] })).toBe('class');
  });

  it('counts precision and recall of the positive class, wherever it stands', () => {
    const options = { learner: 'c45', iterations: 1, pruning: 'unpruned', seed: 1, test: data } as const;
    const yes = evaluateTrees(data, options);
    const no = evaluateTrees({ ...data, positive: 1 }, { ...options, test: { ...data, positive: 1 } });
    const [[truePositives = 0, falseNegatives = 0] = [], [falsePositives = 0] = []] = yes.confusion;
    expect(yes.precision).toBeCloseTo(truePositives / (truePositives + falsePositives), 12);
    expect(yes.recall).toBeCloseTo(truePositives / (truePositives + falseNegatives), 12);
    expect(no.confusion).toEqual(yes.confusion);
    expect(no.rocAuc).toBeCloseTo(yes.rocAuc, 12);
  });
});
