import { mergeConfig } from 'vitest/config';
import everyTest from '../../vitest.config.ts';

/** The tests as they are, with every reply of every server recorded. */
export default mergeConfig(everyTest, {
  test: {
    root: new URL('../..', import.meta.url).pathname,
    setupFiles: ['tools/wire/record-replies.ts'],
  },
});
