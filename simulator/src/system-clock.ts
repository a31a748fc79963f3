export type Clock = {
  now(): number;
};

/** Real time in milliseconds. */
export const systemClock: Clock = { now: () => Date.now() };
