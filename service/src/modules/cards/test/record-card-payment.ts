import type { Tenant } from '#kernel/environment.ts';
import { pence } from '#kernel/pence.ts';
import { outsideText } from '#platform/card-numbers/mask-card-numbers.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardFacts, CardPayment } from '#rails/card-rail.ts';
import { type PaidByCard, saveCard } from '../save-card.ts';
import { cardsValue, type SaveCardValues, saveCardCtes } from '../store/save-card-ctes.ts';

// In place of the statement of a payment that records its success.
const recordPayment = statement<SaveCardValues & { readonly hasWon: boolean }, { one: number }>(
  'test_record_payment',
  sql('hasWon')`
   with paid as (select 1 as one where :hasWon::boolean),
   ${saveCardCtes('paid')}
   select one from paid`,
);

type Tools = Uses<'database' | 'secrets' | 'ids'>;

/** What a card payment does with the card, as the statement of the payment does it. */
export const recordCardPayment = async (
  tools: Tools,
  tenant: Tenant,
  paid: Partial<PaidByCard> & { readonly customerId: string },
  hasWon = true,
): Promise<void> => {
  const { saved, detached } = saveCard(tools, tenant, {
    attemptId: tools.ids.uuid(),
    accountKey: 'simulated',
    payment: cardPayment(),
    now: new Date('2026-11-01T10:00:01.000Z'),
    ...paid,
  });
  const cards = cardsValue(saved, detached);
  await tools.database.tenant(tenant.merchantId, recordPayment, { ...tenant, cards, hasWon });
};

export const facts = (change: Partial<CardFacts> = {}): CardFacts => ({
  reference: 'pm_of_charge',
  brand: 'VISA',
  funding: 'CREDIT',
  category: null,
  country: 'GB',
  lastFourDigits: '4242',
  expiryDate: '08/2031',
  fingerprint: 'print_1',
  cardholderName: outsideText('Ada Lovelace'),
  ...change,
});

export const cardPayment = (change: Partial<CardPayment> = {}): CardPayment => ({
  reference: 'pi_1',
  amountPence: pence(1250),
  networkTransactionId: 'network_1',
  card: facts(),
  authentication: {
    hasHappened: true,
    result: 'authenticated',
    flow: 'challenge',
    version: '2.2.0',
    eci: '05',
    dsTransId: 'ds_1',
    at: new Date('2026-11-01T10:00:00.000Z'),
  },
  savedCardReference: 'pm_1',
  at: new Date('2026-11-01T10:00:00.000Z'),
  ...change,
});
