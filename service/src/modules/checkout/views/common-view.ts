import { tellBanksApart } from '@florin/checkout';
import type {
  CheckoutAttempt,
  CheckoutBank,
  CheckoutCommon,
  CheckoutFrame,
  CheckoutSplit,
  CheckoutSummary,
} from '@florin/contract';
import { type Pence, pence, poundsText, subtractPence } from '#kernel/pence.ts';
import {
  type Attempt,
  canExtend,
  isPaid,
  type Payment,
  partsOfShare,
  restPence,
  tipToPay,
  withoutOwnShare,
} from '#modules/payments/index.ts';
import { statementReference } from '../bank/start-bank-payment.ts';
import { cardOfAttempt } from '../card/card-offer.ts';
import { totalOf } from '../input/choose-amount.ts';
import type { ViewSources } from './checkout-view.ts';

/** What the page shows: the whole, a chosen share, or one attempt. */
export type Amounts = Pick<Attempt, 'amountPence' | 'tipPence'> &
  Partial<Pick<Attempt, 'status' | 'parts' | 'method'>>;

export const commonView = (
  sources: ViewSources,
  amounts: Amounts = wholeAmount(sources.payment),
): CheckoutCommon => ({
  frame: frameView(sources),
  summary: summaryView(sources, amounts),
  returnTo: sources.returnTo,
});

const frameView = ({
  payment,
  operator,
  query,
  scenarios,
  pictures,
}: ViewSources): CheckoutFrame => ({
  locale: query.locale,
  environment: payment.tenant.environment,
  paymentRequestId: payment.paymentRequestId,
  merchantName: payment.merchant.name,
  // The default name of every merchant's first store means nothing to a payer.
  storeName: payment.store.locationName === 'DEFAULT' ? null : payment.store.locationName,
  storeAddress: payment.store.address === '' ? null : payment.store.address,
  // A logo is shown from our own server only: its own would learn who pays.
  avatarUrl:
    payment.merchant.logoUrl ??
    (pictures.find('merchants', payment.tenant.merchantId)
      ? `/merchant-logos/${payment.tenant.merchantId}.svg`
      : payment.merchant.avatarUrl),
  accentColour: payment.merchant.accentColour,
  support: payment.merchant.support,
  ...operator,
  version: shownVersion(payment),
  ...(payment.tenant.environment === 'SANDBOX' ? { scenarios, scenario: query.scenario } : {}),
});

/** Changes with what a page can show, not with polls of a bank. */
const shownVersion = ({ updatedAt, eventSequence }: Payment): string =>
  `${updatedAt.getTime()}.${eventSequence}`;

const summaryView = (sources: ViewSources, amounts: Amounts): CheckoutSummary => {
  const { payment } = sources;
  const { amountPence, tipPence } = amounts;
  const { taxPence, servicePence } = partsOfShare(payment, amounts);
  return {
    amount: poundsText(amountPence),
    taxAmount: shownPart(taxPence),
    serviceAmount: shownPart(servicePence),
    tipAmount: shownPart(tipPence),
    totalAmount: totalOf(amountPence, tipPence),
    currency: 'GBP',
    orderId: payment.orderId,
    notes: payment.notes,
    lineItems: payment.lineItems?.map(({ name, quantity, amountPence }) => ({
      name,
      quantity,
      amount: poundsText(pence(amountPence)),
    })),
    payerNote: payment.payerNote,
    payeeName: nameAtBank(sources, amounts),
    reference: statementReference(payment.orderId),
    expiresAt: payment.expiresBusinessAt.toISOString(),
    now: payment.now.toISOString(),
    tipsEnabled: payment.tipsEnabled,
    splitsBill: payment.splitsBill,
    split: payment.splitsBill ? splitView(sources) : null,
    moreTime: canExtend(payment) ? { formToken: sources.formToken } : null,
  };
};

/** The creditor's name; of a card payment the processor's for the merchant, which it pays directly. */
const nameAtBank = ({ payment, payee, card }: ViewSources, { method }: Amounts): string => {
  if (method === 'CARD') return card?.statementName ?? payment.merchant.name;
  const byBank = payment.attempts.findLast((attempt) => attempt.method !== 'CARD');
  return byBank?.creditor.name ?? payee.account.name;
};

const shownPart = (part: Pence): string | null => (part > 0n ? poundsText(part) : null);

const splitView = ({ payment, query }: ViewSources): CheckoutSplit => {
  const left = restPence(withoutOwnShare(payment, query.payerId));
  const held = subtractPence(subtractPence(payment.amountPence, payment.paidPence), left);
  return {
    billAmount: poundsText(payment.amountPence),
    paidAmount: poundsText(payment.paidPence),
    heldAmount: poundsText(held),
    leftAmount: poundsText(left),
    payments: payment.attempts.filter(isPaid).length,
  };
};

export const bankViews = (
  { institutions, pictures }: Pick<ViewSources, 'institutions' | 'pictures'>,
  totalPence: Pence,
): readonly CheckoutBank[] => {
  const banks = institutions.map((institution) => {
    const isTooMuch = totalPence > institution.limitPence;
    const unavailableReason = unavailable(institution.isEnabled, isTooMuch);
    return {
      id: institution.id,
      name: institution.name,
      fullName: institution.fullName,
      kind: institution.kind,
      colour: institution.colour,
      isPopular: institution.isPopular,
      isAvailable: unavailableReason === null,
      unavailableReason,
      ...(unavailableReason === 'AMOUNT_TOO_HIGH' && { limit: poundsText(institution.limitPence) }),
      ...(pictures.find('banks', institution.id) && {
        iconUrl: `/bank-icons/${institution.id}.svg`,
      }),
      ...(institution.isSlow && { isSlow: true }),
      ...(institution.appScheme && { appScheme: institution.appScheme }),
    };
  });
  return tellBanksApart(banks);
};

const unavailable = (isEnabled: boolean, isTooMuch: boolean): CheckoutBank['unavailableReason'] => {
  if (!isEnabled) return 'DOWN';
  return isTooMuch ? 'AMOUNT_TOO_HIGH' : null;
};

export const attemptView = (
  { institutions }: Pick<ViewSources, 'institutions'>,
  attempt: Attempt,
): CheckoutAttempt => ({
  ...(attempt.method === 'CARD'
    ? { bankName: '', method: 'CARD', card: cardOfAttempt(attempt) }
    : {
        bankName:
          institutions.find(({ id }) => id === attempt.institutionId)?.name ??
          attempt.institutionId,
        method: 'BANK',
        institutionId: attempt.institutionId,
      }),
  startedAt: attempt.createdAt.toISOString(),
  paymentIdempotencyId: attempt.paymentIdempotencyId,
});

export const wholeAmount = (payment: Payment): Amounts => ({
  amountPence: payment.amountPence,
  tipPence: tipToPay(payment),
});
