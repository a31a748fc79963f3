import type { HubTransfer } from './scripted-hub.ts';

export type Model = ReturnType<typeof newModel>;

export type ModelPayment = {
  readonly requestId: string;
  readonly attemptId: string;
  readonly idempotencyId: string;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly totalPence: bigint;
  readonly showsPayer: boolean;
  status: 'PENDING' | 'AUTHORIZED' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** The money of a bank payment has arrived. */
  isSettled: boolean;
};

export type ModelRefund = {
  readonly refundId: string;
  readonly createdAt: string;
  readonly payment: ModelPayment;
  readonly pence: bigint;
  status: 'INITIATED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  step: 'WAITING' | 'HANDED_OVER' | 'ENDED';
  waitsFor: 'BALANCE' | 'REFUND_ACCOUNT_NEEDED' | null;
  hasAccount: boolean;
  events: number;
};

export type ModelPayout = {
  readonly payoutId: string;
  readonly pence: bigint;
  status: 'PROCESSING' | 'SETTLED' | 'FAILED';
};

/** What must be true of one merchant, predicted from what was done and what banks answered. */
export const newModel = () => ({
  payments: [] as ModelPayment[],
  refunds: [] as ModelRefund[],
  payouts: [] as ModelPayout[],
  isPaused: false,
  /** The period of the open payout has ended. */
  isPayoutDue: false,
});

const sum = <Item>(items: readonly Item[], penceOf: (item: Item) => bigint): bigint =>
  items.reduce((total, item) => total + penceOf(item), 0n);

const isOpen = ({ status }: ModelRefund): boolean => status === 'INITIATED' || status === 'PENDING';

export const leftPence = ({ refunds }: Model, payment: ModelPayment): bigint =>
  payment.totalPence -
  sum(
    refunds.filter(
      (each) => each.payment === payment && (isOpen(each) || each.status === 'COMPLETED'),
    ),
    ({ pence }) => pence,
  );

/** Arrived, less what went out or is on its way. */
export const payablePence = ({ payments, refunds, payouts }: Model): bigint =>
  sum(
    payments.filter((each) => each.method === 'PAY_BY_BANK' && each.status === 'COMPLETED'),
    ({ isSettled, totalPence }) => (isSettled ? totalPence : 0n),
  ) -
  sum(
    refunds.filter(
      ({ payment, step, status }) =>
        payment.method === 'PAY_BY_BANK' && (step === 'HANDED_OVER' || status === 'COMPLETED'),
    ),
    ({ pence }) => pence,
  ) -
  sum(
    payouts.filter(({ status }) => status !== 'FAILED'),
    ({ pence }) => pence,
  );

export const endRefund = (
  refund: ModelRefund,
  status: 'COMPLETED' | 'FAILED' | 'CANCELLED',
): void => {
  Object.assign(refund, { status, step: 'ENDED', waitsFor: null, events: refund.events + 1 });
};

/** What the jobs of the product do with waiting refunds, once nothing disturbs them. */
export const handOverWaiting = (model: Model): void => {
  const waiting = model.refunds
    .filter(({ step }) => step === 'WAITING')
    .filter((each) => each.waitsFor !== 'REFUND_ACCOUNT_NEEDED')
    .filter((each) => each.status === 'INITIATED' || isSent(model, each))
    .sort((one, other) =>
      `${one.createdAt} ${one.refundId}` < `${other.createdAt} ${other.refundId}` ? -1 : 1,
    );
  let hasWaited = false;
  for (const refund of waiting) {
    if (refund.payment.status !== 'COMPLETED') {
      endRefund(refund, 'FAILED');
      continue;
    }
    refund.status = 'PENDING';
    if (!isSent(model, refund)) continue;
    const needsAccount = refund.payment.method === 'PAY_BY_BANK' && !refund.hasAccount;
    if (needsAccount) refund.waitsFor = 'REFUND_ACCOUNT_NEEDED';
    else if (refund.payment.method === 'PAY_BY_BANK' && isTooMuch(model, refund, hasWaited)) {
      refund.waitsFor = 'BALANCE';
      hasWaited = true;
    } else Object.assign(refund, { step: 'HANDED_OVER', waitsFor: null });
  }
};

const isSent = ({ isPaused }: Model, { payment }: ModelRefund): boolean =>
  payment.method === 'CARD' || !isPaused;

/** No later refund overtakes one that waits for money. */
const isTooMuch = (model: Model, { pence }: ModelRefund, hasWaited: boolean): boolean =>
  hasWaited || payablePence(model) < pence;

/** What is payable goes out at the end of its period, after every refund that waits for money. */
export const closePayout = (model: Model): bigint | null => {
  const mustWait = model.refunds.some(
    ({ step, waitsFor, payment }) =>
      step === 'WAITING' &&
      waitsFor !== 'REFUND_ACCOUNT_NEEDED' &&
      payment.method === 'PAY_BY_BANK',
  );
  if (!model.isPayoutDue || model.isPaused || mustWait) return null;
  model.isPayoutDue = false;
  const pence = payablePence(model);
  return pence > 0n ? pence : null;
};

/** What the bank's answer does to a refund or payout, given what the transfer has come to. */
export const applyAnswer = (
  subject: ModelRefund | ModelPayout,
  { stage }: Pick<HubTransfer, 'stage'>,
): void => {
  if ('payoutId' in subject) {
    subject.status = stage === 'SETTLED' ? 'SETTLED' : 'FAILED';
    return;
  }
  endRefund(subject, stage === 'SETTLED' ? 'COMPLETED' : 'FAILED');
};
