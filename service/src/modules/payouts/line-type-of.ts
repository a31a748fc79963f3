import type { listPayoutTransactions as described, ReplyOf } from '@florin/contract';

/** By the reason of its ledger entry. */
export const lineTypeOf = (reason: string): LineType => lineTypes[reason] ?? 'PAYMENT';

type LineType = ReplyOf<typeof described>['data'][number]['lineType'];

const lineTypes: Readonly<Record<string, LineType>> = {
  PAYMENT_SETTLED: 'PAYMENT',
  PAYMENT_REVERSED: 'REVERSAL',
  REFUND_HANDED_OVER: 'REFUND',
  REFUND_FAILED: 'REFUND_RETURNED',
  REFUND_RETURNED: 'REFUND_RETURNED',
  FEE_CHARGED: 'FEE',
  FEE_RETURNED: 'FEE_RETURNED',
  TRANSFER_DIFFERENCE: 'HELD',
  TRANSFER_REJECTED: 'PAYOUT_RETURNED',
  TRANSFER_RETURNED: 'PAYOUT_RETURNED',
};
