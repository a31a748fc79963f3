import { type CheckoutView, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { noPence, type Pence, pence } from '#kernel/pence.ts';
import { findStore, payeeFor, readTenantTime } from '#modules/merchants/index.ts';
import {
  type Attempt,
  checkRequest,
  newAttempt,
  type Payment,
  type TipChoices,
} from '#modules/payments/index.ts';
import type { Ids } from '#platform/clock.ts';
import { qrSvg } from '#platform/qr.ts';
import { cardOffer } from './card/card-offer.ts';
import { nothingChosen } from './input/amount-query.ts';
import { tipChoicePence } from './input/choose-amount.ts';
import type { PageTools } from './pages/payment-page.ts';
import { arriving, checkoutView, type ViewSources } from './views/checkout-view.ts';

/** What of a merchant's settings a payer sees. */
export type PreviewSettings = {
  readonly businessName: string;
  readonly avatarUrl: string | null;
  /** An address of our own, or the picture itself. */
  readonly logoUrl: string | null;
  readonly accentColour: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
  readonly cardsEnabled: boolean;
  readonly tips: Omit<TipChoices, 'tipId'> | null;
  readonly taxPercentage: number;
  readonly servicePercentage: number;
};

const noId = '00000000-0000-0000-0000-000000000000';
const openMs = 60 * 60 * 1000;
const order = { customerId: 'example', orderId: 'EXAMPLE-1042', amount: 42.5 };

/** An example of a request, just opened: its id is that of no payment. */
const previewPayment = (tenant: Tenant, settings: PreviewSettings, now: Date): Payment => {
  const requested = checkRequest(order, tenant.environment, () => false);
  return {
    ...requested,
    tenant,
    paymentRequestId: noId,
    kind: 'CHECKOUT',
    status: 'OPEN',
    version: 1,
    parts: partsOf(settings, requested.amountPence),
    taxPercentage: settings.taxPercentage,
    servicePercentage: settings.servicePercentage,
    paidPence: noPence,
    fixedTipPence: null,
    secretId: noId,
    cardsEnabled: settings.cardsEnabled,
    expiresInMs: openMs,
    // A page without a script always offers more time, which payers with one see near the end.
    timeExtensions: limits.timeExtensions,
    expiresBusinessAt: new Date(now.getTime() + openMs),
    liveAttemptCount: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
    merchant: {
      name: settings.businessName,
      categoryCode: '5999',
      completedAtSettlement: false,
      signsEveryReturn: false,
      repeatsCompleted: false,
      isSuspended: false,
      avatarUrl: settings.avatarUrl,
      accentColour: settings.accentColour,
      logoUrl: settings.logoUrl,
      support: {
        email: settings.supportEmail,
        phone: settings.supportPhone,
        url: settings.supportUrl,
      },
    },
    tips: settings.tips && { ...settings.tips, tipId: noId },
    store: { id: noId, locationName: 'DEFAULT', address: '' },
    attempts: [],
    now,
    readAtMs: 0,
    clockOffsetMs: 0,
    tipsEnabled: settings.tips !== null,
  };
};

/** MONEY-3, as the statement that writes a request computes it. */
const partsOf = ({ taxPercentage, servicePercentage }: PreviewSettings, amountPence: Pence) => {
  const whole = 100 + taxPercentage + servicePercentage;
  const share = (percentage: number): Pence =>
    pence(BigInt(Math.round((Number(amountPence) * percentage) / whole)));
  return { taxPence: share(taxPercentage), servicePence: share(servicePercentage) };
};

/** Where the payer of the example is: at the first page, before the banks, or done. */
export const previewSteps = ['FIRST', 'BANK', 'PAID'] as const;

export type PreviewStep = (typeof previewSteps)[number];

type Shown = Pick<ViewSources, 'payment' | 'query'>;

/** What the page of a step is drawn from. With tips, the payer has chosen the first that is offered. */
const previewStep = (
  ids: Ids,
  { payment, query }: Shown,
  step: PreviewStep,
  order: Pick<Attempt, 'institutionId' | 'creditor'>,
): Shown => {
  if (step === 'FIRST') return { payment, query };
  if (step === 'PAID')
    return { payment: paidBy(payment, exampleAttempt(ids, payment, order)), query };
  const fields = { ...nothingChosen, tip: payment.tips ? '0' : 'none' };
  return { payment, query: { ...query, amount: { fields, total: '' } } };
};

const paidBy = (payment: Payment, attempt: Attempt): Payment => ({
  ...payment,
  status: 'PAID',
  paidPence: payment.amountPence,
  attempts: [attempt],
});

const exampleAttempt = (
  ids: Ids,
  payment: Payment,
  order: Pick<Attempt, 'institutionId' | 'creditor'>,
): Attempt => {
  const { amountPence } = payment;
  const started = newAttempt(ids, payment, {
    ...order,
    ...{ amountPence, tipPence: firstTip(payment), settlesTo: 'STORE_ACCOUNT' },
    ...{ applicationUserId: null, paymentDevice: null },
  });
  return {
    ...started,
    ...{ status: 'COMPLETED', step: 'ENDED', isSettled: true, paymentIdempotencyId: 'EXAMPLE' },
  };
};

const firstTip = ({ tips, amountPence }: Payment) => {
  const [first] = tips?.options ?? [];
  if (!tips || first === undefined) return noPence;
  return pence(tipChoicePence(tips.type, first, amountPence));
};

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
  const [store, [time]] = await Promise.all([
    findStore(tools, tenant, null),
    tools.database.tenant(tenant.merchantId, readTenantTime, tenant),
  ]);
  const payment = previewPayment(tenant, settings, time?.now ?? tools.clock.now());
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
    ...previewStep(
      tools.ids,
      { payment: shown, query: { ...arriving, hasOpened: true } },
      step,
      order,
    ),
    payee,
    institutions,
    customersBankId: null,
    card,
    cardFields: null,
    returnTo: null,
    qrSvg,
    publicUrl: tools.publicUrl,
    operator: tools.operator,
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
