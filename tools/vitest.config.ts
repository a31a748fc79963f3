import { defineConfig } from 'vitest/config';

/** The rules that read only the text of the repository, imports among it: no database, one worker. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: [
      'tools/house-rules/*.test.ts',
      'tools/import-rules/{find-violations,module-order}.test.ts',
    ],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    // Several times what the slowest takes on a machine that does other work too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
