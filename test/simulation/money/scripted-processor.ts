import type { Pence } from '../../../service/src/kernel/pence.ts';
import { cardPayment, facts } from '../../../service/src/modules/cards/test/record-card-payment.ts';
import type { Unknown } from '../../../service/src/rails/bank-rail.ts';
import type {
  CardOutcome,
  CardRail,
  CardRefundOutcome,
  CardRefundsOutcome,
} from '../../../service/src/rails/card-rail.ts';
import type { Random } from '../seeded-random.ts';

type Charge = {
  readonly attemptId: string;
  readonly amountPence: bigint;
  readonly captureMethod: 'AUTOMATIC' | 'MANUAL';
};
type Refund = { readonly attemptId: string; readonly refundId: string; readonly pence: string };

export type ProcessorPayment = Charge & {
  status: 'AUTHORIZED' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  captures: number;
  /** Refunded by the merchant in the processor's own dashboard, in pence. */
  readonly dashboard: bigint[];
};
export type ProcessorRefund = Refund & { status: 'PENDING' | 'COMPLETED' | 'FAILED' };

const unknown: Unknown = { kind: 'UNKNOWN', description: 'No answer.' };
const farAway = new Date('2100-01-01T00:00:00Z');
const decline = {
  code: 'card_declined',
  description: 'Declined.',
  retry: 'TRY_AGAIN_LATER',
  networkCode: null,
} as const;

/** A card processor in memory, with books of its own: it acts once, and loses answers. */
export const scriptedProcessor = (random: Random, faultShare: () => number) => {
  const payments = new Map<string, ProcessorPayment>();
  const refunds = new Map<string, ProcessorRefund>();
  const complaints: string[] = [];
  const fails = (): boolean => random.chance(faultShare());

  const outcomeOf = (state: string): CardOutcome => {
    const { attemptId, amountPence: amount } = readState(state);
    const found = payments.get(attemptId);
    if (!found || found.status === 'CANCELLED')
      return { kind: 'CANCELLED', state, reason: 'CANCELLED', lastDecline: null };
    const amountPence = amount as Pence;
    const card = { ...facts(), reference: 'pm_model', fingerprint: 'print_model' };
    const payment = cardPayment({ amountPence, card, reference: `pi_${attemptId}` });
    const about = { state, payment: { ...payment, savedCardReference: null } };
    if (found.status === 'FAILED') return { kind: 'FAILED', ...about, decline };
    if (found.status === 'COMPLETED') return { kind: 'COMPLETED', ...about };
    return { kind: 'AUTHORIZED', ...about, expiresAt: farAway, expirySource: 'PROCESSOR' };
  };
  const act = async (state: string, change: (payment: ProcessorPayment) => void) => {
    if (fails()) return unknown;
    const payment = payments.get(readState(state).attemptId);
    if (payment) change(payment);
    return fails() ? unknown : outcomeOf(state);
  };
  const charge = async (state: string): Promise<CardOutcome> => {
    if (fails()) return unknown;
    const order = readState(state);
    if (!payments.has(order.attemptId)) {
      const held = order.captureMethod === 'MANUAL' ? 'AUTHORIZED' : 'COMPLETED';
      const isDeclined = order.amountPence % 100n === declinedEnding;
      const status = isDeclined ? 'FAILED' : held;
      payments.set(order.attemptId, { ...order, status, captures: 0, dashboard: [] });
    }
    return fails() ? unknown : outcomeOf(state);
  };
  const capture = (state: string) =>
    act(state, (payment) => {
      if (payment.status !== 'AUTHORIZED') return;
      payment.status = 'COMPLETED';
      payment.captures += 1;
    });
  const cancel = (state: string) =>
    act(state, (payment) => {
      if (payment.status === 'AUTHORIZED') payment.status = 'CANCELLED';
    });
  const refund = async (state: string): Promise<CardRefundOutcome> => {
    if (fails()) return unknown;
    const order = JSON.parse(state) as Refund;
    if (!refunds.has(order.refundId)) refunds.set(order.refundId, { ...order, status: 'PENDING' });
    const { amountPence = 0n, dashboard = [] } = payments.get(order.attemptId) ?? {};
    const elsewherePence = dashboard.reduce((sum, pence) => sum + pence, 0n);
    if (refundedPenceOf(order.attemptId) + elsewherePence > amountPence)
      complaints.push(`${order.attemptId} was refunded too much`);
    if (fails()) return unknown;
    const { status } = refunds.get(order.refundId) ?? { status: 'PENDING' };
    const about = { state, reference: `re_${order.refundId}` };
    return status === 'FAILED'
      ? { kind: 'FAILED', ...about, code: 'declined', description: 'The bank refused it.' }
      : { kind: status, ...about };
  };
  const refundedPenceOf = (attemptId: string): bigint =>
    [...refunds.values()]
      .filter((each) => each.attemptId === attemptId && each.status !== 'FAILED')
      .reduce((sum, { pence }) => sum + BigInt(pence), 0n);
  const readRefunds = async (state: string): Promise<CardRefundsOutcome> => {
    if (fails()) return unknown;
    const { attemptId } = readState(state);
    const ours = [...refunds.values()].filter((each) => each.attemptId === attemptId);
    const elsewhere = payments.get(attemptId)?.dashboard ?? [];
    return {
      kind: 'REFUNDS',
      refunds: [
        ...ours.map(({ refundId, pence, status }) => ({
          ...{ reference: `re_${refundId}`, refundId, errorDescription: null },
          ...{ amountPence: BigInt(pence) as Pence, status },
        })),
        ...elsewhere.map((pence, at) => ({
          ...{ reference: `re_dashboard_${at}`, refundId: null, errorDescription: null },
          ...{ amountPence: pence as Pence, status: 'COMPLETED' as const },
        })),
      ],
    };
  };
  const notUsed = async (): Promise<never> => {
    throw new Error('the model opens no card pages');
  };
  const rail: CardRail = {
    accountKey: 'model',
    readAccount: notUsed,
    openSession: notUsed,
    readSession: notUsed,
    expireSession: notUsed,
    prepareCharge: ({ attemptId, amountPence, captureMethod }) =>
      JSON.stringify({ attemptId, amountPence: String(amountPence), captureMethod }),
    charge,
    resolveCharge: charge,
    readPayment: async (state) => (fails() ? unknown : outcomeOf(state)),
    capture,
    resolveCapture: capture,
    cancel,
    resolveCancel: cancel,
    prepareRefund: (state, { refundId, amountPence }) =>
      JSON.stringify({
        attemptId: readState(state).attemptId,
        refundId,
        pence: String(amountPence),
      }),
    refund,
    readRefund: refund,
    readRefunds,
    createCustomer: async () => ({ kind: 'CREATED', customerReference: 'cus_model' }),
    listEvents: notUsed,
    detachCard: notUsed,
    deleteCustomer: notUsed,
    readDispute: notUsed,
    uploadEvidence: notUsed,
    answerDispute: notUsed,
    readEvent: async () => ({ kind: 'INVALID', description: 'The model sends no events.' }),
    estimateExpiry: () => farAway,
  };
  return { rail, payments, refunds, complaints };
};

/** Charges that end so are declined. */
export const declinedEnding = 13n;

const readState = (state: string): Charge => {
  const { amountPence, ...rest } = JSON.parse(state) as Charge & { readonly amountPence: string };
  return { ...rest, amountPence: BigInt(amountPence) };
};
