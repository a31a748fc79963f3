import type { CheckoutView } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { findStore, payeeFor } from '#modules/merchants/index.ts';
import { qrSvg } from '#platform/qr.ts';
import { cardOffer } from '../card/card-offer.ts';
import type { PageTools } from '../pages/payment-page.ts';
import { checkoutView } from '../views/checkout-view.ts';
import type { PageQuery } from '../views/view-sources.ts';
import { type PreviewSettings, previewPayment } from './preview-payment.ts';
import { type PreviewStep, previewStep } from './preview-step.ts';

export type { PreviewSettings } from './preview-payment.ts';

/**
 * A page that a payer of an example would see under these settings, by the same views and templates. There
 * is no such payment: nothing on the page could be paid, wherever it was sent.
 */
export const previewView = async (
  tools: PageTools,
  tenant: Tenant,
  settings: PreviewSettings,
  step: PreviewStep,
): Promise<CheckoutView> => {
  const payment = previewPayment(tenant, settings, tools.clock.now());
  const store = await findStore(tools, tenant, null);
  const shown = { ...payment, store: { ...payment.store, ...shownStore(store) } };
  const [payee, card] = await Promise.all([
    // Where no account can be paid yet there is still a page to look at.
    payeeFor(tools, tenant, store.storeId).catch(() => ({
      account: { sortCode: '', accountNumber: '', name: settings.businessName },
    })),
    cardOffer(tools, shown, ''),
  ]);
  const institutions = tools.bankRails.find(tenant.environment)?.institutions() ?? [];
  const bank = institutions.find(({ isEnabled }) => isEnabled);
  const order = { institutionId: bank?.id ?? '', creditor: payee.account };
  return checkoutView({
    ...previewStep(tools.ids, { payment: shown, query: arriving }, step, order),
    payee,
    institutions,
    customersBankId: null,
    card,
    returnTo: null,
    qrSvg,
    publicUrl: tools.publicUrl,
    operatorName: tools.operatorName,
    pictures: tools.pictures,
    catchesMail: true,
    formToken: '',
    scenarios: [],
    offersReceipts: true,
  });
};

const shownStore = ({ locationName, address }: { locationName: string; address: string }) => ({
  locationName,
  address,
});

/** Of a payer who opens the page. */
const arriving: PageQuery = {
  locale: 'en',
  scenario: null,
  search: '',
  stays: false,
  receiptRequested: false,
  institutionId: null,
  tryAgain: false,
  amount: null,
  requiresAmount: false,
  way: null,
  paymentIdempotencyId: null,
  payerId: null,
  selectedBankId: null,
  rememberedBankId: null,
  hasStarted: false,
};
