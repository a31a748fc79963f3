import { callFlorin, type Florin, Refusal } from './call-florin.ts';
import type { PlannedRefund } from './plan-day.ts';

const latest = 60;
const leastPence = 100;

/** Refunds one of the latest payments, which it takes off the list. */
export const refundPayment = async (
  florin: Florin,
  paid: Paid[],
  refund: PlannedRefund,
): Promise<boolean> => {
  const first = Math.max(0, paid.length - latest);
  const at = first + Math.floor(refund.payment * (paid.length - first));
  const [payment] = paid.splice(at, 1);
  if (!payment) return false;
  const { paymentRequestId, pence } = payment;
  const part = Math.max(leastPence, Math.floor(pence * refund.portion));
  const { refundId } = await callFlorin(florin, 'POST', '/api/refund', {
    body: {
      paymentRequestId,
      amount: (refund.kind === 'PART' ? part : pence) / 100,
      refundNotes: notes[refund.kind],
    },
    key: `refund-${paymentRequestId}`,
  });
  if (refund.kind === 'WITHDRAWN') await withdraw(florin, refundId);
  return true;
};

const notes: Readonly<Record<PlannedRefund['kind'], string>> = {
  PART: 'One item was sold out',
  WHOLE: 'Order returned',
  // The sandbox lets a refund with this text fail.
  FAILS: 'FAILURE TEST',
  WITHDRAWN: 'Requested by mistake',
};

/** Too late where it was handed over meanwhile: then it is a refund like others. */
const withdraw = async (florin: Florin, refundId: string): Promise<void> => {
  try {
    await callFlorin(florin, 'DELETE', `/api/refund/${refundId}/cancel`);
  } catch (error) {
    if (!(error instanceof Refusal && error.refusedAs === 'INVALID_STATE')) throw error;
  }
};

export type Paid = { readonly paymentRequestId: string; readonly pence: number };

/** What an order brings: payments that can be refunded, and what is left for the next hours. */
export type Traded = {
  readonly paid?: Paid;
  readonly later?: () => Promise<unknown>;
};
