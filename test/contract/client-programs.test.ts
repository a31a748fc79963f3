import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const customer = { phoneCountryCode: '44', phoneNumber: '07700900123', email: 'ada@example.com' };

const create = async (more: object = {}): Promise<string> => {
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'customer-1', orderId: 'order-1', amount: 12.5, ...more },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  return created.body.paymentRequestId;
};
const send = (method: string, path: string, body?: unknown, headers = {}) =>
  sandbox.request(method, path, { secret: null, headers, ...(body ? { body } : {}) });
const pay = (id: string, outcome: string) =>
  sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body: { outcome } });
const details = (id: string, customerDetails?: object) =>
  send('POST', '/api/payments/get-payment-details?env=sandbox', {
    data: id,
    source: 'EXTERNAL_MERCHANT',
    customerDetails,
  });
const start = (id: string, more: object = {}) =>
  send('POST', '/api/payments/v1/secure-payment-auth', {
    institutionId: 'mock-sandbox-v1',
    merchantId: 'ignored',
    amount: { amount: 0.01, currency: 'GBP' },
    features: ['CREATE_DOMESTIC_SINGLE_PAYMENT'],
    deviceOrigin: 'SDK_DESKTOP',
    paymentDevice: { platform: 'Linux', browser: 'Firefox', ipAddress: '1.2.3.4' },
    paymentRequestSource: { paymentRequestSourcetype: 3, paymentRequestId: id },
    ...more,
  });

/** Members that the strictest client program reads: [member, type]; never null. */
const bankMembers = [
  ['id', 'string'],
  ['name', 'string'],
  ['fullName', 'string'],
  ['orderBy', 'number'],
  ['transactionAmountLimit', 'number'],
  ['businessBank', 'boolean'],
  ['popularBank', 'boolean'],
  ['enabled', 'boolean'],
] as const;
const detailMembers = [
  ['merchantBusinessName', 'string'],
  ['merchantId', 'string'],
  ['amount', 'object'],
  ['taxPercentage', 'number'],
  ['servicePercentage', 'number'],
  ['callbackParams', 'string'],
  ['expiresIn', 'number'],
  ['splitBill', 'boolean'],
] as const;
const transactionMembers = [
  ['applicationUserId', 'string'],
  ['paidAmount', 'number'],
  ['currency', 'string'],
  ['status', 'string'],
  ['createdAt', 'string'],
  ['paymentIdempotencyId', 'string'],
] as const;

const expectMembers = (
  body: Record<string, unknown>,
  members: readonly (readonly [string, string])[],
) => {
  for (const [name, type] of members) {
    expect(body[name], name).not.toBeNull();
    expect(typeof body[name], name).toBe(type);
  }
};

describe('banks', () => {
  test.each([
    ['/api/institutions/customer?sendDisabledBanks=true&env=sandbox', false],
    ['/api/sdk-payment/institutions/customer?sendDisabledBanks=true&env=SANDBOX', false],
    ['/api/institutions', true],
  ] as const)('%s', async (path, hasSecret) => {
    const { status, body } = await sandbox.request('GET', path, hasSecret ? {} : { secret: null });
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThanOrEqual(4);
    for (const bank of body) {
      expectMembers(bank, bankMembers);
      expect(bank.features).toEqual(['CREATE_DOMESTIC_SINGLE_PAYMENT']);
      expect(bank.media.map(({ type }: { type: string }) => type)).toEqual(['icon', 'logo']);
    }
    const icon = await fetch(body[0].media[0].source);
    expect(icon.headers.get('content-type')).toContain('image/svg+xml');
    expect(await icon.text()).toMatch(/^<svg xmlns=/);
  });

  test('are found despite a typo; production has none here', async () => {
    const path = '/api/institutions/customer';
    const found = await send('GET', `${path}?env=sandbox&search=harbuor`);
    expect(found.body.map(({ id }: { id: string }) => id)).toEqual(['harbour-sandbox']);
    for (const address of [path, '/api/sdk-payment/institutions/customer'])
      expect((await send('GET', address)).body.name).toBe('RAIL_NOT_CONFIGURED');
    const { productionSecret: secret } = sandbox;
    const own = await sandbox.request('GET', '/api/institutions', { secret });
    expect(own.body.name).toBe('RAIL_NOT_CONFIGURED');
    for (const address of [path, '/api/sdk-payment/institutions/customer'])
      expect((await send('GET', `${address}?env=moon`)).status).toBe(400);
    const long = await sandbox.request('GET', `/api/institutions?search=${'x'.repeat(101)}`);
    expect(long.status).toBe(400);
  });
});

describe('payment details', () => {
  test('have what client programs need', async () => {
    const id = await create({ callbackParams: { cart: 7 }, notes: 'Table 4', splitBill: true });
    const { status, body } = await details(id);
    expect(status).toBe(200);
    expectMembers(body, detailMembers);
    expect(body.amount).toEqual({ amount: 12.5, currency: 'GBP' });
    expect([body.notes, body.callbackParams]).toEqual([null, '{}']);
    expect(body).toMatchObject({ env: 'SANDBOX', expiresIn: 180_000, splitBill: true });
    expect(body).toMatchObject({ splitOutstandingAmount: 12.5, lastPaymentBankDetails: null });
    expect(body).not.toHaveProperty('message');
  });

  test('show the last bank only to its customer', async () => {
    const paid = await create({ consumerDetails: customer });
    expect((await pay(paid, 'COMPLETED')).body.status).toBe('COMPLETED');
    const next = await create({ consumerDetails: customer });
    const bankFor = async (typed: object) =>
      (await details(next, typed)).body.lastPaymentBankDetails;
    const known = { institutionId: 'mock-sandbox-v1' };
    expect(await bankFor(customer)).toEqual(known);
    expect(await bankFor({ email: 'ADA@example.com' })).toEqual(known);
    const typed = { phoneCountryCode: '+44', phoneNumber: '(07700) 900-123' };
    for (const phone of [typed, { phoneNumber: '+44 7700 900 123' }])
      expect(await bankFor(phone)).toEqual(known);
    expect(await bankFor({ email: 'eve@example.com' })).toBeNull();
    expect(await bankFor({ ...customer, email: 'eve@example.com' })).toBeNull();
    expect(await bankFor({})).toBeNull();
    const guest = await create({ consumerDetails: { ...customer, email: '', phoneNumber: '1' } });
    const { body } = await details(guest, { ...customer, email: '', phoneNumber: '1' });
    expect(body).toMatchObject({ lastPaymentBankDetails: null });
  });

  test('are rejected for a paid, expired, cancelled or unknown request', async () => {
    const paid = await create({ redirectUrl: 'https://shop.example/done' });
    const { body: status } = await pay(paid, 'COMPLETED');
    const { paymentIdempotencyId } = status.transactionDetails[0];
    for (const refused of [await details(paid), await start(paid)]) {
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        name: 'INVALID_STATE',
        message: 'This link is already paid',
        referenceId: paymentIdempotencyId,
        amount: 12.5,
        redirectUrl: 'https://shop.example/done',
        time: expect.stringMatching(/Z$/),
      });
    }
    const expired = await create({ expiresIn: 1 });
    for (const refused of [await details(expired), await start(expired)])
      expect(refused.body).toMatchObject({
        name: 'REQUEST_TIMEOUT',
        title: 'Payment Link Expired',
        message: 'Please reach out to the business for a new link and attempt to pay again',
        referenceId: expired,
      });
    const cancelled = await create();
    await sandbox.request('POST', `/api/payment-request/cancel/${cancelled}`);
    expect((await details(cancelled)).body.name).toBe('INVALID_STATE');
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const refused of [await details(unknown), await start(unknown)])
      expect(refused.status).toBe(404);
    expect((await details('no id')).status).toBe(400);
  });
});

test('a short link leads to the page', async () => {
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 },
  });
  const { shortUrl, paymentRequestId } = created.body;
  expect(shortUrl).toMatch(/\/p\/[\w-]{17}$/);
  const answer = await fetch(shortUrl, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe(
    `/pay?paymentRequestId=${paymentRequestId}&source=EXTERNAL_MERCHANT`,
  );
  const other = shortUrl.slice(0, -1) + (shortUrl.endsWith('A') ? 'B' : 'A');
  expect((await fetch(other, { redirect: 'manual' })).status).toBe(404);
});

describe('secure-payment-auth', () => {
  test('starts what the request says and ignores the caller', async () => {
    const id = await create({ redirectUrl: 'https://shop.example/done?a=1' });
    const { status, body } = await start(id);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.authorisationUrl).toMatch(/^http/);
    expect(body).toMatchObject({ deepLinkAuthorisationUrl: null, cardCheckoutId: null });
    expectMembers(body, [['paymentIdempotencyId', 'string']]);
    const shown = await send('GET', `/api/sdk-payment/status/${body.paymentIdempotencyId}`);
    expect(shown.body).toMatchObject({ status: 'AWAITING_AUTHORIZATION', paidAmount: 12.5 });
    const own = await sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
    expect(own.body.transactionDetails[0].paymentDevice).toEqual({
      platform: 'Linux',
      browser: 'Firefox',
      deviceOrigin: 'SDK_DESKTOP',
    });
    const back = await send('GET', `/pay?paymentRequestId=${id}&source=EXTERNAL_MERCHANT`);
    expect(back.body).toContain(`idempotency=${body.paymentIdempotencyId}`);
    expect(back.body).toContain('redirectUrl=https%3A%2F%2Fshop.example%2Fdone%3Fa%3D1');
    expect(back.body).toContain('amount=12.5');
  });

  test('takes the share of a split bill from the caller, up to what is left', async () => {
    const id = await create({ splitBill: true, amount: 30 });
    const share = await start(id, { amount: { amount: 10 } });
    expect(share.status).toBe(200);
    const { body } = await send(
      'GET',
      `/api/payments/v2/payment/${share.body.paymentIdempotencyId}/status`,
    );
    expect(body.paidAmount).toBe(10);
    // An unfinished share blocks no other payer.
    expect((await start(id, { amount: { amount: 25 } })).status).toBe(200);
    expect((await start(id, { amount: { amount: 31 } })).status).toBe(400);
  });

  test('rejects unknown banks, tips that are not offered and missing members', async () => {
    const id = await create();
    expect((await start(id, { institutionId: 'nobank' })).status).toBe(400);
    expect((await start(id, { tipAmount: 5 })).status).toBe(400);
    expect((await start(id, { tipAmount: 0 })).status).toBe(200);
    expect((await start(id, { paymentRequestSource: {} })).status).toBe(400);
    const large = await create({ amount: 12_000 });
    const small = await start(large, { institutionId: 'northfield-sandbox' });
    expect(small.body.message).toMatch(/up to £10000.00/);
  });
});

describe('status without a secret', () => {
  const byRequest = (id: string) => send('GET', `/api/payments/payment-status/${id}?type=request`);

  test.each([
    ['nothing yet', null, 'PAYMENT_NOT_INITIATED', null],
    ['paid', 'COMPLETED', 'COMPLETED', 'COMPLETED'],
    ['failed', 'FAILED', 'FAILED', 'FAILED'],
    ['declined', 'CANCELLED', 'PAYMENT_NOT_INITIATED', 'CANCELLED'],
    ['pending', 'PENDING', 'PENDING', 'PENDING'],
  ] as const)('%s', async (_, outcome, ofRequest, ofPayment) => {
    const ofShop = ofPayment ?? ofRequest;
    const id = await create({ callbackParams: { cart: 7 }, notes: 'secret' });
    if (outcome) await pay(id, outcome);
    const { status, body } = await byRequest(id);
    expect(status).toBe(200);
    expectMembers(body, transactionMembers);
    expect(body).toMatchObject({ status: ofShop, paidAmount: 12.5, orderId: 'order-1' });
    expect(body).toMatchObject({
      bankAccountNo: null,
      notes: null,
      redirectUrlParams: { cart: '7' },
    });
    expect('message' in body).toBe(ofShop === 'PAYMENT_NOT_INITIATED');
    expect('signatureHash' in body).toBe(ofRequest === 'COMPLETED');
    const sdk = await send('GET', `/api/sdk-payment/payment-request/status/${id}`);
    expect(sdk.body).toMatchObject({ status: ofRequest, merchantName: 'Corner Coffee' });
    expect(sdk.body).not.toHaveProperty('notes');
    if (!ofPayment) return;
    for (const path of [
      `/api/payments/payment-status/${body.paymentIdempotencyId}?env=sandbox`,
      `/api/payments/v2/payment/${body.paymentIdempotencyId}/status`,
      `/api/sdk-payment/status/${body.paymentIdempotencyId}?env=SANDBOX`,
    ]) {
      const one = await send('GET', path);
      expectMembers(one.body, transactionMembers);
      expect(one.body.status).toBe(ofPayment);
    }
  });

  test('shows expired and cancelled requests', async () => {
    const cancelled = await create();
    await sandbox.request('POST', `/api/payment-request/cancel/${cancelled}`);
    expect((await byRequest(cancelled)).body.status).toBe('CANCELLED');
  });

  test('answers 404 to an unknown id', async () => {
    for (const path of [
      'payments/payment-status/ATOA1',
      'payments/payment-status/ATOA1?type=request',
      'payments/v2/payment/ATOA1/status',
      'sdk-payment/status/ATOA1',
      'sdk-payment/payment-request/status/00000000-0000-4000-8000-000000000000',
    ])
      expect((await send('GET', `/api/${path}`)).status, path).toBe(404);
  });
});
