/** Real time in milliseconds. */
export const systemClock = { now: (): number => Date.now() };
