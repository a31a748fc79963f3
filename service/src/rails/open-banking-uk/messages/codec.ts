import type { BankPaymentOrder, PayerAccount } from '#rails/bank-rail.ts';
import type { ConsentStatus, IsoStatus } from './payment-status.ts';

/** One version of the standard's wire: `codec-v3`, `codec-v4`. The next one is another file. */
export type Codec = {
  readonly consentBody: (order: BankPaymentOrder, terms: ConsentTerms) => string;
  readonly paymentBody: (consentId: string, consentBody: string) => string;
  /** Null when the answer lacks what the standard requires. */
  readonly readConsent: (answer: unknown) => ConsentAnswer | null;
  readonly readPayment: (answer: unknown) => PaymentAnswer | null;
  readonly readFunds: (answer: unknown) => FundsAnswer | null;
  /** Null when the answer is not an error of the standard. */
  readonly readError: (answer: unknown) => ErrorAnswer | null;
};

export type ConsentTerms = {
  readonly contextCode?: string;
  readonly saysContractPresent: boolean;
  readonly referenceLengthMax?: number;
  readonly readRefundAccount: boolean;
};

export type ConsentAnswer = {
  readonly consentId: string;
  readonly status: ConsentStatus;
  readonly amount: string | null;
  readonly reasonCode: string | null;
};

export type PaymentAnswer = {
  readonly paymentId: string;
  readonly consentId: string | null;
  readonly status: IsoStatus;
  readonly changedAt: Date | null;
  readonly amount: string | null;
  readonly reasonCode: string | null;
  readonly payer: PayerAccount | null;
};

export type FundsAnswer = { readonly isAvailable: boolean; readonly at: Date | null };

export type ErrorAnswer = { readonly codes: readonly string[] };
