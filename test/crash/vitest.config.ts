import { mergeConfig } from 'vitest/config';
import everyTest from '../../vitest.config.ts';

/** `npm run test:kills`: long rounds of kills under load, which `npm test` leaves out. */
const { test } = everyTest;
export default mergeConfig(
  { ...everyTest, test: { ...test, include: [] } },
  {
    test: {
      root: new URL('../..', import.meta.url).pathname,
      include: ['test/crash/*.kills.ts'],
      maxWorkers: 1,
    },
  },
);
