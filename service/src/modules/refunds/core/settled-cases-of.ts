import type { SettledCase } from '#modules/operator-cases/index.ts';
import type { Change } from './draft-change.ts';

/** REFUND_ACCOUNT_NEEDED ends with what the refund waits for: entered, cancelled or failed. */
export const settledCasesOf = ({ before, refund, history }: Change): readonly SettledCase[] => {
  const isSettled =
    before.waitsFor === 'REFUND_ACCOUNT_NEEDED' && refund.waitsFor !== 'REFUND_ACCOUNT_NEEDED';
  if (!isSettled) return [];
  const entered = history.find(({ trigger }) => trigger === 'accountEntered');
  return [
    {
      kind: 'REFUND_ACCOUNT_NEEDED',
      subject: refund.refundId,
      actor: entered?.detail ?? 'Florin',
      resolution: entered ? 'The account was entered.' : `The refund is ${refund.status}.`,
    },
  ];
};
