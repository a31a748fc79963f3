import type { Attempt, IntentRecord, Refund } from '../model.ts';
import { approvedAttempt } from './finish-payment.ts';
import { balanceEntryId } from './ids.ts';

// What a payment has moved on the merchant's balance. This processor takes no fee.
export type BalanceEntry = {
  readonly id: string;
  readonly at: number;
  readonly amount: number;
  readonly type: 'charge' | 'refund' | 'refund_failure' | 'adjustment';
  readonly category: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal';
  readonly source: string;
};

// The oldest first.
export const balanceEntriesOf = (intent: IntentRecord): readonly BalanceEntry[] => {
  const attempt = approvedAttempt(intent);
  if (!attempt?.isCaptured) return [];
  return [entryOfCharge(attempt), ...intent.refunds.flatMap(entriesOfRefund)]
    .concat(entriesOfDispute(attempt))
    .toSorted((one, other) => one.at - other.at);
};

const entryOfCharge = ({ id, at, amountCaptured }: Attempt): BalanceEntry => ({
  ...{ id: balanceEntryId(id, 'first'), at, amount: amountCaptured },
  ...{ type: 'charge', category: 'charge', source: id },
});

const entriesOfRefund = ({ id, at, amount, status }: Refund): readonly BalanceEntry[] => {
  const first: BalanceEntry = {
    ...{ id: balanceEntryId(id, 'first'), at, amount: -amount },
    ...{ type: 'refund', category: 'refund', source: id },
  };
  if (status !== 'failed') return [first];
  const type = 'refund_failure';
  return [first, { ...first, id: balanceEntryId(id, 'back'), amount, type, category: type }];
};

// An inquiry takes nothing.
export const entriesOfDispute = ({ dispute, amountCaptured }: Attempt): readonly BalanceEntry[] => {
  if (!dispute || dispute.status.startsWith('warning_')) return [];
  const first: BalanceEntry = {
    ...{ id: balanceEntryId(dispute.id, 'first'), at: dispute.at, amount: -amountCaptured },
    ...{ type: 'adjustment', category: 'dispute', source: dispute.id },
  };
  if (dispute.status !== 'won') return [first];
  const back = {
    at: dispute.endsAt,
    amount: amountCaptured,
    category: 'dispute_reversal',
  } as const;
  return [first, { ...first, ...back, id: balanceEntryId(dispute.id, 'back') }];
};
