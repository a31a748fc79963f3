import type { CaptureMethod, CardInitiator } from '#rails/card-rail.ts';

/** What the rail remembers between two steps of one payment; the module stores it encrypted. */
export type RailState = PaymentState | RefundState;

export const writeState = (state: RailState): string => JSON.stringify(state);

/** Null if this connector did not write it. */
export const readPaymentState = (text: string): PaymentState | null => {
  const state = readState(text);
  return state?.kind === 'SESSION' || state?.kind === 'CHARGE' ? state : null;
};

export const readRefundState = (text: string): RefundState | null => {
  const state = readState(text);
  return state?.kind === 'REFUND' ? state : null;
};

const texts: Readonly<Record<RailState['kind'], readonly string[]>> = {
  SESSION: ['attemptId', 'sessionId'],
  CHARGE: ['attemptId', 'customerId', 'cardId'],
  REFUND: ['refundId', 'paymentId'],
};

const readState = (text: string): RailState | null => {
  try {
    const state: unknown = JSON.parse(text);
    return isState(state) ? state : null;
  } catch {
    return null;
  }
};

const isState = (state: unknown): state is RailState => {
  if (typeof state !== 'object' || state === null) return false;
  const members = state as Readonly<Record<string, unknown>>;
  const wanted = Object.hasOwn(texts, String(members.kind))
    ? texts[members.kind as RailState['kind']]
    : null;
  return members.v === 1 && !!wanted?.every((name) => typeof members[name] === 'string');
};

export type PaymentState = SessionState | ChargeState;

type Common = {
  readonly v: 1;
  readonly attemptId: string;
  readonly amount: number;
  readonly initiator: CardInitiator;
  /** The processor's id of the payment, once it is known. */
  readonly paymentId?: string;
};

export type SessionState = Common & { readonly kind: 'SESSION'; readonly sessionId: string };

export type ChargeState = Common & {
  readonly kind: 'CHARGE';
  readonly preparedAt: number;
  readonly paymentRequestId: string;
  readonly description: string;
  readonly captureMethod: CaptureMethod;
  readonly customerId: string;
  readonly cardId: string;
  readonly recurrenceType: 'unscheduled' | 'recurring' | 'installment';
  readonly returnUrl?: string;
};

export type RefundState = {
  readonly v: 1;
  readonly kind: 'REFUND';
  readonly preparedAt: number;
  readonly refundId: string;
  readonly amount: number;
  readonly paymentId: string;
  /** The processor's id of the refund, once it is known. */
  readonly reference?: string;
};
