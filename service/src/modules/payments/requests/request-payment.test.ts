import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPayments, type Payments } from '../test/open-payments.ts';

let payments: Payments;

beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const unknownId = '7f0c7a3e-0000-4000-8000-000000000001';
const long = (length: number) => 'x'.repeat(length);
const tooManyParams = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at]));

const valid: readonly (readonly [field: string, value: unknown])[] = [
  ['customerId', 'c'],
  ['customerId', long(50)],
  ['customerId', '客户 🙂'],
  ['orderId', long(50)],
  ['amount', 1],
  ['amount', 15_000],
  ['amount', '12.50'],
  ['amount', '1'],
  ['amount', 10.1],
  ['paymentMethod', ['PAY_BY_BANK']],
  ['paymentMethod', ['CARD', 'PAY_BY_BANK']],
  ['savePaymentMethod', false],
  ['autoRedirect', true],
  ['institutionId', 'scripted-bank'],
  ['institutionId', ''],
  ['consumerDetails', {}],
  ['consumerDetails', { phoneCountryCode: '44', phoneNumber: '7700900000', email: '' }],
  ['consumerDetails', { firstName: 'Zoë', lastName: 'O’Hara', unknown: 1 }],
  ['callbackParams', {}],
  ['callbackParams', { '': '' }],
  ['callbackParams', { text: 'a', number: 1.5, yes: true, 'odd key &=#': '\\ud83d 🙂' }],
  ['expiresIn', 1],
  ['expiresIn', '180000'],
  ['expiresIn', 34_560_000_000],
  ['strictExpiry', true],
  ['notes', ''],
  ['notes', long(30)],
  ['enableTips', false],
  ['allowRetry', false],
  ['redirectUrl', 'https://shop.example/thanks'],
  ['redirectUrl', 'http://localhost:3000/done'],
  ['redirectUrl', 'com.example.shop://paid'],
  ['splitBill', true],
  ['template', 'RECEIPT'],
  ['currency', 'GBP'],
  ['paymentType', 'INVOICE'],
  ['somethingNew', { ignored: true }],
];

const invalid: readonly (readonly [field: string, value: unknown, named?: string])[] = [
  ['customerId', undefined],
  ['customerId', 7.5],
  ['customerId', ''],
  ['customerId', '   '],
  ['customerId', long(51)],
  ['orderId', undefined],
  ['orderId', long(51)],
  ['orderId', null],
  ['amount', undefined],
  ['amount', 0.99],
  ['amount', -5],
  ['amount', 12.345],
  ['amount', '12,50'],
  ['amount', '1e3'],
  ['amount', true],
  ['amount', null],
  ['amount', 15_000.01],
  ['amount', 1e21],
  ['storeId', 'not-a-uuid'],
  ['storeId', unknownId],
  ['paymentMethod', []],
  ['paymentMethod', ['CASH'], 'paymentMethod.0'],
  ['paymentMethod', ['CARD', 'CARD']],
  ['paymentMethod', 'CARD'],
  ['savePaymentMethod', 'true'],
  ['savePaymentMethod', true, 'atoaCustomerId'],
  ['atoaCustomerId', 'x'],
  ['atoaCustomerId', unknownId],
  ['serviceCustomerId', unknownId, 'atoaCustomerId'],
  ['autoRedirect', 1],
  ['institutionId', 'no-such-bank'],
  ['institutionId', long(65)],
  ['consumerDetails', 'x'],
  ['callbackParams', 'a=b'],
  ['callbackParams', { a: { b: 1 } }, 'callbackParams.a'],
  ['callbackParams', { a: long(1001) }, 'callbackParams.a'],
  ['callbackParams', { '': 'a' }],
  ['callbackParams', tooManyParams],
  ['expiresIn', 0],
  ['expiresIn', -1],
  ['expiresIn', 1.5],
  ['expiresIn', '3m'],
  ['expiresIn', 34_560_000_001],
  ['strictExpiry', 'yes'],
  ['notes', long(31)],
  ['enableTips', 'no'],
  ['allowRetry', 0],
  ['redirectUrl', 'not an address'],
  ['redirectUrl', 'javascript:alert(1)'],
  ['redirectUrl', 'data:text/html,x'],
  ['redirectUrl', `https://a.example/${long(2048)}`],
  ['splitBill', 'true'],
  ['template', 'POSTER'],
  ['currency', 'EUR'],
  ['paymentType', ''],
];

const refused = invalid.map(([field, value, named = field]) => [field, value, named] as const);

describe('process-payment', () => {
  test.each([...valid])('accepts %s = %j', async (field: string, value: unknown) => {
    const reply = await payments.create({ [field]: value });
    expect(reply.body).toMatchObject({ paymentUrl: expect.stringMatching(/^https:\/\/pay/) });
    expect(reply.status).toBe(200);
  });

  test.each(refused)('rejects %s = %j and writes nothing', async (field, value, named) => {
    const before = await payments.count('payment_request');
    const reply = await payments.create({ [field]: value });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ name: 'BAD_REQUEST', status: 400 });
    expect(reply.body.errors.map((error: { field: string }) => error.field)).toContain(named);
    expect(reply.body.message).not.toBe('');
    expect(await payments.count('payment_request')).toBe(before);
  });

  test.each([
    ['no JSON', '{"amount":'],
    ['an array', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
    ['a forbidden character', '{"customerId":"a\\u0000"}'],
    ['half a character', '{"customerId":"c","orderId":"o","amount":5,"notes":"\\ud83d"}'],
    ['another half', '{"customerId":"c","orderId":"o","amount":5,"callbackParams":{"\\uDE42":1}}'],
    ['a prototype', '{"__proto__":{"amount":5},"constructor":{"prototype":{}}}'],
  ])('rejects a body that is %s', async (_, body) => {
    const reply = await payments.request('POST', '/api/payments/process-payment', { body });
    expect(reply.status).toBe(400);
  });

  test.each([
    ['callbackParams.cart', '"callbackParams":{"cart":"a\\u0000"}', 'U+0000'],
    ['callbackParams.ca\ufffdrt', '"callbackParams":{"ca\\u0000rt":1}', 'U+0000'],
    ['callbackParams.cart', '"callbackParams":{"cart":"\\ud83d"}', 'surrogate'],
    ['notes', '"notes":"\\uDE42"', 'surrogate'],
  ])('names %s of a text that cannot be stored', async (field, member, word) => {
    const sent = `{"customerId":"c","orderId":"o","amount":5,${member}}`;
    const { status, body } = await payments.request('POST', '/api/payments/process-payment', {
      body: sent,
    });
    expect([status, body.errors[0].field]).toEqual([400, field]);
    expect(body.message).toContain(word);
  });

  test.each<[sent: string, stored: string]>([
    ['A\\u001b[31m-\\u0007\\u0085\\u007f1', 'A[31m-1'],
    ['A\\b\\f\\u000B-\u0085\u007f1', 'A-1'],
    ['A\\u202E-\u202e\\u2066\u20691\u200f', 'A-1\u200f'],
    ['A\\\\u001b\\n\\t"-1'.replace('"', '\\"'), 'A\\u001b\n\t"-1'],
  ])('stores no control character of an orderId: %j', async (sent, stored) => {
    const body = `{"customerId":"c","orderId":"${sent}","amount":5}`;
    const made = await payments.request('POST', '/api/payments/process-payment', { body });
    const path = `/api/payments/v1/payment-status/${made.body.paymentRequestId}`;
    expect((await payments.request('GET', path)).body.orderId).toBe(stored);
  });

  test.each(['A\\u00\u202e1b-1', 'A\\u00\\u202e1b-1', 'A\\u20\u001b2e-1'])(
    'makes no control character of a broken escape: %j',
    async (sent) => {
      const body = `{"customerId":"c","orderId":"${sent}","amount":5}`;
      const made = await payments.request('POST', '/api/payments/process-payment', { body });
      expect([made.status, made.body.message]).toEqual([400, expect.stringContaining('JSON')]);
    },
  );

  test('takes a text that only shows the escape', async () => {
    const { status, body } = await payments.create({ callbackParams: { path: 'C:\\u0000' } });
    expect(status, JSON.stringify(body)).toBe(200);
  });

  test('rejects card-only members without a card rail', async () => {
    const reply = await payments.create({ paymentMethod: ['CARD'] });
    expect(reply).toMatchObject({ status: 503, body: { name: 'RAIL_NOT_CONFIGURED' } });
  });

  test('names the missing setting in production without a rail', async () => {
    const reply = await payments.create({}, { secret: payments.productionSecret });
    expect(reply).toMatchObject({ status: 503, body: { name: 'RAIL_NOT_CONFIGURED' } });
    expect(reply.body.message).toContain('PRODUCTION_BANK_RAIL');
  });

  test("rejects another merchant's store and customer", async () => {
    const other = await payments.newMerchant();
    const reply = await payments.create({ storeId: other.storeIds.SANDBOX });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ field: 'storeId' }] } });
  });
});

describe('one Idempotency-Key', () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

  test('rejects a body that is nested too deeply', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const reply = await payments.app.inject({
      method: 'POST',
      url: '/api/payments/process-payment',
      headers: {
        authorization: `Bearer ${payments.sandboxSecret}`,
        'idempotency-key': 'deep',
        'content-type': 'application/json',
      },
      payload: `{"customerId":"c","orderId":"o","amount":5,"more":${deep}}`,
    });
    expect(reply.statusCode).toBe(400);
  });

  test('of a hundred concurrent requests creates one, with byte-identical replies', async () => {
    const before = await payments.count('payment_request');
    const replies = await Promise.all(
      Array.from({ length: 100 }, () =>
        payments.app.inject({
          method: 'POST',
          url: '/api/payments/process-payment',
          headers: {
            authorization: `Bearer ${payments.sandboxSecret}`,
            'idempotency-key': 'hundred',
            'content-type': 'application/json',
          },
          payload: JSON.stringify(payments.order),
        }),
      ),
    );
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
    const replayed = replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    expect(replayed).toHaveLength(99);
    expect(await payments.count('payment_request')).toBe(before + 1);
  });

  test('of a hundred requests with two bodies creates one and rejects the other body', async () => {
    const before = await payments.count('payment_request');
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        payments.create({ amount: 10 + (at % 2) }, keyed('two')),
      ),
    );
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(50);
    for (const { body } of refused) expect(body.name).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await payments.count('payment_request')).toBe(before + 1);
  });

  test('ignores the order of members, and stays free after a rejected body', async () => {
    expect(await payments.create({ amount: 0 }, keyed('free'))).toMatchObject({ status: 400 });
    const first = await payments.create({ notes: 'a' }, keyed('free'));
    const { amount, customerId, orderId } = payments.order;
    const body = { notes: 'a', orderId, amount, customerId };
    const again = await payments.request('POST', '/api/payments/process-payment', {
      body,
      ...keyed('free'),
    });
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  test('of another merchant is a different key', async () => {
    const other = await payments.newMerchant();
    const sent = { ...keyed('shared'), secret: other.secrets.SANDBOX.secret };
    const [mine, theirs] = [
      await payments.create({}, keyed('shared')),
      await payments.create({}, sent),
    ];
    expect(theirs.status).toBe(200);
    expect(theirs.body.paymentRequestId).not.toBe(mine.body.paymentRequestId);
  });
});
