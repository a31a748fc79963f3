import { test } from 'vitest';
import { isLongRun } from './is-long-run.ts';

/** A permutation of what another test shows: `npm run test:long` alone runs it. */
export const longTest = test.runIf(isLongRun);
