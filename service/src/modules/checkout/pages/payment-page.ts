import type { CheckoutNotice, CheckoutView, SandboxScenario } from '@florin/contract';
import { payeeFor } from '#modules/merchants/index.ts';
import type { Payment } from '#modules/payments/index.ts';
import { qrSvg } from '#platform/qr.ts';
import type { Pictures } from '#platform/read-pictures.ts';
import type { Uses } from '#platform/tools.ts';
import { bankOfCustomer } from '../bank/find-last-bank.ts';
import { findLinkedPayment } from '../bank/finish-authorisation.ts';
import type { CheckoutTools } from '../bank/start-bank-payment.ts';
import { cardOffer } from '../card/card-offer.ts';
import type { FormTokens } from '../input/form-token.ts';
import { checkoutView, ownAttempt } from '../views/checkout-view.ts';
import { merchantReturn } from '../views/merchant-return.ts';
import type { PageQuery } from '../views/view-sources.ts';

export type PageTools = CheckoutTools &
  Uses<'config' | 'clock'> & {
    readonly formTokens: FormTokens;
    readonly publicUrl: string;
    readonly operatorName: string;
    readonly pictures: Pictures;
    /** The outcomes a developer can try at the simulated banks. */
    readonly scenarios: readonly SandboxScenario[];
  };

export type Page =
  | { readonly kind: 'VIEW'; readonly view: CheckoutView; readonly payment: Payment }
  | { readonly kind: 'NOTICE'; readonly notice: CheckoutNotice };

/** The current page of a payment request. Reading it changes nothing: links are previewed. */
export const paymentPage = async (
  tools: PageTools,
  paymentRequestId: string,
  query: PageQuery,
): Promise<Page> => {
  const found = await findLinkedPayment(tools, paymentRequestId);
  if (!found) return { kind: 'NOTICE', notice: { page: 'NOT_FOUND' } };
  const { payment, tenant } = found;
  const formToken = tools.formTokens.make(paymentRequestId);
  const [payee, returnTo, card, customersBankId] = await Promise.all([
    payeeFor(tools, tenant, payment.store.id),
    merchantReturn(tools, payment, ownAttempt(payment, query) ?? null),
    cardOffer(tools, payment, formToken),
    bankOfCustomer(tools, payment),
  ]);
  const view = checkoutView({
    payment,
    payee,
    institutions: tools.bankRails.find(tenant.environment)?.institutions() ?? [],
    customersBankId,
    card,
    returnTo,
    qrSvg,
    publicUrl: tools.publicUrl,
    operatorName: tools.operatorName,
    pictures: tools.pictures,
    catchesMail: tools.config.smtpUrl === null,
    formToken,
    scenarios: tools.scenarios,
    offersReceipts: tools.config.smtpUrl !== null || tenant.environment === 'SANDBOX',
    query,
  });
  return { kind: 'VIEW', view, payment };
};
