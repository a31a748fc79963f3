import type Stripe from 'stripe';
import { outsideName } from '#platform/card-numbers/mask-card-numbers.ts';
import type { CardFacts, CardInitiator } from '#rails/card-rail.ts';
import { plainCode, plainId, processorId } from '../account/call-processor.ts';

type Described = Pick<
  Stripe.PaymentMethod.Card,
  'brand' | 'country' | 'exp_month' | 'exp_year' | 'fingerprint' | 'funding' | 'last4'
> & { readonly description?: string | null };

/** From the charge, which also describes cards that were not stored. */
export const cardFactsOfCharge = (charge: Stripe.Charge): CardFacts | null => {
  const card = charge.payment_method_details?.card;
  if (!card) return null;
  const described = { ...card, brand: card.brand ?? '', last4: card.last4 ?? '' } as Described;
  return cardFacts(charge.payment_method ?? '', described, charge.billing_details?.name ?? null);
};

export const cardFactsOfMethod = (method: Stripe.PaymentMethod | undefined): CardFacts | null =>
  method?.card
    ? cardFacts(method.id, method.card as Described, method.billing_details?.name ?? null)
    : null;

const cardFacts = (reference: string, card: Described, name: string | null): CardFacts => ({
  reference: processorId(reference) ?? '',
  brand: plainCode(card.brand || 'unknown').toUpperCase(),
  funding: fundings.get(card.funding ?? '') ?? 'UNKNOWN',
  category: categoryOf(card.description),
  country: plainId(card.country),
  lastFourDigits: /^\d{4}$/.test(card.last4 ?? '') ? (card.last4 ?? '') : '',
  expiryDate: expiryOf(card),
  fingerprint: processorId(card.fingerprint),
  cardholderName: outsideName(name),
});

/** MM/YYYY; of no month of the calendar it is empty. */
const expiryOf = ({ exp_month: month, exp_year: year }: Described): string => {
  const text = `${String(month).padStart(2, '0')}/${year}`;
  return /^(0[1-9]|1[0-2])\/\d{4}$/.test(text) ? text : '';
};

const fundings = new Map<string, CardFacts['funding']>([
  ['credit', 'CREDIT'],
  ['debit', 'DEBIT'],
  ['prepaid', 'PREPAID'],
]);

/** The processor has no field for it and describes the card to some accounts only. */
const categoryOf = (description: string | null | undefined): CardFacts['category'] => {
  if (!description) return null;
  return /commercial|corporate|business|purchasing|fleet/i.test(description)
    ? 'commercial'
    : 'consumer';
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The usual limits of schemes when the processor gives none: by scheme, then by initiator. */
const lifetimesMs = new Map<string, Readonly<Record<CardInitiator, number>>>([
  ['VISA', { CUSTOMER: 7 * dayMs, MERCHANT: 4 * dayMs + 18 * hourMs }],
]);

const usualMs = 7 * dayMs;

export const estimateExpiry = (brand: string, initiator: CardInitiator, from: Date): Date =>
  new Date(from.getTime() + (lifetimesMs.get(brand)?.[initiator] ?? usualMs));
