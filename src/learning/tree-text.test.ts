import { expect, it } from 'vitest';
import { J48_OPTIONS, trainC45 } from './c45.ts';
import type { Dataset } from './dataset.ts';
import { treeText } from './tree-text.ts';

// Quinlan's fourteen cases; J48's tree for them is in every introduction to Weka.
const rows: [string, number, number, string, string][] = [
  ['sunny', 85, 85, 'FALSE', 'no'],
  ['sunny', 80, 90, 'TRUE', 'no'],
  ['overcast', 83, 86, 'FALSE', 'yes'],
  ['rainy', 70, 96, 'FALSE', 'yes'],
  ['rainy', 68, 80, 'FALSE', 'yes'],
  ['rainy', 65, 70, 'TRUE', 'no'],
  ['overcast', 64, 65, 'TRUE', 'yes'],
  ['sunny', 72, 95, 'FALSE', 'no'],
  ['sunny', 69, 70, 'FALSE', 'yes'],
  ['rainy', 75, 80, 'FALSE', 'yes'],
  ['sunny', 75, 70, 'TRUE', 'yes'],
  ['overcast', 72, 90, 'TRUE', 'yes'],
  ['overcast', 81, 75, 'FALSE', 'yes'],
  ['rainy', 71, 91, 'TRUE', 'no'],
];
const outlooks = ['sunny', 'overcast', 'rainy'];
const winds = ['TRUE', 'FALSE'];
const weather: Dataset = {
  attributes: [
    { name: 'outlook', kind: 'nominal', values: outlooks },
    { name: 'temperature', kind: 'numeric' },
    { name: 'humidity', kind: 'numeric' },
    { name: 'windy', kind: 'nominal', values: winds },
  ],
  columns: [
    Float64Array.from(rows, (row) => outlooks.indexOf(row[0])),
    Float64Array.from(rows, (row) => row[1]),
    Float64Array.from(rows, (row) => row[2]),
    Float64Array.from(rows, (row) => winds.indexOf(row[3])),
  ],
  classes: ['yes', 'no'],
  labels: Int32Array.from(rows, (row) => (row[4] === 'yes' ? 0 : 1)),
  positive: 0,
};

it('prints the weather tree as J48 does', () => {
  expect(treeText(trainC45(weather, J48_OPTIONS), 'J48 pruned tree')).toBe(
    [
      'J48 pruned tree',
      '------------------',
      '',
      'outlook = sunny',
      '|   humidity <= 75: yes (2.0)',
      '|   humidity > 75: no (3.0)',
      'outlook = overcast: yes (4.0)',
      'outlook = rainy',
      '|   windy = TRUE: no (2.0)',
      '|   windy = FALSE: yes (3.0)',
      '',
      'Number of Leaves  : \t5',
      '',
      'Size of the tree : \t8',
      '',
    ].join('\n'),
  );
});

it('prints a single leaf with its errors, and fractions to two decimals', () => {
  const leaf = trainC45(weather, { ...J48_OPTIONS, minCases: 10 });
  expect(treeText(leaf, 'J48 pruned tree')).toContain('\n\n: yes (14.0/5.0)\n');
  const weights = new Float64Array(14).fill(0.4567);
  expect(treeText(trainC45(weather, { ...J48_OPTIONS, minCases: 10 }, weights), 'J48 pruned tree')).toContain(
    '(6.39/2.28)',
  );
});

it('divides a case of unknown outlook among the branches as C4.5', () => {
  const unknown = { ...weather, columns: weather.columns.map((column) => column.slice()) };
  unknown.columns[0]?.set([Number.NaN], 2);
  const text = treeText(trainC45(unknown, J48_OPTIONS), 'J48 pruned tree');
  // 13 known: 5/13, 3/13 and 5/13 of the case go to sunny, overcast and rainy (Quinlan 1993, ch. 3).
  expect(text).toContain('outlook = overcast: yes (3.23)');
  expect(text).toContain('|   humidity > 75: no (3.38/0.38)');
});
