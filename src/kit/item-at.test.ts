import { expect, it } from 'vitest';
import { itemAt } from './item-at.ts';

it('gives the item, falsy ones too, and throws past either end', () => {
  expect(itemAt([0, ''], 0)).toBe(0);
  expect(itemAt([0, ''], 1)).toBe('');
  expect(() => itemAt(['a'], 1)).toThrow(/no item 1 among 1/);
  expect(() => itemAt(['a'], -1)).toThrow(RangeError);
});
