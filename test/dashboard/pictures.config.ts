import { mergeConfig } from 'vitest/config';
import everyTest from '../../vitest.config.ts';

/** `npm run pictures:dashboard`: draws every page into the ignored folder pictures/dashboard. */
const { test } = everyTest;
export default mergeConfig(
  { ...everyTest, test: { ...test, include: [] } },
  {
    test: {
      root: new URL('../..', import.meta.url).pathname,
      include: ['test/dashboard/*.pictures.ts'],
      maxWorkers: 1,
    },
  },
);
