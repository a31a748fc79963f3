import { readRailState } from '#rails/rail-state.ts';
import type { Authorisation } from './visit.ts';

/** The rail's memory, kept (encrypted) by the module between two steps of one payment. */
export type PaymentState = {
  readonly v: 1;
  readonly bankId: string;
  readonly version: string;
  readonly interactionId: string;
  readonly consentId: string;
  readonly amount: string;
  /** The submission, byte for byte: a repeat under the same key must be equal. */
  readonly body: string;
  readonly idempotencyKey: string;
  readonly payerAddress?: string;
  readonly payerUserAgent?: string;
  readonly authorisation?: Authorisation;
  readonly access?: { readonly token: string; readonly obtainedAt: number };
  readonly paymentId?: string;
};

export const readPaymentState = (text: string): PaymentState | null =>
  readRailState(text, 'BANK_PAYMENT', texts);

const texts = [
  ...(['bankId', 'version', 'interactionId', 'consentId', 'amount', 'body'] as const),
  'idempotencyKey',
] as const;
