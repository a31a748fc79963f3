import type { IntentRecord } from '../model.ts';

export const refundedAmount = (intent: IntentRecord): number => {
  const counted = intent.refunds.filter(
    ({ status }) => status !== 'failed' && status !== 'canceled',
  );
  return counted.reduce((sum, refund) => sum + refund.amount, 0);
};
