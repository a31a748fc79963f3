import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setCardAccount } from '#modules/cards/index.ts';
import { type CardPayments, cardPayments } from '../../../../../test/harness/card-payments.ts';
import { findBrokenInvariants } from '../../../../../test/harness/invariants/find-broken-invariants.ts';
import { isLongRun } from '../../../../../test/harness/is-long-run.ts';
import { openSandbox, type Sandbox } from '../../../../../test/harness/open-sandbox.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';

let sandbox: Sandbox;
let cards: CardPayments;
let card: Awaited<ReturnType<CardPayments['saveCard']>>;
let failing: typeof card;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
  failing = await cards.saveCard('4000000000000341');
});
afterEach(async () => {
  await cards.control.noFaults();
});
afterAll(async () => {
  expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  await sandbox.close();
});

const events = async (id: string) =>
  (
    await cards.rows(
      `select b.body::jsonb ->> 'status' as status, b.body::jsonb as body from event e
       join event_body b on b.event_id = e.event_id where e.resource_id = $1 order by e.sequence`,
      [id],
    )
  ).map(({ body }) => body as Record<string, unknown>);

const booked = async (id: string) => {
  const lines = await cards.control.ofRequest(id);
  return lines.map(({ status, captured }) => `${status} ${captured}`);
};

const manual = { captureType: 'MANUAL_CAPTURE' };

describe('a charge of a saved card', () => {
  test('is PENDING, then COMPLETED, with one payment at the processor', async () => {
    const reply = await cards.charge(card, { notes: 'thanks' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      paymentRequestId: expect.any(String),
      status: 'PENDING',
      amount: 12.5,
      currency: 'GBP',
      orderId: 'order-1',
      customerId: card.customerId,
      paymentMethodId: card.paymentMethodId,
      captureType: 'AUTO_CAPTURE',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const id = reply.body.paymentRequestId;
    const status = await cards.reaches(id, 'COMPLETED');
    expect(await booked(id)).toEqual(['succeeded 1250']);
    expect(status).toMatchObject({
      customerId: card.customerId,
      paidAmount: 12.5,
      notes: 'thanks',
    });
    expect(status.transactionDetails).toHaveLength(1);
    expect(status.transactionDetails[0]).toMatchObject({
      institutionId: 'card',
      bankName: null,
      bankAccountNo: '****0127',
      tracingId: expect.any(String),
      errorDescription: null,
      statusDetails: { status: 'COMPLETED', isoStatus: { code: 'ACSC' } },
      createdAt: reply.body.createdAt,
      cardPaymentDetails: {
        cardType: 'VISA',
        transactionSubType: 'CARD',
        captureType: 'AUTO_CAPTURE',
        metadata: { isMitPayment: true },
        paymentMethodId: card.paymentMethodId,
      },
    });
    expect(await events(id)).toMatchObject([
      { status: 'COMPLETED', transactionType: 'CARD', paidAmount: '12.5', errorDescription: '' },
    ]);
    const books = await cards.rows(
      'select account, amount_pence::int as pence from ledger_entry where resource_id = $1 order by 2',
      [id],
    );
    expect(books).toEqual([
      { account: 'MERCHANT_PAID_DIRECTLY', pence: -1250 },
      { account: 'SETTLED_BY_PROCESSOR', pence: 1250 },
    ]);
  });

  test('that is declined becomes FAILED with the reason in status, search and event', async () => {
    const id = await cards.charged(failing, { orderId: 'declined-1' });
    const status = await cards.reaches(id, 'FAILED');
    const [details] = status.transactionDetails;
    expect(details.errorDescription).toMatch(/declined/i);
    expect(await events(id)).toMatchObject([
      { status: 'FAILED', errorDescription: details.errorDescription },
    ]);
    const found = await sandbox.request('POST', '/api/payments/transactions', {
      body: { search: 'declined-1', paymentMethod: ['CARD'], status: ['FAILED'] },
    });
    expect(found.body).toMatchObject({
      totalCount: 1,
      data: [
        {
          paymentRequestId: id,
          transactionType: 'CARD',
          status: 'FAILED',
          customerId: failing.customerId,
          cardPaymentDetails: {
            ...{ cardType: 'VISA', transactionSubType: 'CARD', captureType: 'AUTO_CAPTURE' },
            ...{ metadata: { isMitPayment: true }, paymentMethodId: failing.paymentMethodId },
          },
        },
      ],
    });
  });

  test.each(['MANUAL_CAPTURE', 'CAPTURE_BEFORE_EXPIRY'])('of %s is AUTHORIZED', async (type) => {
    const { body } = await cards.charge(card, { capture: type, captureType: undefined });
    const lifetime = Date.parse(body.expiresAt) - Date.parse(body.createdAt);
    expect(lifetime).toBe((4 * 24 + 18) * 3_600_000);
    const status = await cards.reaches(body.paymentRequestId, 'AUTHORIZED');
    const { cardPaymentDetails: details } = status.transactionDetails[0];
    expect(details.captureType).toBe(type);
    // The end that the processor gives, in its own seconds.
    expect(Math.abs(Date.parse(details.expiresAt) - Date.parse(body.expiresAt))).toBeLessThan(
      5_000,
    );
    expect(await events(body.paymentRequestId)).toMatchObject([{ status: 'AUTHORIZED' }]);
    expect(await booked(body.paymentRequestId)).toEqual(['requires_capture 0']);
  });
});

describe('a charge is rejected', () => {
  const refusals: readonly (readonly [string, object, number, string])[] = [
    ['less than a pound', { amount: 0.99 }, 400, 'amount'],
    ['fractions of a penny', { amount: 1.005 }, 400, 'amount'],
    ['text', { amount: '5' }, 400, 'amount'],
    ['more than the limit', { amount: 15_000.01 }, 400, 'amount'],
    ['no capture type', { captureType: undefined }, 400, 'captureType'],
    ['an unknown capture type', { captureType: 'LATER' }, 400, 'captureType'],
    ['two capture types', { capture: 'MANUAL_CAPTURE' }, 400, 'capture'],
    ['a blank order', { orderId: '  ' }, 400, 'orderId'],
    ['a long order', { orderId: 'x'.repeat(51) }, 400, 'orderId'],
    ['long notes', { notes: 'x'.repeat(31) }, 400, 'notes'],
    ['no customer id', { customerId: 'ada' }, 400, 'customerId'],
    ['a long card id', { paymentMethodId: 'x'.repeat(65) }, 400, 'paymentMethodId'],
    ['another currency', { currency: 'EUR' }, 400, 'currency'],
    ['an unknown store', { storeId: '7d1c4a34-0000-4000-8000-000000000000' }, 400, 'storeId'],
  ];
  test.each(refusals)('for %s', async (_, more, status, field) => {
    const reply = await cards.charge(card, more);
    expect([reply.status, reply.body.errors[0]?.field]).toEqual([status, field]);
  });

  test('for an unknown customer or card', async () => {
    const unknownId = '7d1c4a34-0000-4000-8000-000000000000';
    const other = await cards.newCustomer();
    for (const more of [
      { customerId: unknownId },
      { paymentMethodId: unknownId },
      { paymentMethodId: 'card-1' },
      { customerId: other },
    ])
      expect((await cards.charge(card, more)).body).toMatchObject({
        status: 404,
        name: 'NOT_FOUND',
      });
  });

  test('with the secret of the other environment', async () => {
    const secret = sandbox.productionSecret;
    const reply = await cards.charge(card, {}, { secret });
    expect(reply.status).toBe(403);
  });

  test('while cards are off, and existing authorisations can still be ended', async () => {
    const id = await cards.charged(card, manual);
    await cards.reaches(id, 'AUTHORIZED');
    const set = (cardsEnabled: boolean) =>
      sandbox.request('POST', '/api/sandbox/switches', { body: { cardsEnabled } });
    await set(false);
    const reply = await cards.charge(card);
    expect([reply.status, reply.body.name]).toEqual([403, 'NOT_ENABLED']);
    const missing = await cards.charge(card, { paymentMethodId: 'nothing' });
    expect(missing.status).toBe(403);
    expect((await cards.cancel(id)).status).toBe(200);
    await set(true);
  });
});

describe('a repeated charge', () => {
  test('with its key is one charge with byte-identical replies', async () => {
    const headers = { 'idempotency-key': 'charge-1' };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => cards.charge(card, manual, { headers })),
    );
    const done = replies.filter(({ status }) => status === 200);
    const texts = new Set(done.map(({ body }) => JSON.stringify(body)));
    expect(texts.size).toBe(1);
    expect(done.length + replies.filter(({ status }) => status === 409).length).toBe(8);
    const again = await cards.charge(card, manual, { headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(done[0]?.body);
    await cards.reaches(again.body.paymentRequestId, 'AUTHORIZED');
    expect(await booked(again.body.paymentRequestId)).toHaveLength(1);
    const other = await cards.charge(card, { ...manual, amount: 13 }, { headers });
    expect(other.body.name).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('gets the same reply after its card was deleted', async () => {
    const gone = await cards.saveCard('4000000000000127');
    const headers = { 'idempotency-key': 'charge-2' };
    const first = await cards.charge(gone, {}, { headers });
    await cards.reaches(first.body.paymentRequestId, 'COMPLETED');
    const path = `/api/customers/${gone.customerId}/cards/${gone.paymentMethodId}`;
    expect((await sandbox.request('DELETE', path)).status).toBe(200);
    expect((await cards.charge(gone, {}, { headers })).body).toEqual(first.body);
    expect((await cards.charge(gone)).status).toBe(404);
  });

  test('for the same order needs a key when orders are guarded', async () => {
    const guard = (ordersGuarded: boolean) =>
      sandbox.request('POST', '/api/sandbox/switches', { body: { ordersGuarded } });
    const order = { orderId: 'guarded', ...manual };
    await guard(true);
    const raced = await Promise.all(Array.from({ length: 8 }, () => cards.charge(card, order)));
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = raced.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.name]).toEqual([409, 'POSSIBLE_DUPLICATE']);
    expect((await cards.charge(card, { ...order, amount: 12.51 })).status).toBe(200);
    const keyed = await cards.charge(card, order, { headers: { 'idempotency-key': 'meant' } });
    expect(keyed.status).toBe(200);
    await cards.advance(9 * 60_000);
    expect((await cards.charge(card, order)).status).toBe(409);
    await cards.advance(61_000);
    expect((await cards.charge(card, order)).status).toBe(200);
    await guard(false);
    expect((await cards.charge(card, order)).status).toBe(200);
  });
});

describe('a charge with a lost answer', () => {
  const losses = ['cut-after', 'cut-before', 'status-after'] as const;
  test.each(isLongRun ? losses : losses.slice(0, 1))('%s', async (kind) => {
    await cards.control.fault(
      'cards:intent',
      kind,
      kind.startsWith('status') ? { status: 500 } : {},
    );
    const id = await cards.charged(card, { orderId: kind });
    const ended = await waitUntil(async () => {
      const { status } = await cards.status(id);
      return status !== 'PENDING' && status;
    });
    const lines = await booked(id);
    expect(lines).toEqual(ended === 'COMPLETED' ? ['succeeded 1250'] : []);
    expect(await events(id)).toHaveLength(1);
  });
});

// The last test: from here on the merchant has keys of its own, unknown to the simulator.
test('a card saved with other processor keys is not charged', async () => {
  const own = {
    ...{ accountKey: 'acct_own', secretKey: 'sk_test_of_this_merchant' },
    webhookSecret: 'whsec_of_this_merchant',
  };
  await setCardAccount(sandbox.tools, sandbox.tenant, own);
  const refused = await waitUntil(async () => {
    const reply = await cards.charge(card);
    return reply.status !== 200 && reply;
  });
  expect([refused.status, refused.body.name]).toEqual([409, 'CONFLICT']);
});
