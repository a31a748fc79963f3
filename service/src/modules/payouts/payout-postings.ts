import { type Posting, post, type Transfer } from '#modules/ledger/index.ts';
import type { Payout } from './payout.ts';
import type { PayoutTrigger } from './payout-lifecycle.ts';

/** A reason that starts with PAYOUT is no line of a payout. */
const reasons = {
  handedOver: 'PAYOUT_HANDED_OVER',
  settled: 'PAYOUT_SETTLED',
  rejected: 'PAYOUT_REJECTED',
  returned: 'PAYOUT_RETURNED',
} as const satisfies Record<PayoutTrigger, string>;

export const payoutPostings = (
  payout: Payout,
  trigger: PayoutTrigger,
  transactionId: string,
): readonly Posting[] =>
  post(
    {
      transactionId,
      reason: reasons[trigger],
      resourceId: payout.payoutId,
      attemptId: null,
      creditorAccount: `${payout.account.sortCode}${payout.account.accountNumber}`,
      occurredAt: payout.now,
    },
    transfersOf(payout, trigger),
  );

const transfersOf = (
  { amountPence: amount }: Payout,
  trigger: PayoutTrigger,
): readonly Transfer[] => {
  switch (trigger) {
    case 'handedOver':
      return [{ debit: 'MERCHANT_PAYABLE', credit: 'PAYOUTS_IN_TRANSIT', amount }];
    case 'settled':
      return [
        { debit: 'PAYOUTS_IN_TRANSIT', credit: 'COLLECTING_ACCOUNT', amount },
        { debit: 'STORE_PAID_OUT', credit: 'MERCHANT_PAID_OUT', amount },
      ];
    case 'rejected':
      return [{ debit: 'PAYOUTS_IN_TRANSIT', credit: 'MERCHANT_PAYABLE', amount }];
    case 'returned':
      return [
        { debit: 'COLLECTING_ACCOUNT', credit: 'RETURNS', amount },
        { debit: 'RETURNS', credit: 'MERCHANT_PAYABLE', amount },
        { debit: 'MERCHANT_PAID_OUT', credit: 'STORE_PAID_OUT', amount },
      ];
  }
};
