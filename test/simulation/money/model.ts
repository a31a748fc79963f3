import { type HubTransfer, standingOf } from './scripted-hub.ts';

export type Model = ReturnType<typeof newModel>;

export type ModelPayment = {
  readonly requestId: string;
  readonly attemptId: string;
  readonly idempotencyId: string;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  /** The bank account of its store. */
  readonly account: string;
  readonly totalPence: bigint;
  readonly showsPayer: boolean;
  status: 'PENDING' | 'AUTHORIZED' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** The money of a bank payment has arrived. */
  isSettled: boolean;
  /** It had arrived once, whatever became of it. */
  hasArrived: boolean;
  /** Booked when it became a line of a payout. */
  feePence: bigint | null;
  /** What the account report has listed of it. */
  listed: 'NOTHING' | 'CREDIT' | 'CREDIT_AND_DEBIT';
  /** Its credit was listed while it was COMPLETED, or before. */
  isMatched: boolean;
  /** The account report has listed a debit of it, which ends it whatever its bank says. */
  isTakenBack: boolean;
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
  /** Not payable again, because the bank says that it has left. */
  heldPence: bigint;
};

export type ModelPayout = {
  readonly payoutId: string;
  readonly account: string;
  readonly pence: bigint;
  status: 'PROCESSING' | 'SETTLED' | 'FAILED';
  /** Of its parts those that did not leave or came back, once all have ended. */
  unpaidPence: bigint;
  heldPence: bigint;
};

/** What must be true of one merchant, predicted from what was done and what banks answered. */
export const newModel = () => ({
  payments: [] as ModelPayment[],
  refunds: [] as ModelRefund[],
  payouts: [] as ModelPayout[],
  isPaused: false,
  /** Accounts whose open payout's period has ended. */
  due: new Set<string>(),
  /** Jobs ran together with what was asked for: which came first, the product says. */
  isRaced: false,
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

const isByBank = (payment: ModelPayment, account: string): boolean =>
  payment.method === 'PAY_BY_BANK' && payment.account === account;

/** What refunds and payouts of an account took, or are on their way with. */
const gonePence = ({ refunds, payouts }: Model, account: string): bigint =>
  sum(
    refunds.filter(
      ({ payment, step, status }) =>
        isByBank(payment, account) && (step === 'HANDED_OVER' || status === 'COMPLETED'),
    ),
    ({ pence }) => pence,
  ) +
  sum(
    payouts.filter((each) => each.account === account),
    ({ pence, unpaidPence }) => pence - unpaidPence,
  );

/** Arrived, less what went out or is on its way. */
export const payablePence = (model: Model, account: string): bigint =>
  sum(
    model.payments.filter((each) => isByBank(each, account) && each.status === 'COMPLETED'),
    ({ isSettled, totalPence, feePence }) => (isSettled ? totalPence - (feePence ?? 0n) : 0n),
  ) -
  gonePence(model, account) -
  sum(
    [
      ...model.refunds.filter(({ payment }) => isByBank(payment, account)),
      ...model.payouts.filter((each) => each.account === account),
    ],
    ({ heldPence }) => heldPence,
  );

/** Conservation: what has left an account never exceeds what came in, however badly that ended. */
export const overdrawnPence = (model: Model, account: string): bigint =>
  gonePence(model, account) -
  sum(
    model.payments.filter((each) => isByBank(each, account) && each.hasArrived),
    ({ totalPence }) => totalPence,
  );

export const endRefund = (
  refund: ModelRefund,
  status: 'COMPLETED' | 'FAILED' | 'CANCELLED',
): void => {
  Object.assign(refund, { status, step: 'ENDED', waitsFor: null, events: refund.events + 1 });
};

/** Fees of the payments that became lines of a payout. Answers their sums by account. */
export const chargeFees = ({ payments, fee }: Model): ReadonlyMap<string, bigint> => {
  const charged = new Map<string, bigint>();
  for (const payment of payments) {
    const { account, isSettled, method, totalPence } = payment;
    if (!isSettled || method !== 'PAY_BY_BANK' || payment.feePence !== null) continue;
    payment.feePence = fee.fixedPence + (totalPence * fee.basisPoints + 5_000n) / 10_000n;
    charged.set(account, (charged.get(account) ?? 0n) + payment.feePence);
  }
  return charged;
};

/** A fee of now is booked before or after a hand-over: where that decides, the product says which. */
export type Decided = {
  readonly newFees: ReadonlyMap<string, bigint>;
  readonly handedOver: ReadonlySet<string>;
};

/** What the jobs of the product do with waiting refunds, once nothing disturbs them. */
export const handOverWaiting = (model: Model, { newFees, handedOver }: Decided): void => {
  const short = new Set<string>();
  for (const refund of waitingRefunds(model)) {
    const { account } = refund.payment;
    if (refund.payment.status !== 'COMPLETED') {
      endRefund(refund, 'FAILED');
      continue;
    }
    refund.status = 'PENDING';
    if (!isSent(model, refund)) continue;
    const feesPence = handedOver.has(refund.refundId) ? (newFees.get(account) ?? 0n) : 0n;
    refund.waitsFor = waitsFor(model, refund, short.has(account), feesPence);
    if (refund.waitsFor === null) refund.step = 'HANDED_OVER';
    if (refund.waitsFor === 'BALANCE') short.add(account);
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

/** No later refund overtakes one of the same account that waits for money. */
const waitsFor = (
  model: Model,
  { payment, hasAccount, pence }: ModelRefund,
  hasWaited: boolean,
  feesPence: bigint,
): ModelRefund['waitsFor'] => {
  if (payment.method === 'CARD') return null;
  if (!hasAccount) return 'REFUND_ACCOUNT_NEEDED';
  if (!payment.isSettled) return 'SETTLEMENT';
  return hasWaited || payablePence(model, payment.account) + feesPence < pence ? 'BALANCE' : null;
};

const isSent = ({ isPaused }: Model, { payment }: ModelRefund): boolean =>
  payment.method === 'CARD' || !isPaused;

/** A refund of the account that money could pay goes first. */
const isHeld = ({ refunds, isPaused }: Model, account: string): boolean =>
  isPaused ||
  refunds.some(
    ({ step, waitsFor, payment }) =>
      step === 'WAITING' &&
      isByBank(payment, account) &&
      (waitsFor === null ||
        waitsFor === 'BALANCE' ||
        (waitsFor === 'SETTLEMENT' && payment.isSettled)),
  );

/** What is payable on each account goes out at the end of its period. */
export const closePayouts = (model: Model): readonly Pick<ModelPayout, 'account' | 'pence'>[] =>
  [...model.due].flatMap((account) => {
    if (isHeld(model, account)) return [];
    model.due.delete(account);
    const pence = payablePence(model, account);
    return pence > 0n ? [{ account, pence }] : [];
  });

/** What the bank's answers do to a refund or payout, given what its transfers have come to. */
export const applyAnswer = (
  subject: ModelRefund | ModelPayout,
  parts: readonly HubTransfer[],
): void => {
  subject.heldPence = sum(parts, (part) => standingOf(part).heldPence);
  // A payout in parts is on its way until the last has ended.
  if (parts.some(({ stage }) => stage === 'TAKEN')) return;
  const unpaid = parts.filter(({ stage }) => stage !== 'SETTLED');
  const unpaidPence = sum(unpaid, ({ amountPence }) => amountPence);
  const hasFailed = unpaidPence === subject.pence;
  if ('payoutId' in subject) {
    Object.assign(subject, { unpaidPence, status: hasFailed ? 'FAILED' : 'SETTLED' });
    return;
  }
  const status = hasFailed ? 'FAILED' : 'COMPLETED';
  if (subject.status !== status) endRefund(subject, status);
};
