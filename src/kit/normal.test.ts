import { expect, it } from 'vitest';
import { normalQuantile } from './normal.ts';

// Quantiles of the standard normal distribution as tabulated to 15 places.
it.each([
  [0.5, 0],
  [0.75, 0.674489750196082],
  [0.9, 1.2815515655446],
  [0.95, 1.64485362695147],
  [0.975, 1.95996398454005],
  [0.99, 2.32634787404084],
  [0.999, 3.09023230616781],
  [0.1, -1.2815515655446],
  [1e-9, -5.99780701500768],
  [1e-20, -9.26234008979841],
])('Φ⁻¹(%d) = %d', (p, z) => {
  expect(normalQuantile(p)).toBeCloseTo(z, 11);
});
