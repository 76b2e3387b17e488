import { expect, it } from 'vitest';
import { featureRow, VOCABULARY } from './train-detector.ts';

it('a learner sees the score of the vocabulary under its name, and unknown values as missing', () => {
  expect([...featureRow({ words: 3 }, ['words', VOCABULARY, 'links'], -1.5)]).toEqual([3, -1.5, Number.NaN]);
});
