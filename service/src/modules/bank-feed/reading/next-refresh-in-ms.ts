import { limits } from '@florin/contract';

const firstPauseMs = 60_000;

/** After so many failures before this one: a minute, then twice as long each time. */
export const nextRefreshInMs = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(failures, 20), limits.bankRefreshMs);
