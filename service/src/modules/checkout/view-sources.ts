import type { SandboxScenario } from '@florin/contract';
import type { Payee } from '#modules/merchants/index.ts';
import type { Payment } from '#modules/payments/index.ts';
import type { Institution } from '#rails/bank-rail.ts';
import type { MerchantReturn } from './merchant-return.ts';

/** What the payer asks to see, by the address of the page. */
export type PageQuery = {
  readonly locale: string;
  readonly search: string;
  readonly institutionId: string | null;
  /** The payer has read why the last try failed and wants another. */
  readonly tryAgain: boolean;
};

export type ViewSources = {
  readonly payment: Payment;
  readonly payee: Pick<Payee, 'account'>;
  readonly institutions: readonly Institution[];
  readonly returnTo: MerchantReturn | null;
  readonly qrSvg: (text: string) => string;
  readonly publicUrl: string;
  readonly operatorName: string;
  readonly formToken: string;
  readonly scenarios: readonly SandboxScenario[];
  readonly query: PageQuery;
};
