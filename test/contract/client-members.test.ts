import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../harness/is-long-run.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';

/**
 * Every member that a client program parses, by operation: those that the strictest one needs, with
 * their types, and those that may be null but are there.
 */
type Members = {
  readonly needed: Readonly<Record<string, string>>;
  readonly nullable: readonly string[];
};

const bank: Members = {
  needed: {
    id: 'string',
    name: 'string',
    fullName: 'string',
    media: 'array',
    features: 'array',
    orderBy: 'number',
    transactionAmountLimit: 'number',
    businessBank: 'boolean',
    popularBank: 'boolean',
    enabled: 'boolean',
    bankType: 'string',
    bankCode: 'string',
  },
  nullable: [],
};

const details: Members = {
  needed: {
    merchantBusinessName: 'string',
    merchantId: 'string',
    amount: 'object',
    taxPercentage: 'number',
    servicePercentage: 'number',
    customerId: 'string',
    env: 'string',
    callbackParams: 'string',
    storeDetails: 'object',
    paymentType: 'string',
    expiresIn: 'number',
    requestCreatedAt: 'string',
    strictExpiry: 'boolean',
    allowSdkRetry: 'boolean',
    redirectOnCompleted: 'boolean',
    splitBill: 'boolean',
    splitOutstandingAmount: 'number',
    splitEntries: 'array',
    options: 'object',
    paymentSourceType: 'number',
    isCashback: 'boolean',
  },
  nullable: [
    ...['employeeId', 'consumerId', 'encryptedNotesDetails', 'encryptedQrDetails', 'notes'],
    ...['encryptedPaymentDetails', 'encryptedRefundPaymentDetails', 'merchantNotes', 'storeImg'],
    ...['contextType', 'merchantThemeDetails', 'lastPaymentBankDetails', 'tipInfo'],
    ...['paymentMethod', 'senderName', 'senderRequestId'],
  ],
};

const authorisation: Members = {
  needed: { authorisationUrl: 'string', paymentIdempotencyId: 'string', featureScope: 'array' },
  nullable: [
    ...['userUuid', 'status', 'tracingId', 'deepLinkAuthorisationUrl', 'appStoreLink'],
    ...['deepLinkAndroidAuthorisationUrl', 'deepLinkAuthorisationUrlIOS', 'playStoreLink'],
    ...['businessAppDeepLinkAuthorisationUrl', 'businessAppDeepLinkAndroidAuthorisationUrl'],
    ...['businessAppDeepLinkAuthorisationUrlIOS', 'androidPackageName', 'iOSPackageName'],
    'cardCheckoutId',
  ],
};

const transaction: Members = {
  needed: {
    applicationUserId: 'string',
    paidAmount: 'number',
    currency: 'string',
    status: 'string',
    createdAt: 'string',
    paymentIdempotencyId: 'string',
    taxAmount: 'number',
    serviceAmount: 'number',
    tipAmount: 'number',
    paymentSourceType: 'number',
    orderId: 'string',
    merchantId: 'string',
    merchantName: 'string',
    paymentRequest: 'object',
    storeDetails: 'object',
    redirectUrlParams: 'object',
  },
  nullable: [
    ...[
      'paymentId',
      'updatedAt',
      'bankName',
      'bankAccountNo',
      'notes',
      'qrId',
      'storeId',
      'avatar',
    ],
    ...['qrNickName', 'errorDescription', 'paymentLinkId', 'employeeId', 'pendingTrasactionError'],
    ...['statusDetails', 'institutionId'],
  ],
};

const ofRequest: Members = {
  needed: {
    merchantId: 'string',
    merchantName: 'string',
    customerId: 'string',
    orderId: 'string',
    status: 'string',
    storeDetails: 'object',
    transactionDetails: 'array',
    taxAmount: 'number',
    serviceAmount: 'number',
    tipAmount: 'number',
  },
  nullable: [],
};

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
const expectMembers = (body: Readonly<Record<string, unknown>>, { needed, nullable }: Members) => {
  for (const [name, type] of Object.entries(needed)) {
    expect(body[name], name).not.toBeNull();
    expect([name, typeOf(body[name])]).toEqual([name, type]);
  }
  for (const name of nullable) expect(body).toHaveProperty(name);
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const create = async (more: object = {}): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 12.5, ...more };
  const created = await sandbox.request('POST', '/api/payments/process-payment', { body });
  return created.body.paymentRequestId;
};
const open = (method: string, path: string, body?: object) =>
  sandbox.request(method, `/api${path}`, { secret: null, ...(body ? { body } : {}) });
const pay = (id: string, outcome: string) =>
  sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body: { outcome } });
const whole = {
  notes: 'Table 4',
  redirectUrl: 'https://shop.example/done',
  callbackParams: { cart: 7 },
  consumerDetails: { email: 'ada@example.com', firstName: 'Ada' },
};

describe('replies have every member that client programs parse', () => {
  test.each([
    ['/institutions/customer?sendDisabledBanks=true&env=sandbox'],
    ['/sdk-payment/institutions/customer?sendDisabledBanks=true&env=SANDBOX'],
  ])('%s', async (path) => {
    const { body } = await open('GET', path);
    expect(body.length).toBeGreaterThan(2);
    for (const each of body) expectMembers(each, bank);
  });

  test.each([
    ['the least', {}],
    ['all of it', whole],
    ['a split bill', { ...whole, splitBill: true }],
  ])('payment details and the start of a payment: %s', async (_, more) => {
    const id = await create(more);
    const source = { data: id, source: 'EXTERNAL_MERCHANT' };
    expectMembers((await open('POST', '/payments/get-payment-details', source)).body, details);
    const started = await open('POST', '/payments/v1/secure-payment-auth', {
      institutionId: 'mock-sandbox-v1',
      consumerName: '',
      paymentSourceType: 3,
      paymentRequestSource: {
        paymentRequestSourcetype: 3,
        paymentRequestId: id,
        expiresIn: '180000',
        strictExpiry: 'false',
        splitBill: false,
      },
    });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    expectMembers(started.body, authorisation);
  });

  test.each(
    isLongRun ? [null, 'COMPLETED', 'FAILED', 'CANCELLED', 'PENDING'] : [null, 'COMPLETED'],
  )('status by request and by payment: %s', async (outcome) => {
    const id = await create(outcome === 'FAILED' ? {} : whole);
    if (outcome) await pay(id, outcome);
    const request = await open('GET', `/payments/payment-status/${id}?type=request&env=sandbox`);
    expectMembers(request.body, transaction);
    const status = await open('GET', `/sdk-payment/payment-request/status/${id}?env=SANDBOX`);
    expectMembers(status.body, ofRequest);
    const { paymentIdempotencyId } = request.body;
    if (!outcome) return expect(paymentIdempotencyId).toBe('');
    for (const path of [
      `/payments/payment-status/${paymentIdempotencyId}?env=sandbox`,
      `/payments/v2/payment/${paymentIdempotencyId}/status?env=sandbox`,
      `/sdk-payment/status/${paymentIdempotencyId}?env=SANDBOX`,
    ]) {
      const { status: answered, body } = await open('GET', path);
      expect(answered).toBe(200);
      expectMembers(body, transaction);
      expect(body.paymentIdempotencyId).toBe(paymentIdempotencyId);
      for (const text of Object.values(body.redirectUrlParams)) expect(text).toBeTypeOf('string');
    }
  });
});

describe('banks', () => {
  test('of the sandbox are ten: a personal default, one for businesses alone, one down', async () => {
    const path = '/sdk-payment/institutions/customer?env=SANDBOX';
    const { body } = await open('GET', `${path}&sendDisabledBanks=true`);
    expect(body).toHaveLength(10);
    expect(body[0]).toMatchObject({
      id: 'mock-sandbox-v1',
      orderBy: 1,
      bankType: 'PERSONAL',
      businessBank: false,
      popularBank: true,
      enabled: true,
    });
    const having = (member: string, value: unknown) =>
      body.filter((bank: Record<string, unknown>) => bank[member] === value);
    expect(having('bankType', 'BUSINESS')).toHaveLength(1);
    const [down, ...others] = having('enabled', false);
    expect(others).toEqual([]);
    const offered = (await open('GET', path)).body.map(({ id }: { id: string }) => id);
    expect(offered).toHaveLength(9);
    expect(offered).not.toContain(down.id);
    const icons: string[] = await Promise.all(
      body.map(async (bank: { media: [{ source: string }] }) =>
        (await fetch(bank.media[0].source)).text(),
      ),
    );
    expect(new Set(icons).size).toBe(10);
    const refused = await open('POST', '/payments/v1/secure-payment-auth', {
      institutionId: down.id,
      paymentRequestSource: { paymentRequestId: await create() },
    });
    expect(refused.status).toBe(400);
  });

  test('of a link are preselected by selectedBank, where they can be paid from', async () => {
    const paid = await create();
    await pay(paid, 'COMPLETED');
    const unpaid = await create();
    const review = /Continue to\s*(<\w+>)?Harbour/;
    const page = async (id: string, bank: string) => {
      const query = `paymentRequestId=${id}&source=EXTERNAL_MERCHANT&deviceOrigin=DESKTOP`;
      return (await fetch(`${sandbox.url}/pay?${query}&selectedBank=${bank}`)).text();
    };
    expect(await page(unpaid, 'harbour-sandbox')).toMatch(review);
    for (const bank of ['foxglove-sandbox', 'unknown-bank', '%22%3E', ''])
      expect(await page(unpaid, bank)).toContain('id="search"');
    expect(await page(paid, 'harbour-sandbox')).not.toMatch(review);
  });
});
