import type { PaymentStatus, Schedule } from '#simulator/bank/payments/schedule.ts';

export type PlannedCredit = {
  readonly direction: 'CRDT' | 'DBIT';
  readonly kind: 'payment' | 'reversal';
  readonly afterMs: number;
};

const credited: ReadonlySet<PaymentStatus> = new Set(['ACSC', 'ACCC', 'ACWC', 'ACWP']);
const refused: ReadonlySet<PaymentStatus> = new Set(['RJCT', 'BLCK']);
const creditAfterMs = 1_700;

// The credit of a bank payment on the payee's account. A bank that reports nothing after ACSP has
// paid all the same; a rejection after the credit debits it again.
export const planCredits = (schedule: Schedule): readonly PlannedCredit[] => {
  const rejection = schedule.find(({ status }) => refused.has(status));
  const confirmation = schedule.find(({ status }) => credited.has(status));
  const last = schedule.at(-1);
  const silent = last?.status === 'ACSP' ? last.afterMs + creditAfterMs : undefined;
  const creditedAt = confirmation?.afterMs ?? silent;
  if (creditedAt === undefined) return [];
  if (rejection && rejection.afterMs <= creditedAt) return [];
  const credit: PlannedCredit = { direction: 'CRDT', kind: 'payment', afterMs: creditedAt };
  if (!rejection) return [credit];
  return [credit, { direction: 'DBIT', kind: 'reversal', afterMs: rejection.afterMs }];
};
