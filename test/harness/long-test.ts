import { describe, type SuiteAPI, type TestAPI, test } from 'vitest';
import { isLongRun } from './is-long-run.ts';

const nothing = (): void => undefined;
const leaveOut = Object.assign(nothing, { each: () => nothing, runIf: () => nothing });

/** A permutation of what another test shows: `npm run test:long` alone has it. */
export const longTest = (isLongRun ? test : leaveOut) as TestAPI;

/** Several of them. */
export const longDescribe = (isLongRun ? describe : leaveOut) as SuiteAPI;
