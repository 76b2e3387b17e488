import type { Random } from '../../kit/random.ts';

const LETTERS = 'bcdfghjkmpqvwxz';

/** A word that no site holds: what its search answers to it is the answer's furniture. */
export function nonsenseWord(random: Random): string {
  return Array.from({ length: 12 }, () => LETTERS.charAt(random.below(LETTERS.length))).join('');
}
