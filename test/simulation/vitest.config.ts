import { mergeConfig } from 'vitest/config';
import everyTest from '../../vitest.config.ts';

/** `npm run test:model`: three hundred sequences of the money model, and as many stories of reports. */
const { test } = everyTest;
export default mergeConfig(
  { ...everyTest, test: { ...test, include: [] } },
  {
    test: {
      root: new URL('../..', import.meta.url).pathname,
      include: ['test/simulation/money-model.test.ts', 'test/simulation/reports.test.ts'],
      env: {
        MODEL_RUNS: process.env.MODEL_RUNS ?? '300',
        REPORTS_RUNS: process.env.REPORTS_RUNS ?? '300',
      },
    },
  },
);
