const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The interval of polls up to an age: short while the payer waits, hourly for a payment a bank
 * holds.
 */
const plan = [
  { untilAgeMs: 15 * second, everyMs: 700 },
  { untilAgeMs: 3 * minute, everyMs: 3 * second },
  { untilAgeMs: 15 * minute, everyMs: 15 * second },
  { untilAgeMs: 2 * hour, everyMs: 2 * minute },
  { untilAgeMs: day, everyMs: 15 * minute },
] as const;

/** Settled money changes rarely; a few polls still find a reversal. */
const pollAgesAfterSettlement = [
  minute,
  10 * minute,
  hour,
  day,
  3 * day,
  6 * day,
  9 * day,
] as const;

/** An order with an unknown outcome may be sent again, without haste. */
const pauseOfUnknownMs = second;

/** When to poll the bank next, or null when polling has ended. */
export const nextPollAt = (submittedAt: Date, now: Date, isSettled = false): Date | null => {
  const ageMs = now.getTime() - submittedAt.getTime();
  if (isSettled) {
    const pollAgeMs = pollAgesAfterSettlement.find((ageToPollMs) => ageToPollMs > ageMs);
    return pollAgeMs === undefined ? null : new Date(submittedAt.getTime() + pollAgeMs);
  }
  if (ageMs >= hourlyPollsEndAfterMs) return new Date(now.getTime() + day);
  const phase = plan.find(({ untilAgeMs }) => ageMs < untilAgeMs);
  return new Date(now.getTime() + (phase?.everyMs ?? hour));
};

export const nextResolveAt = (submittedAt: Date, now: Date): Date | null => {
  const next = nextPollAt(submittedAt, now);
  return next && new Date(Math.max(next.getTime(), now.getTime() + pauseOfUnknownMs));
};

/** A bank may hold a payment to the end of the fourth business day; after more than six, poll daily. */
export const hourlyPollsEndAfterMs = 10 * day;

export const operatorAlertAfterMs = day;
