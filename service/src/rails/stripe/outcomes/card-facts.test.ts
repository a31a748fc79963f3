import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { outsideValues } from '../../../../../test/harness/outside-values.ts';
import { cardFactsOfMethod } from './card-facts.ts';

test.each(outsideValues.map((odd) => ({ odd })))(
  'of a card of which the processor says value %# nothing unfit is kept',
  ({ odd }) => {
    const card = { brand: odd, country: odd, exp_month: odd, exp_year: odd, fingerprint: odd };
    const method = { id: odd, card: { ...card, funding: odd, last4: odd, description: odd } };
    const facts = cardFactsOfMethod({
      ...method,
      billing_details: { name: odd },
    } as unknown as Stripe.PaymentMethod);
    const { reference, fingerprint, expiryDate, country, cardholderName } = facts ?? {};
    for (const id of [reference, fingerprint]) expect(id ?? '').toMatch(/^[A-Za-z0-9_-]{0,255}$/);
    expect(expiryDate).toBe('');
    expect(country ?? '').toMatch(/^[\x21-\x7e]{0,64}$/);
    expect(cardholderName ?? '').toMatch(/^[^\p{Cc}\p{Cs}]{0,100}$/u);
  },
);
