import type { ResolvedCase } from '#modules/operator-cases/index.ts';
import type { Change } from './change-refunds.ts';
import type { Refund } from './refund.ts';

type State = Pick<Refund, 'status' | 'step' | 'waitsFor'>;

/** What of a change says which cases end. */
export type CaseChange = Pick<Change, 'history'> & {
  readonly before: State;
  readonly refund: State & Pick<Refund, 'refundId'>;
};

/** The cases that end with this change, whether they are open or were never opened. */
export const resolvedCasesOf = (change: CaseChange): readonly ResolvedCase[] => [
  ...accountNeeded(change),
  ...overdue(change),
  ...held(change),
];

/** REFUND_ACCOUNT_NEEDED ends with what the refund waits for: entered, cancelled or failed. */
const accountNeeded = ({ before, refund, history }: CaseChange): readonly ResolvedCase[] => {
  const isResolved =
    before.waitsFor === 'REFUND_ACCOUNT_NEEDED' && refund.waitsFor !== 'REFUND_ACCOUNT_NEEDED';
  if (!isResolved) return [];
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

/** REFUND_HELD ends when the refund could be decided, or was cancelled. */
const held = ({ before, refund }: CaseChange): readonly ResolvedCase[] => {
  const { refundId, status, waitsFor } = refund;
  if (before.waitsFor !== 'OPERATOR' || waitsFor === 'OPERATOR') return [];
  const resolution = `The refund is ${status}.`;
  return [{ kind: 'REFUND_HELD', subject: refundId, actor: 'Florin', resolution }];
};

/** REFUND_OVERDUE ends when the bank has said what became of the refund, or of the money it waits for. */
const overdue = ({ before, refund }: CaseChange): readonly ResolvedCase[] => {
  const { refundId, status } = refund;
  const hasArrived = before.waitsFor === 'SETTLEMENT' && refund.waitsFor !== 'SETTLEMENT';
  const isAnswered = before.step === 'HANDED_OVER' && status !== before.status;
  if (!hasArrived && !isAnswered) return [];
  const resolution = `The refund is ${status}.`;
  return [{ kind: 'REFUND_OVERDUE', subject: refundId, actor: 'Florin', resolution }];
};
