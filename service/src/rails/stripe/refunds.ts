import type Stripe from 'stripe';
import { pence } from '#kernel/pence.ts';
import type { Unknown } from '#rails/bank-rail.ts';
import type {
  CardRefundOrder,
  CardRefundOutcome,
  CardRefundsOutcome,
  ProcessorRefund,
} from '#rails/card-rail.ts';
import {
  type Account,
  type Answer,
  type Call,
  callProcessor,
  plainCode,
  unanswered,
  unknown,
} from './account/call-processor.ts';
import { type PaymentState, type RefundState, writeState } from './account/payment-state.ts';
import { isKeyAlive, isSettled, isStill } from './account/read-account.ts';

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

export const refund = async (account: Account, state: RefundState): Promise<CardRefundOutcome> => {
  const answer = await sendRefund(account, state);
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED') return refundNotMade(state, answer.code);
  return classifyRefund(state, answer.value);
};

const sendRefund = (account: Account, state: RefundState): Promise<Answer<Stripe.Refund>> =>
  callProcessor(account, { operation: 'refund', subject: state.refundId }, (stripe) =>
    stripe.refunds.create(
      {
        payment_intent: state.paymentId,
        amount: state.amount,
        metadata: { refundId: state.refundId },
      },
      { idempotencyKey: `${state.refundId}:refund` },
    ),
  );

const classifyRefund = (state: RefundState, refund: Stripe.Refund): CardRefundOutcome => {
  const isOurs = refund.metadata?.refundId === state.refundId && refund.amount === state.amount;
  if (!isOurs) return unknown('The card processor answers about another refund.');
  const known = { state: writeState({ ...state, reference: refund.id }), reference: refund.id };
  switch (refund.status) {
    case 'succeeded':
      return { kind: 'COMPLETED', ...known };
    case 'canceled':
      return { kind: 'CANCELLED', ...known };
    case 'failed':
      return { kind: 'FAILED', ...known, ...failureOf(refund) };
    default:
      return { kind: 'PENDING', ...known };
  }
};

const failureOf = ({ failure_reason: reason }: Stripe.Refund) => {
  const code = plainCode(reason ?? 'unknown');
  return { code, description: sentenceFor(code) };
};

/** Rejected, or known never to have arrived: the processor created no refund. */
const refundNotMade = (state: RefundState, code: string): CardRefundOutcome => ({
  kind: 'FAILED',
  state: writeState(state),
  reference: null,
  code,
  description: sentenceFor(code),
});

const sentenceFor = (code: string): string => sentences.get(code) ?? couldNot;

const couldNot = 'The card processor could not make the refund.';

const sentences = new Map<string, string>([
  [
    'lost_or_stolen_card',
    'The card was lost or stolen: the bank that issued it returned the refund.',
  ],
  [
    'expired_or_canceled_card',
    'The card has expired or was closed: the bank that issued it returned the refund.',
  ],
  [
    'charge_for_pending_refund_disputed',
    'The payment is disputed: its money goes back by the dispute and not by a refund.',
  ],
  [
    'charge_disputed',
    'The payment is disputed: its money goes back by the dispute and not by a refund.',
  ],
  ['insufficient_funds', 'There is not enough money on the account at the card processor.'],
  ['balance_insufficient', 'There is not enough money on the account at the card processor.'],
  ['declined', 'The bank that issued the card declined the refund.'],
  ['merchant_request', 'The refund was cancelled on request.'],
  ['charge_already_refunded', 'The payment was refunded before.'],
  ['NOT_SENT', 'The refund did not reach the card processor.'],
]);

/** The refund at the processor; a missing one is sent again if that cannot pay twice. */
export const readRefund = async (
  account: Account,
  state: RefundState,
): Promise<CardRefundOutcome> => {
  if (state.reference) return readById(account, state, state.reference);
  const found = await findRefund(account, state);
  if (found === 'ABSENT') return sendAgain(account, state);
  return 'kind' in found ? found : classifyRefund(state, found);
};

const readById = async (
  account: Account,
  state: RefundState,
  reference: string,
): Promise<CardRefundOutcome> => {
  const call = { operation: 'read refund', subject: state.refundId };
  const answer = await callProcessor(account, call, (stripe) => stripe.refunds.retrieve(reference));
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED')
    return unknown(`The card processor does not show the refund (${answer.code}).`);
  return classifyRefund(state, answer.value);
};

const findRefund = async (
  account: Account,
  state: RefundState,
): Promise<Stripe.Refund | 'ABSENT' | Unknown> => {
  const call = { operation: 'find refund', subject: state.refundId };
  const isOurs = ({ metadata }: Stripe.Refund): boolean => metadata?.refundId === state.refundId;
  const listed = await listRefunds(account, call, state.paymentId, isOurs);
  if (listed.kind === 'UNKNOWN') return listed;
  const refund = listed.refunds.find(isOurs);
  if (refund) return refund;
  return listed.isComplete ? 'ABSENT' : unknown('There are too many refunds to find this one.');
};

const sendAgain = async (account: Account, state: RefundState): Promise<CardRefundOutcome> => {
  const ageMs = account.tools.clock.now().getTime() - state.preparedAt;
  if (!isKeyAlive(ageMs))
    return isSettled(ageMs)
      ? refundNotMade(state, 'NOT_SENT')
      : unknown('The refund may still be on its way.');
  const answer = await sendRefund(account, state);
  if (answer.kind === 'ANSWER') return classifyRefund(state, answer.value);
  if (answer.kind === 'REFUSED') {
    const isAboutUs = answer.status === 401 || answer.status === 403;
    return isStill(ageMs) && !isAboutUs
      ? refundNotMade(state, answer.code)
      : unknown(`The card processor does not make the refund now (${answer.code}).`);
  }
  return unanswered(answer.why);
};

export const readRefunds = async (
  account: Account,
  state: PaymentState | RefundState,
): Promise<CardRefundsOutcome> => {
  const { paymentId } = state;
  if (paymentId === undefined) return unknown('The payment is not known at the card processor.');
  const subject = state.kind === 'REFUND' ? state.refundId : state.attemptId;
  const call = { operation: 'read refunds', subject };
  const listed = await listRefunds(account, call, paymentId);
  if (listed.kind === 'UNKNOWN') return listed;
  const refunds = listed.refunds.map(refundOf).reverse();
  return listed.isComplete
    ? { kind: 'REFUNDS', refunds }
    : { kind: 'TOO_MANY', readPerPayment: listedRefundsMax, refunds };
};

const refundOf = (refund: Stripe.Refund): ProcessorRefund => ({
  reference: refund.id,
  refundId: refund.metadata?.refundId ?? null,
  amountPence: pence(refund.amount),
  ...statusOf(refund),
});

const statusOf = (refund: Stripe.Refund): Pick<ProcessorRefund, 'status' | 'errorDescription'> => {
  switch (refund.status) {
    case 'succeeded':
      return { status: 'COMPLETED', errorDescription: null };
    case 'canceled':
      return { status: 'FAILED', errorDescription: 'The refund was cancelled at the processor.' };
    case 'failed':
      return { status: 'FAILED', errorDescription: failureOf(refund).description };
    default:
      return { status: 'PENDING', errorDescription: null };
  }
};

const pageSize = 100;
const pagesMax = 10;
const listedRefundsMax = pageSize * pagesMax;

type ListedRefunds =
  /** The newest first; `isComplete`: the payment has no others. */
  | {
      readonly kind: 'LISTED';
      readonly refunds: readonly Stripe.Refund[];
      readonly isComplete: boolean;
    }
  | Unknown;

/** Page after page of a payment's refunds, to the end, to the one that is meant, or to the limit. */
const listRefunds = async (
  account: Account,
  call: Call,
  paymentId: string,
  isMeant: (refund: Stripe.Refund) => boolean = () => false,
): Promise<ListedRefunds> => {
  const refunds: Stripe.Refund[] = [];
  for (let page = 0; page < pagesMax; page += 1) {
    const after = refunds.at(-1)?.id;
    const answer = await callProcessor(account, call, (stripe) =>
      stripe.refunds.list({
        payment_intent: paymentId,
        limit: pageSize,
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    if (answer.kind === 'NOTHING') return unanswered(answer.why);
    if (answer.kind === 'REFUSED')
      return unknown(`The card processor does not list the refunds (${answer.code}).`);
    const { data, has_more: hasMore } = answer.value;
    refunds.push(...data);
    if (!hasMore || data.some(isMeant)) return { kind: 'LISTED', refunds, isComplete: !hasMore };
  }
  return { kind: 'LISTED', refunds, isComplete: false };
};
