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
  /** Booked when it became a line of a payout. */
  feePence: bigint | null;
  /** What the account report has listed of it. */
  listed: 'NOTHING' | 'CREDIT' | 'CREDIT_AND_DEBIT';
  /** Its credit was listed while it was COMPLETED, or before. */
  isMatched: boolean;
  /** Refunded in the processor's own dashboard. */
  refundedAtProcessorPence: bigint;
  /** The card holder contests it, or has. */
  dispute: ModelDispute | null;
};

export type ModelDispute = {
  readonly reference: string;
  readonly pence: bigint;
  status: 'OPEN' | 'WON' | 'LOST';
};

/** What the processor has debited for disputes, until one is won. */
export const disputedPence = ({ dispute }: ModelPayment): bigint =>
  dispute && dispute.status !== 'WON' ? dispute.pence : 0n;

export type ModelRefund = {
  readonly refundId: string;
  readonly createdAt: string;
  readonly payment: ModelPayment;
  readonly pence: bigint;
  status: 'INITIATED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  step: 'WAITING' | 'HANDED_OVER' | 'ENDED';
  waitsFor: 'BALANCE' | 'SETTLEMENT' | 'REFUND_ACCOUNT_NEEDED' | null;
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
  fee: { fixedPence: 0n, basisPoints: 0n },
});

const sum = <Item>(items: readonly Item[], penceOf: (item: Item) => bigint): bigint =>
  items.reduce((total, item) => total + penceOf(item), 0n);

const isOpen = ({ status }: ModelRefund): boolean => status === 'INITIATED' || status === 'PENDING';

export const leftPence = ({ refunds }: Model, payment: ModelPayment): bigint =>
  payment.totalPence -
  payment.refundedAtProcessorPence -
  disputedPence(payment) -
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
    ({ isSettled, totalPence, feePence }) => (isSettled ? totalPence - (feePence ?? 0n) : 0n),
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

/** Fees of the payments that became lines of a payout. Answers their sum. */
export const chargeFees = ({ payments, fee }: Model): bigint => {
  let charged = 0n;
  for (const payment of payments) {
    if (!payment.isSettled || payment.method !== 'PAY_BY_BANK' || payment.feePence !== null)
      continue;
    payment.feePence = fee.fixedPence + (payment.totalPence * fee.basisPoints + 5_000n) / 10_000n;
    charged += payment.feePence;
  }
  return charged;
};

/**
 * What the jobs of the product do with waiting refunds, once nothing disturbs them. A fee of now is
 * booked before or after the hand-over: where that decides, the product says which.
 */
export const handOverWaiting = (
  model: Model,
  newFeesPence = 0n,
  handedOver: ReadonlySet<string> = new Set(),
): void => {
  let hasWaited = false;
  for (const refund of waitingRefunds(model)) {
    if (refund.payment.status !== 'COMPLETED') {
      endRefund(refund, 'FAILED');
      continue;
    }
    refund.status = 'PENDING';
    if (!isSent(model, refund)) continue;
    const feesPence = handedOver.has(refund.refundId) ? newFeesPence : 0n;
    refund.waitsFor = waitsFor(model, refund, hasWaited, feesPence);
    if (refund.waitsFor === null) refund.step = 'HANDED_OVER';
    hasWaited ||= refund.waitsFor === 'BALANCE';
  }
};

/** The oldest first. */
const waitingRefunds = (model: Model): readonly ModelRefund[] =>
  model.refunds
    .filter(({ step }) => step === 'WAITING')
    .filter((each) => each.waitsFor !== 'REFUND_ACCOUNT_NEEDED')
    .filter((each) => each.status === 'INITIATED' || isSent(model, each))
    .sort((one, other) =>
      `${one.createdAt} ${one.refundId}` < `${other.createdAt} ${other.refundId}` ? -1 : 1,
    );

/** No later refund overtakes one that waits for money. */
const waitsFor = (
  model: Model,
  { payment, hasAccount, pence }: ModelRefund,
  hasWaited: boolean,
  feesPence: bigint,
): ModelRefund['waitsFor'] => {
  if (payment.method === 'CARD') return null;
  if (!hasAccount) return 'REFUND_ACCOUNT_NEEDED';
  if (!payment.isSettled) return 'SETTLEMENT';
  return hasWaited || payablePence(model) + feesPence < pence ? 'BALANCE' : null;
};

const isSent = ({ isPaused }: Model, { payment }: ModelRefund): boolean =>
  payment.method === 'CARD' || !isPaused;

/** What is payable goes out at the end of its period, after every refund that waits for money. */
export const closePayout = (model: Model): bigint | null => {
  const mustWait = model.refunds.some(
    ({ step, waitsFor, payment }) =>
      step === 'WAITING' &&
      (waitsFor === null ||
        waitsFor === 'BALANCE' ||
        (waitsFor === 'SETTLEMENT' && payment.isSettled)) &&
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
