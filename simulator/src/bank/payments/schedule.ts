export type Schedule = readonly [Step, ...Step[]];

export type PaymentStatus =
  | 'RCVD'
  | 'PDNG'
  | 'ACTC'
  | 'ACCP'
  | 'ACFC'
  | 'ACSP'
  | 'ACWC'
  | 'ACSC'
  | 'ACCC'
  | 'ACWP'
  | 'BLCK'
  | 'RJCT';

export type StatusReason = {
  readonly code: string;
  readonly description: string;
};

// A payment becomes `status` once it is `afterMs` old on its consent's clock.
export type Step = {
  readonly status: PaymentStatus;
  readonly afterMs: number;
  readonly reason?: StatusReason;
};

type Reached = Step & {
  readonly at: number;
};

// Both on the consent's own clock, which control calls may have moved.
type Timing = {
  readonly acceptedAt: number;
  readonly now: number;
};

export const stepsReached = (
  schedule: Schedule,
  timing: Timing,
): readonly [Reached, ...Reached[]] => {
  const ageMs = timing.now - timing.acceptedAt;
  const [first, ...later] = schedule;
  const reach = (step: Step): Reached => ({ ...step, at: timing.acceptedAt + step.afterMs });
  return [reach(first), ...later.filter((step) => step.afterMs <= ageMs).map(reach)];
};

export const currentStep = (schedule: Schedule, timing: Timing): Reached => {
  const reached = stepsReached(schedule, timing);
  return reached.at(-1) ?? reached[0];
};

export const nextStep = (schedule: Schedule, timing: Timing): Reached | undefined => {
  const ageMs = timing.now - timing.acceptedAt;
  const [, ...later] = schedule;
  const next = later.find((step) => step.afterMs > ageMs);
  return next && { ...next, at: timing.acceptedAt + next.afterMs };
};

export type PlannedEntry = {
  readonly kind: 'debit' | 'return';
  readonly effectiveAfterMs: number;
};

const takesMoney: ReadonlySet<PaymentStatus> = new Set(['ACSP', 'ACWC', 'ACSC', 'ACCC', 'ACWP']);

// The payer is debited when settlement begins and gets the money back on a later rejection.
export const plannedEntries = (schedule: Schedule): readonly PlannedEntry[] => {
  const debit = schedule.find((step) => takesMoney.has(step.status));
  if (debit === undefined) return [];
  const rejection = schedule.find(
    (step) => step.status === 'RJCT' && step.afterMs >= debit.afterMs,
  );
  const entries: PlannedEntry[] = [{ kind: 'debit', effectiveAfterMs: debit.afterMs }];
  if (rejection) entries.push({ kind: 'return', effectiveAfterMs: rejection.afterMs });
  return entries;
};
