import { inkOn, plainHex } from '@florin/checkout';
import {
  type BodyOf,
  type getPaymentDetails as described,
  failures,
  type ReplyOf,
} from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { noPence, pence, poundsNumber } from '#kernel/pence.ts';
import {
  type CannotStart,
  decidingAttempt,
  isCounted,
  outstandingPence,
  type Payment,
  partsOfShare,
  paymentUrl,
  requestedPence,
  totalPence,
  whyNotStart,
} from '#modules/payments/index.ts';
import { findLastBank } from '../bank/find-last-bank.ts';
import { type CheckoutTools, explainCannotStart, offersBank } from '../bank/start-bank-payment.ts';
import { takesCards } from '../card/card-offer.ts';
import { findPaymentOfPage } from '../pages/payment-page.ts';

/** A dialog shows the processor's fields: an account without them takes cards on our page only. */
export const hasCardForm = async ({ cardRails }: CheckoutTools, payment: Payment) =>
  (await cardRails.find(payment.tenant))?.fieldsOf !== undefined;

export const noCardsInBrowser = (
  { publicUrl }: { readonly publicUrl: string },
  { paymentRequestId }: Payment,
): Failure => {
  const page = paymentUrl(publicUrl, paymentRequestId);
  return new Failure(failures.notEnabled, {
    message: `Card payments are not enabled in this window. Pay by card on ${page}`,
  });
};

/** With the members that clients show for a paid or expired link. */
export const explainToClient = (why: CannotStart, payment: Payment): Failure => {
  const explained = explainCannotStart(why);
  const isExpired = why === 'EXPIRED';
  return new Failure(isExpired ? failures.requestTimeout : explained.definition, {
    message: explained.message,
    members: {
      ...(isExpired ? { title: 'Payment Link Expired' } : {}),
      time: (isExpired ? payment.expiresBusinessAt : payment.updatedAt).toISOString(),
      referenceId: decidingAttempt(payment)?.paymentIdempotencyId ?? payment.paymentRequestId,
      amount: poundsNumber(requestedPence(payment)),
      redirectUrl: payment.redirectUrl,
    },
  });
};

type Reply = ReplyOf<typeof described>;

/** What a page or app of a merchant shows before a bank is chosen. Reading it changes nothing. */
export const getPaymentDetails = async (
  tools: CheckoutTools & { readonly publicUrl: string },
  { data, customerDetails }: BodyOf<typeof described>,
  origin: string | null,
): Promise<Reply> => {
  const found = await findPaymentOfPage(tools, data.toLowerCase());
  if (!found) throw noRequest();
  const { payment } = found;
  const why = whyNotStart(payment);
  if (why && isOver.has(why)) throw explainToClient(why, payment);
  const hasCards = takesCards(payment) && (await canPayByCard(tools, payment, origin));
  if (origin !== null && !hasCards && !offersBank(payment)) throw noCardsInBrowser(tools, payment);
  const institutionId = await findLastBank(tools, payment, customerDetails ?? {});
  return {
    ...partiesView(payment),
    ...requestView(payment),
    options: { cardPaymentEnabled: hasCards },
    ...nothingKnown,
    lastPaymentBankDetails: institutionId === null ? null : { institutionId },
  };
};

const canPayByCard = async (tools: CheckoutTools, payment: Payment, origin: string | null) =>
  origin === null
    ? (await tools.cardRails.find(payment.tenant)) !== null
    : hasCardForm(tools, payment);

const isOver = new Set<CannotStart>([
  ...(['PAID', 'EXPIRED', 'CANCELLED', 'SUSPENDED'] as const),
  ...(['NO_RETRY', 'TOO_MANY_ATTEMPTS'] as const),
]);

export const noRequest = (): Failure =>
  new Failure(failures.notFound, { message: 'There is no payment request with this id.' });

const nothingKnown = {
  employeeId: null,
  consumerId: null,
  encryptedNotesDetails: null,
  encryptedQrDetails: null,
  encryptedPaymentDetails: null,
  encryptedRefundPaymentDetails: null,
  merchantNotes: null,
  contextType: null,
  isCashback: false,
  senderName: null,
  senderRequestId: null,
} as const;

const externalMerchant = 3;

const partiesView = ({ merchant, store, tenant, ...payment }: Payment) => ({
  merchantBusinessName: merchant.name,
  merchantId: tenant.merchantId,
  customerId: payment.merchantCustomerReference,
  orderId: payment.orderId,
  env: tenant.environment,
  storeImg: merchant.avatarUrl,
  storeDetails: { id: store.id, address: store.address, locationName: store.locationName },
  merchantThemeDetails: themeOf(merchant.accentColour),
  paymentSourceType: externalMerchant,
});

/** With a text colour that is readable on the merchant's colour. */
const themeOf = (accentColour: string | null): Reply['merchantThemeDetails'] => {
  const hex = plainHex(accentColour);
  return hex === null ? null : { colorCode: `#${hex}`, foregroundColor: `#${inkOn(hex)}` };
};

/** Of a split bill what is left: a payer is never asked for the share of another. */
const amountsView = (payment: Payment) => {
  const leftPence = payment.splitsBill ? outstandingPence(payment) : requestedPence(payment);
  const parts = payment.splitsBill
    ? partsOfShare(payment, { amountPence: leftPence })
    : payment.parts;
  return {
    amount: { amount: poundsNumber(leftPence), currency: 'GBP' },
    taxPercentage: payment.taxPercentage,
    servicePercentage: payment.servicePercentage,
    taxAmount: poundsNumber(parts.taxPence),
    serviceAmount: poundsNumber(parts.servicePence),
  };
};

const requestView = (payment: Payment) => ({
  ...amountsView(payment),
  // Clients only send these back: what counts is what the request says (BANK-11).
  notes: null,
  callbackParams: '{}',
  paymentType: 'DOMESTIC',
  expiresIn: payment.expiresBusinessAt.getTime() - payment.createdAt.getTime(),
  requestCreatedAt: payment.createdAt.toISOString(),
  strictExpiry: payment.strictExpiry,
  allowSdkRetry: payment.retryAllowed,
  redirectOnCompleted: payment.redirectUrl !== null,
  splitBill: payment.splitsBill,
  splitOutstandingAmount: poundsNumber(payment.splitsBill ? outstandingPence(payment) : noPence),
  splitEntries: payment.splitsBill ? splitEntries(payment) : [],
  tipInfo: tipInfo(payment),
  paymentMethod: offersBank(payment) ? null : 'CARD',
});

const splitEntries = ({ attempts }: Payment): Reply['splitEntries'] =>
  attempts
    .filter(isCounted)
    .map((attempt) => ({ amount: poundsNumber(totalPence(attempt)), status: attempt.status }));

const tipInfo = ({ tips }: Payment): Reply['tipInfo'] =>
  tips && {
    id: tips.tipId,
    tipType: tips.type === 'FIXED' ? 0 : 1,
    allowCustomTips: tips.allowsCustom,
    tipOptions: tips.options.map((option) => ({
      value: tips.type === 'FIXED' ? poundsNumber(pence(option)) : option,
      mostTipped: false,
    })),
    status: true,
  };
