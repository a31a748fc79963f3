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

// Received now, and the rest so much later.
export const startingLater = (schedule: Schedule, waitMs: number): Schedule => {
  const [first, ...rest] = schedule;
  return [first, ...rest.map((step) => ({ ...step, afterMs: step.afterMs + Math.max(0, waitMs) }))];
};

type PlannedEntry = {
  readonly direction: 'CRDT' | 'DBIT';
  readonly kind: 'payment' | 'return' | 'reversal';
  readonly afterMs: number;
  // For so long after it the bank shows it as pending.
  readonly pendingMs: number;
};

const takesMoney: ReadonlySet<PaymentStatus> = new Set(['ACSP', 'ACWC', 'ACSC', 'ACCC', 'ACWP']);
const settles: ReadonlySet<PaymentStatus> = new Set(['ACSC', 'ACCC', 'ACWP']);
// A payment that its bank never calls settled is booked after so long all the same.
const bookedAfterMs = 2_000;

// The payer is debited when settlement begins and gets the money back on a later rejection.
export const payerEntries = (schedule: Schedule): readonly PlannedEntry[] => {
  const debit = schedule.find((step) => takesMoney.has(step.status));
  if (debit === undefined) return [];
  const { afterMs } = debit;
  const settled = schedule.find((step) => settles.has(step.status));
  const pendingMs = settled ? settled.afterMs - afterMs : bookedAfterMs;
  const rejection = schedule.find((step) => step.status === 'RJCT' && step.afterMs >= afterMs);
  return [
    { direction: 'DBIT', kind: 'payment', afterMs, pendingMs },
    ...(rejection ? [entry('CRDT', 'return', rejection.afterMs)] : []),
  ];
};

const credited: ReadonlySet<PaymentStatus> = new Set(['ACSC', 'ACCC', 'ACWC', 'ACWP']);
const refused: ReadonlySet<PaymentStatus> = new Set(['RJCT', 'BLCK']);
const creditAfterMs = 1_700;

// The credit on the payee's account. A bank that reports nothing after ACSP has paid all the same; a
// rejection after the credit debits it again.
export const payeeEntries = (schedule: Schedule): readonly PlannedEntry[] => {
  const rejection = schedule.find(({ status }) => refused.has(status));
  const confirmation = schedule.find(({ status }) => credited.has(status));
  const last = schedule.at(-1);
  const silent = last?.status === 'ACSP' ? last.afterMs + creditAfterMs : undefined;
  const creditedAt = confirmation?.afterMs ?? silent;
  if (creditedAt === undefined) return [];
  if (rejection && rejection.afterMs <= creditedAt) return [];
  return [
    entry('CRDT', 'payment', creditedAt),
    ...(rejection ? [entry('DBIT', 'reversal', rejection.afterMs)] : []),
  ];
};

const entry = (
  direction: PlannedEntry['direction'],
  kind: PlannedEntry['kind'],
  afterMs: number,
): PlannedEntry => ({ direction, kind, afterMs, pendingMs: 0 });
