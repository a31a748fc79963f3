import { mergeConfig } from 'vitest/config';
import everyTest from '../../vitest.config.ts';

/** `npm run measure:page`: figures of the payer's page, from the running service, against their limits. */
const { test } = everyTest;
export default mergeConfig(
  { ...everyTest, test: { ...test, include: [] } },
  {
    test: {
      root: new URL('../..', import.meta.url).pathname,
      include: ['test/browser/*.measured.ts'],
      maxWorkers: 1,
    },
  },
);
