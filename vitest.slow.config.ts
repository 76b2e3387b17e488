import { defineConfig } from 'vitest/config';

/** Suites with real servers, real sites and killed processes: one after the other. `.ci/run` runs them after `npm test`. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 300_000,
  },
});
