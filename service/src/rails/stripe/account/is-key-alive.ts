const hourMs = 3_600_000;

// The processor keeps a key for 24 hours at least; an hour is left for clocks that disagree.
const keyLivesForMs = 23 * hourMs;
// No request of ours is still on its way or at work after this.
const stillAfterMs = 600_000;

export const isKeyAlive = (ageMs: number): boolean => ageMs <= keyLivesForMs;

/** Nothing that was sent at first is at work any more. */
export const isStill = (ageMs: number): boolean => ageMs > stillAfterMs;

/** Nothing that was sent while the key lived is at work any more. */
export const isSettled = (ageMs: number): boolean => ageMs > keyLivesForMs + stillAfterMs;
