import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../contract/dashboard/index.ts';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';

const unknownId = '7f0c7a3e-0000-4000-8000-000000000001';
let sandbox: Sandbox;
let id: string;
let others: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  const other = await createMerchant(sandbox.tools, {
    businessName: 'Other',
    bankAccounts: testBankAccounts,
  });
  others = other.secrets.SANDBOX.secret;
  id = await create();
});
afterAll(() => sandbox.close());

const details = {
  notes: 'Table 4',
  lineItems: [
    { name: 'Lunch', quantity: 2, amount: 13 },
    { name: 'Voucher', quantity: 1, amount: -0.5 },
  ],
  payerNote: 'Thank you,\nAda',
  redirectUrl: 'https://shop.example/done',
  callbackParams: { cart: 7, gift: true, voucher: 'x' },
  consumerDetails: { firstName: 'Ada', lastName: 'Lovelace' },
};
const create = async (more: object = {}): Promise<string> => {
  const body = { customerId: 'customer-1', orderId: 'order-1', amount: 12.5, ...details, ...more };
  const created = await sandbox.request('POST', '/api/payments/process-payment', { body });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  return created.body.paymentRequestId;
};
const pay = (paid: string, body: object) =>
  sandbox.request('POST', `/api/sandbox/payment-requests/${paid}/pay`, { body });
const read = (id: string, query = '', secret: string | null = sandbox.secret) =>
  sandbox.request('GET', `/api/payments/v1/payment-status/${id}${query}`, { secret });

const secrets = {
  own: () => sandbox.secret,
  none: () => null,
  production: () => sandbox.productionSecret,
  others: () => others,
  wrong: () => `${sandbox.secret}x`,
} as const;

/** Id, query, secret and answer. */
const rules: readonly (readonly [string, string, keyof typeof secrets, number, string])[] = [
  ['OWN', '', 'own', 200, ''],
  ['own in capitals', '', 'own', 200, ''],
  ['OWN', '?env=sandbox', 'own', 200, ''],
  ['OWN', '?unknown=1', 'own', 200, ''],
  ['OWN', '?env=production', 'own', 400, 'ENVIRONMENT_MISMATCH'],
  ['OWN', '?env=SANDBOX', 'own', 400, 'BAD_REQUEST'],
  ['OWN', '?env=', 'own', 400, 'BAD_REQUEST'],
  ['OWN', '?env=mars', 'own', 400, 'BAD_REQUEST'],
  ['OWN', '?env=sandbox&env=sandbox', 'own', 400, 'BAD_REQUEST'],
  ['OWN', '?env[a]=sandbox', 'own', 200, ''],
  ['OWN', '?env=sandbox', 'none', 200, ''],
  ['OWN', '', 'none', 404, 'NOT_FOUND'],
  ['OWN', '?env=production', 'none', 404, 'NOT_FOUND'],
  ['OWN', '?env=mars', 'none', 400, 'BAD_REQUEST'],
  ['OWN', '', 'production', 400, 'ENVIRONMENT_MISMATCH'],
  ['OWN', '?env=production', 'production', 400, 'ENVIRONMENT_MISMATCH'],
  ['OWN', '?env=sandbox', 'production', 400, 'ENVIRONMENT_MISMATCH'],
  ['OWN', '', 'others', 404, 'NOT_FOUND'],
  ['OWN', '', 'wrong', 401, 'INVALID_CREDENTIAL'],
  ['OWN', '?env=mars', 'wrong', 401, 'INVALID_CREDENTIAL'],
  [unknownId, '', 'own', 404, 'NOT_FOUND'],
  [unknownId, '?env=sandbox', 'none', 404, 'NOT_FOUND'],
  ['x', '', 'own', 400, 'BAD_REQUEST'],
  ['1', '', 'own', 400, 'BAD_REQUEST'],
  ['%20', '', 'own', 400, 'BAD_REQUEST'],
  ['%27%20or%201=1', '', 'own', 400, 'BAD_REQUEST'],
  ['x'.repeat(200), '', 'own', 400, 'BAD_REQUEST'],
];

describe('id, environment and secret', () => {
  test.each(rules)('%s %s with the secret: %s → %i %s', async (given, query, who, status, name) => {
    const own = given === 'OWN' ? id : id.toUpperCase();
    const reply = await read(/own/i.test(given) ? own : given, query, secrets[who]());
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    if (status === 200) return expect(reply.body.paymentRequestId).toBe(id);
    expect(reply.body).toEqual({
      name,
      status,
      message: expect.stringMatching(/\S/),
      errors: expect.any(Array),
    });
  });
});

const always = () => ({
  userUuid: null,
  paymentRequestId: expect.any(String),
  customerId: 'customer-1',
  merchantId: sandbox.merchant.merchantId,
  merchantName: 'Corner Coffee',
  applicationUserId: null,
  callback: null,
  avatar: null,
  orderId: 'order-1',
  signatureHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  redirectUrlParams: details.callbackParams,
  redirectUrl: details.redirectUrl,
  currency: 'GBP',
  taxAmount: 0,
  serviceAmount: 0,
  notes: 'Table 4',
  lineItems: details.lineItems,
  payerNote: details.payerNote,
  storeDetails: {
    id: sandbox.merchant.storeIds.SANDBOX,
    address: expect.any(String),
    locationName: 'DEFAULT',
  },
});
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const someText = expect.stringMatching(/\S/);
const payer = {
  consumerId: null,
  consumerName: someText,
  bankAccountNo: expect.stringMatching(/^\d{8}$/),
  notes: 'Table 4',
};
const one = (iso: unknown, status: string, more: object = {}) => ({
  paymentIdempotencyId: expect.stringMatching(/^[A-Za-z0-9]{20,31}$/),
  ...payer,
  institutionId: 'mock-sandbox-v1',
  tracingId: someText,
  statusDetails: iso && {
    status,
    statusUpdateDate: instant,
    isoStatus: { code: iso, name: someText },
  },
  paidAmount: 12.5,
  totalRefundAmount: 0,
  currency: 'GBP',
  bankName: someText,
  createdAt: instant,
  updatedAt: instant,
  taxAmount: 0,
  serviceAmount: 0,
  tipAmount: 0,
  errorDescription: null,
  paymentDevice: null,
  splitBill: false,
  refundDetails: [],
  ...more,
});

describe('the reply, member by member', () => {
  test('before an attempt', async () => {
    expect((await read(id)).body).toEqual({
      ...always(),
      status: 'PAYMENT_NOT_INITIATED',
      message: 'Payment not initiated',
      paidAmount: 0,
      tipAmount: 0,
      transactionDetails: [],
    });
  });

  test('completed', async () => {
    const paid = await create();
    await pay(paid, { outcome: 'COMPLETED' });
    const { body } = await read(paid);
    expect(body).toEqual({
      ...always(),
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'COMPLETED',
      paidAmount: 12.5,
      tipAmount: 0,
      transactionDetails: [one(expect.stringMatching(/^AC/), 'COMPLETED')],
    });
  });

  test('failed and pending, with their paid amount', async () => {
    const failed = await create();
    await pay(failed, { outcome: 'FAILED' });
    expect((await read(failed)).body).toMatchObject({
      status: 'FAILED',
      paidAmount: 12.5,
      transactionDetails: [
        { errorDescription: someText, statusDetails: { isoStatus: { code: 'RJCT' } } },
      ],
    });
    const pending = await create();
    await pay(pending, { outcome: 'PENDING' });
    expect((await read(pending)).body).toMatchObject({
      status: 'PENDING',
      paidAmount: 12.5,
      transactionDetails: [{ errorDescription: null }],
    });
  });

  test('a split bill has one item with its own amount for each payer', async () => {
    const split = await create({ splitBill: true, amount: 30, lineItems: null });
    await pay(split, { amount: 10 });
    expect((await read(split)).body).toMatchObject({ status: 'PENDING', paidAmount: 10 });
    await pay(split, { amount: 20 });
    const { body } = await read(split);
    expect(body).toMatchObject({ status: 'COMPLETED', paidAmount: 30 });
    const items = body.transactionDetails.map(({ paidAmount, splitBill }: typeof body) => [
      paidAmount,
      splitBill,
    ]);
    expect(items).toEqual([
      [10, true],
      [20, true],
    ]);
  });

  test('expired and cancelled have no message', async () => {
    const expired = await create({ expiresIn: 1 });
    const ended = await waitUntil(async () => {
      const { body } = await read(expired);
      return body.status === 'EXPIRED' && body;
    });
    expect(ended.transactionDetails).toEqual([]);
    expect(ended).not.toHaveProperty('message');
    const cancelled = await create();
    await sandbox.request('POST', `/api/payment-request/cancel/${cancelled}`);
    const { body } = await read(cancelled);
    expect(body).toMatchObject({ status: 'CANCELLED', transactionDetails: [] });
    expect(body).not.toHaveProperty('message');
  });

  test('shows nothing personal without a secret', async () => {
    const paid = await create();
    await pay(paid, { outcome: 'COMPLETED' });
    const { body } = await read(paid, '?env=sandbox', null);
    const { notes: _, lineItems, payerNote, ...shown } = always();
    const { consumerId, consumerName, bankAccountNo, notes, ...masked } = one(
      expect.stringMatching(/^AC/),
      'COMPLETED',
    );
    expect(body).toEqual({
      ...shown,
      signature: expect.any(String),
      status: 'COMPLETED',
      paidAmount: 12.5,
      tipAmount: 0,
      transactionDetails: [masked],
    });
  });
});

describe('the account that paid', () => {
  let paid: string;
  beforeAll(async () => {
    paid = await create();
    await pay(paid, { outcome: 'COMPLETED' });
  });

  test.each([
    ['owner', /^\d{8}$/],
    ['manager', /^\d{8}$/],
    ['cashier', /^\*{4}\d{4}$/],
    ['developer', /^\*{4}\d{4}$/],
    ['readOnly', /^\*{4}\d{4}$/],
  ] as const satisfies readonly (readonly [Role, RegExp])[])(
    'is shown to a %s as %s',
    async (role, account) => {
      const { merchantId } = sandbox.merchant;
      const { headers } = await signIn(sandbox.tools, { merchantId, role, origin: sandbox.url });
      const path = `/dashboard/api/merchants/${merchantId}/sandbox/api/payments/v1/payment-status/${paid}`;
      const { status, body } = await sandbox.request('GET', path, { secret: null, headers });
      expect(status).toBe(200);
      expect(body.transactionDetails).toMatchObject([
        { ...payer, bankAccountNo: expect.stringMatching(account) },
      ]);
      const whole = (await read(paid)).body.transactionDetails[0].bankAccountNo;
      expect(body.transactionDetails[0].bankAccountNo.slice(-4)).toBe(whole.slice(-4));
    },
  );
});

test('a 404 without env says where it looked', async () => {
  expect((await read(id, '', null)).body.message).toContain('add ?env=sandbox');
  expect((await read(unknownId, '?env=sandbox', null)).body.message).toContain('in sandbox');
});
