import { isLongRun } from '../../../../test/harness/is-long-run.ts';

const representatives =
  /choose-bank|review-tip|share-and-tip|card-saved|waiting-slow|paid-wrong|failed$/;

/** Every page is in the long run. */
export const isShown = (path: string): boolean => isLongRun || representatives.test(path);
