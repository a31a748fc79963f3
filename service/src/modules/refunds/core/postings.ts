import { type Posting, post, type Transfer } from '#modules/ledger/index.ts';
import type { Refund } from './refund.ts';

type Reason = 'REFUND_HANDED_OVER' | 'REFUND_COMPLETED' | 'REFUND_FAILED' | 'REFUND_RETURNED';

/** Card money never passes through the operator: it is booked once the processor has returned it. */
export const handedOverPostings = (refund: Refund, transactionId: string): readonly Posting[] =>
  refund.method === 'CARD'
    ? []
    : entries(refund, transactionId, 'REFUND_HANDED_OVER', [
        { debit: 'MERCHANT_PAYABLE', credit: 'REFUNDS_IN_TRANSIT', amount: refund.amountPence },
      ]);

export const completedPostings = (refund: Refund, transactionId: string): readonly Posting[] =>
  entries(refund, transactionId, 'REFUND_COMPLETED', [completedTransfer(refund)]);

/** The bank rejected an accepted transfer: nothing has left the collecting account. */
export const rejectedPostings = (refund: Refund, transactionId: string): readonly Posting[] =>
  refund.method === 'CARD'
    ? []
    : entries(refund, transactionId, 'REFUND_FAILED', [
        { debit: 'REFUNDS_IN_TRANSIT', credit: 'MERCHANT_PAYABLE', amount: refund.amountPence },
      ]);

/** The money left and was returned: it is the merchant's again. */
export const returnedPostings = (refund: Refund, transactionId: string): readonly Posting[] => {
  const { amountPence: amount } = refund;
  if (refund.method === 'CARD')
    return entries(refund, transactionId, 'REFUND_RETURNED', [
      { debit: 'SETTLED_BY_PROCESSOR', credit: 'MERCHANT_PAID_DIRECTLY', amount },
    ]);
  return entries(refund, transactionId, 'REFUND_RETURNED', [
    { debit: 'COLLECTING_ACCOUNT', credit: 'RETURNS', amount },
    { debit: 'RETURNS', credit: 'MERCHANT_PAYABLE', amount },
  ]);
};

const completedTransfer = ({ method, amountPence: amount }: Refund): Transfer =>
  method === 'CARD'
    ? { debit: 'MERCHANT_PAID_DIRECTLY', credit: 'SETTLED_BY_PROCESSOR', amount }
    : { debit: 'REFUNDS_IN_TRANSIT', credit: 'COLLECTING_ACCOUNT', amount };

const entries = (
  refund: Refund,
  transactionId: string,
  reason: Reason,
  transfers: readonly Transfer[],
): readonly Posting[] =>
  post(
    {
      transactionId,
      reason,
      resourceId: refund.refundId,
      attemptId: null,
      storeId: refund.storeId,
      occurredAt: refund.now,
    },
    transfers,
  );
