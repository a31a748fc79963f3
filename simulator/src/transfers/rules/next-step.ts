import type { TransferSchedule } from '../model.ts';

// When the step after those reached is due, from the moment of acceptance; undefined: never.
export const nextStepAfterMs = (
  schedule: TransferSchedule,
  reachedSteps: number,
): number | undefined => schedule[reachedSteps]?.afterMs;
