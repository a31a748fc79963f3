import { fieldColours } from '@florin/checkout';
import type { CheckoutCard, CheckoutCardOffer } from '@florin/contract';
import type { Pence } from '#kernel/pence.ts';
import { type CardRails, listCards, type SavedCard } from '#modules/cards/index.ts';
import {
  type Attempt,
  captureMethodOf,
  type Payment,
  totalPence,
} from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardSessionOrder } from '#rails/card-rail.ts';
import type { StartOrder } from '../bank/start-bank-payment.ts';

/** What the page offers for cards; null when this payment cannot be made by card. */
export const cardOffer = async (
  tools: Uses<'database' | 'secrets'> & { readonly cardRails: CardRails },
  payment: Payment,
  formToken: string,
  userAgent = '',
): Promise<CheckoutCardOffer | null> => {
  const rail = takesCards(payment) ? await tools.cardRails.find(payment.tenant) : null;
  if (!rail) return null;
  const { tenant, customerId, savesPaymentMethod, now } = payment;
  const isKnown = customerId !== null;
  // A payer who saves a card pays with a new one (REQUEST-3).
  const saved = isKnown && !savesPaymentMethod ? await listCards(tools, tenant, customerId) : [];
  const accepted = rail.accepts?.() ?? { brands: [], wallets: [], statementName: null };
  return {
    formToken,
    savedCards: saved
      .filter((card) => card.accountKey === rail.accountKey && !hasExpired(card, now))
      .map((card) => ({ ...cardView(card), cardId: card.cardId, expiryDate: card.expiryDate })),
    saves: isKnown && savesPaymentMethod ? 'unscheduled' : null,
    hasFields: rail.fieldsOf !== undefined,
    ...accepted,
    deviceWallets: accepted.wallets.filter((wallet) => isOfDevice(wallet, userAgent)),
  };
};

/** The processor's frame asks the device itself: this only leaves out what it cannot have. */
const isOfDevice = (wallet: string, userAgent: string): boolean => {
  const isApples = /Mac OS X|iPhone|iPad/.test(userAgent);
  if (wallet === 'Apple Pay') return isApples;
  return wallet !== 'Google Pay' || !isApples;
};

/** A card is valid to the end of its printed month. */
const hasExpired = ({ expiryDate }: SavedCard, now: Date): boolean => {
  const [month, year] = expiryDate.split('/').map(Number);
  return Boolean(month && year) && Date.UTC(year ?? 0, month ?? 0) <= now.getTime();
};

export const cardOfAttempt = ({ card }: Attempt): CheckoutCard | null =>
  card?.facts ? cardView(card.facts) : null;

const cardView = (card: { brand: string; lastFourDigits: string }): CheckoutCard => ({
  brand: brandNames.get(card.brand) ?? '',
  lastFourDigits: card.lastFourDigits,
});

const brandNames = new Map([
  ['VISA', 'Visa'],
  ['MASTERCARD', 'Mastercard'],
  ['AMEX', 'American Express'],
  ['DISCOVER', 'Discover'],
  ['DINERS', 'Diners Club'],
  ['JCB', 'JCB'],
  ['UNIONPAY', 'UnionPay'],
]);

/** The merchant takes cards, and this request does not exclude them. */
export const takesCards = ({ kind, cardsEnabled, paymentMethods }: Payment): boolean =>
  kind === 'CHECKOUT' && cardsEnabled && (paymentMethods?.includes('CARD') ?? true);

/** The parameters of a payer's start by card. */
export type CardStartOrder = Pick<
  StartOrder,
  'tipPence' | 'share' | 'expectedPence' | 'applicationUserId' | 'paymentDevice'
> & {
  /** The payer's browser runs our script: the processor's fields may stand in our page. */
  readonly takesFields?: boolean;
  /** What that browser prefers; absent: nobody has asked it. */
  readonly scheme?: 'light' | 'dark';
  /** No page of ours has offered the customer's saved cards: the processor's does. */
  readonly showsSavedCards?: boolean;
};

export type PageOrder = {
  readonly publicUrl: string;
  /** The processor's customer, when the card is to be saved or saved ones are shown. */
  readonly customerReference: string | null;
  readonly isInOurPage: boolean;
  readonly scheme: 'light' | 'dark' | null;
  /** Above this amount the page requests the payer's address and telephone; null: never. */
  readonly detailsAbovePence: Pence | null;
};

/** Sent once: a page that is open is read, with `readSession`. */
export const cardSessionOrder = (
  payment: Payment,
  attempt: Attempt,
  { publicUrl, customerReference, isInOurPage, scheme, detailsAbovePence }: PageOrder,
): CardSessionOrder => ({
  attemptId: attempt.attemptId,
  paymentRequestId: payment.paymentRequestId,
  amountPence: totalPence(attempt),
  description: cardDescription(payment),
  captureMethod: captureMethodOf('AUTO_CAPTURE'),
  returnUrl: cardReturnUrl(publicUrl, attempt.attemptId),
  isInOurPage,
  ...(scheme && { colours: fieldColours(payment.merchant.accentColour, scheme) }),
  cancelUrl: `${cardReturnUrl(publicUrl, attempt.attemptId)}&left=1`,
  requiresDetails: detailsAbovePence !== null && totalPence(attempt) > detailsAbovePence,
  ...(customerReference && {
    customerReference,
    ...(payment.savesPaymentMethod
      ? { saveCard: { recurrenceType: 'unscheduled' } }
      : { showsSavedCards: true }),
  }),
});

/** Where the browser returns to from the processor's page or a bank's challenge. */
export const cardReturnUrl = (publicUrl: string, attemptId: string): string =>
  `${publicUrl}/card-return?attempt=${attemptId}`;

export const cardDescription = ({ merchant, orderId }: Payment): string =>
  `${merchant.name}, order ${orderId}`;
