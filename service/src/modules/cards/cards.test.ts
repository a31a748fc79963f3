import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChargeableCard, listCards } from './saved-cards.ts';
import { type CardsService, openCards } from './test/open-cards.ts';
import { cardPayment, facts, recordCardPayment } from './test/record-card-payment.ts';

let service: CardsService;
beforeAll(async () => {
  service = await openCards();
});
afterAll(() => service.close());

const noId = '00000000-0000-4000-8000-000000000000';
const cardsPath = (customerId: string): string => `/api/customers/${customerId}/cards`;
const list = (customerId: string) => service.request('GET', cardsPath(customerId));
const save = async (customerId: string, change: Parameters<typeof facts>[0] = {}) => {
  await service.pay(customerId, { payment: cardPayment({ card: facts(change) }) });
  return (await list(customerId)).body[0].id as string;
};
/** A customer with one card, and the path of the card. */
const withCard = async () => {
  const customerId = await service.newCustomer();
  const cardId = await save(customerId);
  return { customerId, cardId, path: `${cardsPath(customerId)}/${cardId}` };
};
const chargeable = (customerId: string, cardId: string) =>
  findChargeableCard(service.tools, service.sandbox, customerId, cardId);

describe('listCustomerCards', () => {
  test('answers the documented members, and an empty list without cards', async () => {
    const customerId = await service.newCustomer();
    const none = await list(customerId);
    expect([none.status, none.body]).toEqual([200, []]);
    const id = await save(customerId);
    const reply = await list(customerId);
    expect([reply.status, reply.body]).toEqual([
      200,
      [
        {
          id,
          name: 'Ada Lovelace',
          type: 'credit',
          lastFourDigits: '4242',
          category: null,
          cardType: 'CREDIT',
          brand: 'VISA',
          country: 'GB',
          recurrenceType: 'unscheduled',
          expiryDate: '08/2031',
        },
      ],
    ]);
  });

  test('puts the newest first and keeps expired cards', async () => {
    const customerId = await service.newCustomer();
    const savings = ['01/2020', '08/2031', '09/2032'].map((expiryDate, index) => ({
      payment: cardPayment({ card: facts({ fingerprint: `print_${index}`, expiryDate }) }),
      now: new Date(Date.UTC(2026, 10, 1, 12, 0, index)),
    }));
    for (const paid of savings) await service.pay(customerId, paid);
    const expiries = (await list(customerId)).body.map(
      ({ expiryDate }: { expiryDate: string }) => expiryDate,
    );
    expect(expiries).toEqual(['09/2032', '08/2031', '01/2020']);
  });

  test.each([
    [
      { brand: 'MASTERCARD', funding: 'PREPAID', country: null },
      { brand: 'MASTERCARD', type: 'prepaid', cardType: 'PREPAID', country: null },
    ],
    [
      { brand: 'UNKNOWN', funding: 'UNKNOWN', cardholderName: null, category: 'commercial' },
      { brand: null, type: null, cardType: null, name: null, category: 'commercial' },
    ],
  ] as const)('shows %j as %j', async (change, shown) => {
    const customerId = await service.newCustomer();
    await save(customerId, change);
    expect((await list(customerId)).body).toMatchObject([shown]);
  });

  test('works while cards are switched off', async () => {
    const { secrets, merchantId } = await service.newMerchant();
    const secret = secrets.PRODUCTION.secret;
    const customerId = await service.newCustomer(secret);
    const production = { merchantId, environment: 'PRODUCTION' } as const;
    await recordCardPayment(service.tools, production, { customerId });
    const reply = await service.request('GET', cardsPath(customerId), { secret });
    expect(reply.body).toHaveLength(1);
    const path = `${cardsPath(customerId)}/${reply.body[0].id}`;
    expect((await service.request('DELETE', path, { secret })).status).toBe(200);
  });
});

describe('getCustomerCard', () => {
  test('answers the card as the list does', async () => {
    const { customerId, path } = await withCard();
    const reply = await service.request('GET', path);
    expect([reply.status, [reply.body]]).toEqual([200, (await list(customerId)).body]);
  });

  test("does not find a card under another customer's id", async () => {
    const { cardId } = await withCard();
    const other = await service.newCustomer();
    const reply = await service.request('GET', `${cardsPath(other)}/${cardId}`);
    expect([reply.status, reply.body.message]).toEqual([404, 'No card was found under this id.']);
  });
});

describe('deleteCustomerCard', () => {
  test('deletes the card at once and detaches it at the processor', async () => {
    const { customerId, cardId, path } = await withCard();
    const saved = await chargeableReference(customerId, cardId);
    const reply = await service.request('DELETE', path);
    expect([reply.status, reply.body]).toEqual([200, { id: cardId }]);
    expect((await list(customerId)).body).toEqual([]);
    expect((await service.request('GET', path)).status).toBe(404);
    expect(await chargeable(customerId, cardId)).toEqual({ kind: 'DELETED_CARD' });
    expect(await service.detachments(customerId)).toMatchObject([
      { reference: saved, reason: 'DELETED', outcome: null },
    ]);
  });

  test('answers 404 the second time, also concurrently, and detaches once', async () => {
    const { customerId, path } = await withCard();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => service.request('DELETE', path)),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    expect(await service.detachments(customerId)).toHaveLength(1);
  });

  test('repeats its reply under the same Idempotency-Key', async () => {
    const { cardId, path } = await withCard();
    const headers = { 'idempotency-key': `delete-${cardId}` };
    await service.request('DELETE', path, { headers });
    const again = await service.request('DELETE', path, { headers });
    expect([again.status, again.body]).toEqual([200, { id: cardId }]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  test('deletes the fingerprint: the card has a new id when saved again', async () => {
    const { customerId, cardId, path } = await withCard();
    await service.request('DELETE', path);
    const again = await save(customerId);
    expect(again).not.toBe(cardId);
    expect((await list(customerId)).body).toHaveLength(1);
  });

  test('keeps one reference and detaches the others while the card is saved again', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { customerId, path } = await withCard();
      await Promise.all([
        service.request('DELETE', path),
        service.pay(customerId, { payment: cardPayment({ savedCardReference: 'pm_2' }) }),
      ]);
      const cards = await service.cards(customerId);
      const detached = await service.detachments(customerId);
      const references = [...cards.map((card) => card.cardReference)].concat(
        detached.map(({ reference }) => String(reference)),
      );
      expect(references.sort()).toEqual(['pm_1', 'pm_2']);
    }
  });
});

const chargeableReference = async (customerId: string, cardId: string) => {
  const [card] = (await service.cards(customerId)).filter((each) => each.cardId === cardId);
  return card?.cardReference;
};

describe('deleteCustomer', () => {
  test('deletes the cards too and detaches all of them', async () => {
    const { customerId, cardId, path } = await withCard();
    await service.request('DELETE', path);
    await service.pay(customerId, { payment: cardPayment({ savedCardReference: 'pm_2' }) });
    await service.pay(customerId, {
      payment: cardPayment({
        savedCardReference: 'pm_3',
        card: facts({ fingerprint: 'print_3' }),
      }),
    });
    const reply = await service.request('DELETE', `/api/customers/${customerId}`);
    expect([reply.status, reply.body]).toEqual([200, { id: customerId }]);
    expect((await list(customerId)).status).toBe(404);
    expect(await chargeable(customerId, cardId)).toEqual({ kind: 'UNKNOWN_CUSTOMER' });
    const detached = await service.detachments(customerId);
    expect(detached.map(({ reference, reason }) => [reference, reason]).sort()).toEqual([
      ['pm_1', 'DELETED'],
      ['pm_2', 'CUSTOMER_DELETED'],
      ['pm_3', 'CUSTOMER_DELETED'],
    ]);
  });
});

describe('findChargeableCard', () => {
  test('finds no card of another merchant or environment', async () => {
    const { customerId, cardId } = await withCard();
    const { merchantId } = await service.newMerchant();
    const theirs = { merchantId, environment: 'SANDBOX' } as const;
    for (const tenant of [theirs, service.production]) {
      const found = await findChargeableCard(service.tools, tenant, customerId, cardId);
      expect(found).toEqual({ kind: 'UNKNOWN_CUSTOMER' });
      expect(await listCards(service.tools, tenant, customerId)).toEqual([]);
    }
  });

  test('gives the reason', async () => {
    const { customerId, cardId } = await withCard();
    const other = await service.newCustomer();
    expect(await chargeable(noId, cardId)).toEqual({ kind: 'UNKNOWN_CUSTOMER' });
    expect(await chargeable(other, cardId)).toEqual({ kind: 'UNKNOWN_CARD' });
    for (const unknown of [noId, 'card_17', "'; drop table card", cardId.slice(1), ''])
      expect(await chargeable(customerId, unknown)).toEqual({ kind: 'UNKNOWN_CARD' });
  });
});

describe.each([
  ['GET', cardsPath],
  ['GET', (customerId: string, cardId: string) => `${cardsPath(customerId)}/${cardId}`],
  ['DELETE', (customerId: string, cardId: string) => `${cardsPath(customerId)}/${cardId}`],
] as const)('%s', (method, pathOf) => {
  test("does not find another merchant's card", async () => {
    const { customerId, cardId } = await withCard();
    const { secret } = (await service.newMerchant()).secrets.SANDBOX;
    const theirs = await service.request(method, pathOf(customerId, cardId), { secret });
    const none = await service.request(method, pathOf(noId, noId), { secret });
    expect([theirs.status, theirs.body]).toEqual([404, none.body]);
    expect((await list(customerId)).body).toHaveLength(1);
  });

  test('names the other environment', async () => {
    const { customerId, cardId } = await withCard();
    const secret = service.productionSecret;
    const reply = await service.request(method, pathOf(customerId, cardId), { secret });
    expect([reply.status, reply.body.name]).toEqual([400, 'ENVIRONMENT_MISMATCH']);
    const own = await service.newCustomer(secret);
    const mixed = await service.request(method, pathOf(own, cardId), { secret });
    expect(mixed.body.name ?? 'a list').toBe(
      pathOf === cardsPath ? 'a list' : 'ENVIRONMENT_MISMATCH',
    );
  });

  test('rejects an id that is not a UUID', async () => {
    const { customerId, cardId } = await withCard();
    const wrong = await service.request(method, pathOf('7', cardId));
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'customerId']);
    if (pathOf === cardsPath) return;
    const wrongCard = await service.request(method, pathOf(customerId, 'pm_1'));
    expect([wrongCard.status, wrongCard.body.errors[0].field]).toEqual([400, 'cardId']);
  });
});
