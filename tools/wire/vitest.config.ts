import { mergeConfig } from 'vitest/config';
import everyTest from '../../vitest.config.ts';

/** The tests as they are, with every reply recorded; patient, since a late reply is the same reply. */
export default mergeConfig(everyTest, {
  test: {
    root: new URL('../..', import.meta.url).pathname,
    setupFiles: ['tools/wire/record-replies.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
