import type { CheckoutCardOffer, SandboxScenario } from '@florin/contract';
import type { Payee } from '#modules/merchants/index.ts';
import type { Payment } from '#modules/payments/index.ts';
import type { Institution } from '#rails/bank-rail.ts';
import type { AmountQuery } from '../input/amount-query.ts';
import type { MerchantReturn } from './merchant-return.ts';

export type ViewSources = {
  readonly payment: Payment;
  readonly payee: Pick<Payee, 'account'>;
  readonly institutions: readonly Institution[];
  /** With which the merchant's customer paid last, where it is known who pays. */
  readonly customersBankId: string | null;
  /** Null where this payment cannot be made by card. */
  readonly card: CheckoutCardOffer | null;
  readonly returnTo: MerchantReturn | null;
  readonly qrSvg: (text: string) => string;
  readonly publicUrl: string;
  readonly operatorName: string;
  readonly formToken: string;
  readonly scenarios: readonly SandboxScenario[];
  /** False where no mail would ever leave. */
  readonly offersReceipts: boolean;
  readonly query: PageQuery;
};

/** What the payer asks to see, by the address of the page. */
export type PageQuery = {
  readonly locale: string;
  /** Sandbox only: what the simulated bank is to do. */
  readonly scenario: string | null;
  readonly search: string;
  /** The payer reads on: no way back by itself. */
  readonly stays: boolean;
  /** A receipt by mail was just asked for. */
  readonly receiptRequested: boolean;
  readonly institutionId: string | null;
  /** The payer has read why the last try failed and wants another. */
  readonly tryAgain: boolean;
  readonly amount: AmountQuery | null;
  /** The amount step once more, with what was chosen there. */
  readonly requiresAmount: boolean;
  readonly way: 'CARD' | null;
  /** The payment that this browser came back from a bank with. */
  readonly paymentIdempotencyId: string | null;
  /** Whom a payer's browser is known as, for this payment request alone. */
  readonly payerId: string | null;
  /** What this device keeps, because its owner ticked so. */
  readonly rememberedBankId: string | null;
};
