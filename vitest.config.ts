import { defineConfig } from 'vitest/config';

const excluded = ['**/node_modules/**', '**/.florin/**'];

export default defineConfig({
  test: {
    globalSetup: ['test/harness/global-setup.ts'],
    include: ['**/*.test.ts'],
    exclude: excluded,
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
