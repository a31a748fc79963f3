import { defineConfig } from 'vitest/config';

/** The rules that read only the text of the repository: no database, one worker. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['tools/*.test.ts'],
    // They start programs of their own; `npm test` runs them.
    exclude: ['tools/import-rules.test.ts', 'tools/tenant-sql.test.ts'],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
  },
});
