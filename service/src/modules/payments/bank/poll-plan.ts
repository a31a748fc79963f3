const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Until an age, ask this often: quick while the payer waits, hourly for a payment a bank holds. */
const plan = [
  { untilAgeMs: 15 * second, everyMs: 700 },
  { untilAgeMs: 3 * minute, everyMs: 3 * second },
  { untilAgeMs: 15 * minute, everyMs: 15 * second },
  { untilAgeMs: 2 * hour, everyMs: 2 * minute },
  { untilAgeMs: day, everyMs: 15 * minute },
] as const;

/** Of settled money a bank says seldom more; a few questions still find what it takes back. */
const agesAskedAfterSettlement = [
  minute,
  10 * minute,
  hour,
  day,
  3 * day,
  6 * day,
  9 * day,
] as const;

/** A bank may hold a payment to the end of the fourth business day; we ask for six and more. */
export const pollingEndsAfterMs = 10 * day;
export const operatorAlertAfterMs = day;

/** An order whose fate is unknown may be sent again: not in a rush. */
const pauseOfUnknownMs = second;

export const nextResolveAt = (submittedAt: Date, now: Date): Date | null => {
  const next = nextPollAt(submittedAt, now);
  return next && new Date(Math.max(next.getTime(), now.getTime() + pauseOfUnknownMs));
};

/** When to ask the bank next, or null when asking has ended. */
export const nextPollAt = (submittedAt: Date, now: Date, isSettled = false): Date | null => {
  const ageMs = now.getTime() - submittedAt.getTime();
  if (isSettled) {
    const askedAtMs = agesAskedAfterSettlement.find((askedMs) => askedMs > ageMs);
    return askedAtMs === undefined ? null : new Date(submittedAt.getTime() + askedAtMs);
  }
  if (ageMs >= pollingEndsAfterMs) return null;
  const phase = plan.find(({ untilAgeMs }) => ageMs < untilAgeMs);
  return new Date(now.getTime() + (phase?.everyMs ?? hour));
};
