import { type TestAPI, test } from 'vitest';
import { isLongRun } from './is-long-run.ts';

const leaveOut = (): void => undefined;

/** A permutation of what another test shows: `npm run test:long` alone has it. */
export const longTest = (isLongRun ? test : leaveOut) as TestAPI;
