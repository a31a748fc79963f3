import type { CheckoutCard, CheckoutCardOffer } from '@florin/contract';
import { type CardRails, listCards, type SavedCard } from '#modules/cards/index.ts';
import type { Attempt, Payment } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';

/** What the page offers for cards; null when this payment cannot be made by card. */
export const cardOffer = async (
  tools: Uses<'database' | 'secrets'> & { readonly cardRails: CardRails },
  payment: Payment,
  formToken: string,
): Promise<CheckoutCardOffer | null> => {
  const rail = takesCards(payment) ? await tools.cardRails.find(payment.tenant) : null;
  if (!rail) return null;
  const { tenant, customerId, savesPaymentMethod, now } = payment;
  const isKnown = customerId !== null;
  // A payer who saves a card pays with a new one (REQUEST-3).
  const saved = isKnown && !savesPaymentMethod ? await listCards(tools, tenant, customerId) : [];
  return {
    formToken,
    savedCards: saved
      .filter((card) => card.accountKey === rail.accountKey && !hasExpired(card, now))
      .map((card) => ({ ...cardView(card), cardId: card.cardId, expiryDate: card.expiryDate })),
    saves: isKnown && savesPaymentMethod ? 'unscheduled' : null,
    ...(rail.accepts?.() ?? { brands: [], wallets: [] }),
  };
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
