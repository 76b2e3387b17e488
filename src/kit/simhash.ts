/**
 * Charikar's similarity hash of 64 bits, kept as two unsigned 32-bit halves: features with weights vote on each bit.
 * The share of bits in which two hashes differ estimates the angle between their feature vectors over π.
 */
export class Simhash {
  readonly #votes = new Float64Array(64);

  /** `high` and `low` are the halves of the feature's own 64-bit hash. */
  add(high: number, low: number, weight: number): void {
    const votes = this.#votes;
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = (votes[bit] ?? 0) + ((low >>> bit) & 1 ? weight : -weight);
      votes[bit + 32] = (votes[bit + 32] ?? 0) + ((high >>> bit) & 1 ? weight : -weight);
    }
  }

  /** Both halves, unsigned. A bit is set when its votes are above zero; no features give zero. */
  halves(): { readonly high: number; readonly low: number } {
    let high = 0;
    let low = 0;
    for (let bit = 0; bit < 32; bit++) {
      if ((this.#votes[bit] ?? 0) > 0) low |= 1 << bit;
      if ((this.#votes[bit + 32] ?? 0) > 0) high |= 1 << bit;
    }
    return { high: high >>> 0, low: low >>> 0 };
  }
}

/** Number of differing bits of two 64-bit values given as halves. */
export function hamming64(highA: number, lowA: number, highB: number, lowB: number): number {
  return popcount32(highA ^ highB) + popcount32(lowA ^ lowB);
}

export function popcount32(value: number): number {
  value -= (value >>> 1) & 0x55555555;
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333);
  return Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
