import type { CheckoutCardOffer, SandboxScenario } from '@florin/contract';
import type { Payee } from '#modules/merchants/index.ts';
import type { Payment } from '#modules/payments/index.ts';
import type { Pictures } from '#platform/read-pictures.ts';
import type { Institution } from '#rails/bank-rail.ts';
import type { AmountQuery } from '../input/amount-query.ts';
import type { MerchantReturn } from './merchant-return.ts';

export type ViewSources = {
  readonly payment: Payment;
  readonly payee: Pick<Payee, 'account'>;
  readonly institutions: readonly Institution[];
  /** The bank with which the merchant's customer paid last, when the customer is known. */
  readonly customersBankId: string | null;
  /** Null when this payment cannot be made by card. */
  readonly card: CheckoutCardOffer | null;
  readonly returnTo: MerchantReturn | null;
  readonly qrSvg: (text: string) => string;
  readonly publicUrl: string;
  readonly operatorName: string;
  readonly pictures: Pictures;
  /** No mail server: mails are stored for the merchant's developer to read. */
  readonly catchesMail: boolean;
  readonly formToken: string;
  readonly scenarios: readonly SandboxScenario[];
  /** False when no mail can be sent. */
  readonly offersReceipts: boolean;
  readonly query: PageQuery;
};

/** What the payer requests, by the address of the page. */
export type PageQuery = {
  readonly locale: string;
  /** Sandbox only: the outcome at the simulated bank. */
  readonly scenario: string | null;
  readonly search: string;
  /** The payer keeps reading: no automatic return. */
  readonly stays: boolean;
  /** A receipt by mail was just requested. */
  readonly receiptRequested: boolean;
  readonly institutionId: string | null;
  /** The payer has read why the last attempt failed and wants another. */
  readonly tryAgain: boolean;
  readonly amount: AmountQuery | null;
  /** The amount step again, with the earlier choices. */
  readonly requiresAmount: boolean;
  readonly way: 'CARD' | null;
  /** The payment that this browser returned from a bank with. */
  readonly paymentIdempotencyId: string | null;
  /** The payer's id of a browser, for this payment request only. */
  readonly payerId: string | null;
  /** This browser went to a bank for this payment. */
  readonly hasStarted: boolean;
  /** The bank that a link or a client's page chose for the payer. */
  readonly selectedBankId: string | null;
  /** What this device remembers after the payer ticked the box. */
  readonly rememberedBankId: string | null;
};
