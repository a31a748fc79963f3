import type { CaptureMethod, CardInitiator } from '#rails/card-rail.ts';
import { readRailState } from '#rails/rail-state.ts';

/** What the rail remembers between two steps of one payment; the module stores it encrypted. */
export const writeState = (state: PaymentState | RefundState): string => JSON.stringify(state);

/** Null if this connector did not write it. */
export const readPaymentState = (text: string): PaymentState | null =>
  readRailState<SessionState>(text, 'SESSION', ['attemptId', 'sessionId']) ??
  readRailState<ChargeState>(text, 'CHARGE', ['attemptId', 'customerId', 'cardId']);

export const readRefundState = (text: string): RefundState | null =>
  readRailState(text, 'REFUND', ['refundId', 'paymentId']);

export type PaymentState = SessionState | ChargeState;

type Common = {
  readonly v: 1;
  readonly attemptId: string;
  readonly amount: number;
  readonly initiator: CardInitiator;
  /** The processor's id of the payment, once it is known. */
  readonly paymentId?: string;
};

export type SessionState = Common & {
  readonly kind: 'SESSION';
  readonly sessionId: string;
  /** Set when its fields stand in our page. */
  readonly clientSecret?: string;
};

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
