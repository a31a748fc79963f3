import { defineConfig } from 'vitest/config';

const excluded = [
  '**/node_modules/**',
  '**/.florin/**',
  // Permutations of what other files run one representative of: `npm run test:long`.
  ...(process.env.TEST_LONG === '1' ? [] : ['**/*.long.test.ts']),
];

export default defineConfig({
  test: {
    // Torn down from the last to the first: what makes a run fail must not leave its database running.
    globalSetup: [
      'test/harness/failures/setup.ts',
      'test/harness/simulator/setup.ts',
      'test/harness/programs/setup.ts',
      'test/harness/database/setup.ts',
    ],
    include: ['**/*.test.ts'],
    exclude: excluded,
    pool: 'threads',
    // Files of a worker share its modules: loading them anew for each took a third of the run's CPU.
    isolate: false,
    // More than twice as many as the smallest machine has cores: many tests wait for programs that they
    // started. With four a seventh of the CPU had nothing to do.
    maxWorkers: 5,
    // Limits against tests that hang: three times what the slowest takes alone on a quiet machine.
    testTimeout: 90_000,
    hookTimeout: 180_000,
  },
});
