import type { CardRefundOrder } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import type { PaymentState } from '../account/rail-state.ts';
import { writeState } from '../account/rail-state.ts';

export const prepareRefund = (
  { tools }: Account,
  payment: PaymentState | null,
  order: CardRefundOrder,
): string => {
  if (!payment?.paymentId) throw new Error('a refund needs the id of the payment at the processor');
  return writeState({
    v: 1,
    kind: 'REFUND',
    preparedAt: tools.clock.now().getTime(),
    refundId: order.refundId,
    amount: Number(order.amountPence),
    paymentId: payment.paymentId,
  });
};
