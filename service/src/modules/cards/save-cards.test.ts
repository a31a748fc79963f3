import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outsideText } from '#platform/card-numbers/mask-card-numbers.ts';
import { type CardsService, openCards } from './test/open-cards.ts';
import { readProofs } from './test/read-detachments.ts';
import { cardPayment, facts } from './test/record-card-payment.ts';

let service: CardsService;
beforeAll(async () => {
  service = await openCards();
});
afterAll(() => service.close());

const saved = (reference: string, change: Parameters<typeof facts>[0] = {}) => ({
  payment: cardPayment({ savedCardReference: reference, card: facts(change) }),
});
const second = (number: number) => new Date(Date.UTC(2026, 10, 1, 10, 0, number));
const authenticatedAt = (payment: ReturnType<typeof cardPayment>, number: number) => ({
  ...payment,
  authentication: { ...payment.authentication, at: second(number) },
});

describe('a payment that saved a card', () => {
  test('stores the card, its processor reference and the proof of authentication', async () => {
    const customerId = await service.newCustomer();
    const attemptId = service.tools.ids.uuid();
    await service.pay(customerId, { attemptId });
    const cards = await service.cards(customerId);
    expect(cards).toEqual([
      {
        cardId: expect.any(String),
        cardReference: 'pm_1',
        accountKey: 'simulated',
        cardholderName: 'Ada Lovelace',
        brand: 'VISA',
        funding: 'CREDIT',
        category: null,
        country: 'GB',
        lastFourDigits: '4242',
        expiryDate: '08/2031',
        recurrenceType: 'unscheduled',
        networkTransactionId: 'network_1',
      },
    ]);
    expect(await readProofs(service.tools, service.sandbox, customerId)).toEqual([
      {
        attempt_id: attemptId,
        card_id: cards[0]?.cardId,
        result: 'authenticated',
        flow: 'challenge',
        version: '2.2.0',
        eci: '05',
        ds_trans_id: 'ds_1',
        network_transaction_id: 'network_1',
        amount_pence: 1250n,
        authenticated_at: new Date('2026-11-01T10:00:00.000Z'),
      },
    ]);
    expect(await service.detachments(customerId)).toEqual([]);
  });

  test('saves nothing when the payment was not recorded', async () => {
    const customerId = await service.newCustomer();
    await service.pay(customerId, {}, false);
    const payment = cardPayment();
    const authentication = { ...payment.authentication, hasHappened: false };
    await service.pay(customerId, { payment: { ...payment, authentication } }, false);
    expect(await service.cards(customerId)).toEqual([]);
    expect(await service.detachments(customerId)).toEqual([]);
  });

  test('saves nothing when the processor has no card', async () => {
    const customerId = await service.newCustomer();
    await service.pay(customerId, { payment: cardPayment({ savedCardReference: null }) });
    expect(await service.cards(customerId)).toEqual([]);
    expect(await service.detachments(customerId)).toEqual([]);
  });

  test('is detached without authentication, and when the processor does not describe it', async () => {
    const customerId = await service.newCustomer();
    const payment = cardPayment();
    const authentication = { ...payment.authentication, hasHappened: false };
    await service.pay(customerId, { payment: { ...payment, authentication } });
    await service.pay(customerId, {
      payment: cardPayment({ savedCardReference: 'pm_2', card: null }),
    });
    expect(await service.cards(customerId)).toEqual([]);
    expect(await service.detachments(customerId)).toMatchObject([
      { reference: 'pm_1', reason: 'NOT_AUTHENTICATED', outcome: null },
      { reference: 'pm_2', reason: 'NOT_SAVED', outcome: null },
    ]);
  });

  test('saves once when recorded several times', async () => {
    const customerId = await service.newCustomer();
    const attemptId = service.tools.ids.uuid();
    await service.pay(customerId, { attemptId, ...saved('pm_1') });
    await service.pay(customerId, { attemptId, ...saved('pm_1') });
    expect(await service.cards(customerId)).toHaveLength(1);
    expect(await readProofs(service.tools, service.sandbox, customerId)).toHaveLength(1);
    expect(await service.detachments(customerId)).toEqual([]);
  });

  test.each([
    ['a number', '4000 0000 0000 0127', null],
    ['a name and a number', 'Ada 4242-4242-4242-4242', null],
    ['controls', ' Ada\u0000 Lovelace\n ', 'Ada Lovelace'],
    ['a control', '\u0000', null],
    ['half a character', 'Ada \ud83d', 'Ada'],
    ['too much', `${'x'.repeat(99)}🏪🏪`, `${'x'.repeat(99)}🏪`],
    ['nothing', null, null],
  ])('stores only a name of %s', async (_, typed, name) => {
    const customerId = await service.newCustomer();
    const cardholderName = outsideText(typed);
    await service.pay(customerId, saved('pm_1', { cardholderName, lastFourDigits: '' }));
    const [card] = await service.cards(customerId);
    expect([card?.cardholderName, card?.lastFourDigits]).toEqual([name, '']);
  });
});

describe('the same card saved again', () => {
  test('keeps its id and takes the newer details; the older reference is detached', async () => {
    const customerId = await service.newCustomer();
    await service.pay(customerId, saved('pm_1'));
    const [first] = await service.cards(customerId);
    const newer = saved('pm_2', { expiryDate: '09/2034', cardholderName: null });
    await service.pay(customerId, { payment: authenticatedAt(newer.payment, 5) });
    expect(await service.cards(customerId)).toEqual([
      { ...first, cardReference: 'pm_2', expiryDate: '09/2034' },
    ]);
    expect(await service.detachments(customerId)).toMatchObject([
      { reference: 'pm_1', reason: 'REPLACED' },
    ]);
    expect(await readProofs(service.tools, service.sandbox, customerId)).toMatchObject([
      { card_id: first?.cardId },
      { card_id: first?.cardId },
    ]);
  });

  test('ignores an older payment that is recorded late', async () => {
    const customerId = await service.newCustomer();
    await service.pay(customerId, {
      payment: authenticatedAt(saved('pm_new', { expiryDate: '09/2034' }).payment, 9),
    });
    await service.pay(customerId, { payment: authenticatedAt(saved('pm_old').payment, 3) });
    expect(await service.cards(customerId)).toMatchObject([
      { cardReference: 'pm_new', expiryDate: '09/2034' },
    ]);
    expect(await service.detachments(customerId)).toMatchObject([
      { reference: 'pm_old', reason: 'NOT_SAVED' },
    ]);
  });

  test('twenty times concurrently is one card; nineteen references are detached', async () => {
    const customerId = await service.newCustomer();
    const references = Array.from({ length: 20 }, (_, index) => `pm_${index}`);
    await Promise.all(references.map((each) => service.pay(customerId, saved(each))));
    const [card, ...others] = await service.cards(customerId);
    expect(others).toEqual([]);
    const detached = await service.detachments(customerId);
    expect([card?.cardReference, ...detached.map(({ reference }) => reference)].sort()).toEqual(
      references.sort(),
    );
    const proofs = await readProofs(service.tools, service.sandbox, customerId);
    expect(new Set(proofs.map((proof) => proof.card_id))).toEqual(new Set([card?.cardId]));
    expect(proofs).toHaveLength(20);
  });

  test('has another id for another customer, account or number', async () => {
    const [one, other] = [await service.newCustomer(), await service.newCustomer()];
    await service.pay(one, saved('pm_1'));
    await service.pay(other, saved('pm_2'));
    await service.pay(one, { ...saved('pm_3'), accountKey: 'stripe' });
    await service.pay(one, saved('pm_4', { fingerprint: 'print_2' }));
    await service.pay(one, saved('pm_5', { fingerprint: null }));
    await service.pay(one, saved('pm_6', { fingerprint: null }));
    expect(await service.cards(one)).toHaveLength(5);
    expect(await service.cards(other)).toHaveLength(1);
    expect(await service.detachments(one)).toEqual([]);
  });
});

describe('a customer deleted while a card is saved', () => {
  test('has no card left: it is detached', async () => {
    const customerId = await service.newCustomer();
    await service.request('DELETE', `/api/customers/${customerId}`);
    await service.pay(customerId, saved('pm_1'));
    expect(await service.detachments(customerId)).toMatchObject([
      { reference: 'pm_1', reason: 'NOT_SAVED' },
    ]);
  });

  test('concurrently has every reference detached, without an error', async () => {
    for (let round = 0; round < 20; round += 1) {
      const customerId = await service.newCustomer();
      await service.pay(customerId, saved('pm_0'));
      const path = `/api/customers/${customerId}`;
      const [deleted] = await Promise.all([
        service.request('DELETE', path),
        service.pay(customerId, saved('pm_1')),
        service.pay(customerId, saved('pm_2', { fingerprint: 'print_2' })),
        service.request('DELETE', path),
      ]);
      expect([200, 404]).toContain(deleted.status);
      expect((await service.request('GET', `${path}/cards`)).status).toBe(404);
      const detached = await service.detachments(customerId);
      expect(detached.map(({ reference }) => reference).sort()).toEqual(['pm_0', 'pm_1', 'pm_2']);
    }
  });
});
