import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { openReceiver, type Receiver } from '../../../../test/harness/open-receiver.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { type Dispatcher, merchantRoutes, startDispatcher } from '../webhooks/index.ts';

import { webhookRoutes } from './sandbox-routes.ts';

let service: TestService;
let receiver: Receiver;
let dispatcher: Dispatcher;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await openTestService({
    routes: (tools) => [...merchantRoutes(tools), ...webhookRoutes(tools)],
  });
  dispatcher = startDispatcher(service.tools);
  await service.request('POST', '/api/sandbox/webhook/signing-secret');
  const events = ['PAYMENTS_STATUS', 'EXPIRED_STATUS', 'REFUND_STATUS', 'POS_PAYMENT_STATUS'];
  const body = { url: receiver.url, events };
  await service.request('POST', '/api/webhook/v2/endpoints', { body });
});
afterAll(async () => {
  await dispatcher.stop();
  await service.close();
  await receiver.close();
});

const trigger = (body: object) => service.request('POST', '/api/webhook/test', { body });

const triggered = async (body: object) => {
  const before = receiver.received.length;
  const reply = await trigger(body);
  expect(reply.body).toEqual({ message: 'Test webhook triggered successfully.' });
  await waitUntil(() => receiver.received.length > before);
  return JSON.parse(receiver.received.at(-1)?.body ?? '');
};

const kindOf = ({ status: _, ...kind }: { readonly status: string }) => JSON.stringify(kind);
const pos = 'POS_PAYMENT_STATUS';
const allowed = [
  ...['COMPLETED', 'PENDING', 'AUTHORIZED', 'FAILED', 'CANCELLED'].map((status) => ({
    eventType: 'PAYMENTS_STATUS',
    status,
    paymentMethod: 'CARD',
  })),
  ...['COMPLETED', 'PENDING', 'FAILED'].map((status) => ({
    eventType: 'PAYMENTS_STATUS',
    status,
    paymentMethod: 'PAY_BY_BANK',
  })),
  ...['COMPLETED', 'FAILED', 'CANCELLED'].map((status) => ({ eventType: 'REFUND_STATUS', status })),
  ...['COMPLETED', 'FAILED', 'EXPIRED'].map((status) => ({ eventType: pos, status })),
  ...['COMPLETED', 'FAILED'].map((status) => ({ eventType: pos, type: 'REFUND_STATUS', status })),
];

// A status alone changes what is said of it: below.
const kinds = allowed.filter(
  (one, at) => at === allowed.findIndex((each) => kindOf(each) === kindOf(one)),
);
test.each(isLongRun ? allowed : kinds)('a test event with %o arrives', async (input) => {
  const body = await triggered({ ...input, orderId: 'ORDER-7', amount: 12.34 });
  expect(body).toMatchObject({
    eventType: input.eventType,
    status: input.status,
    orderId: 'ORDER-7',
  });
  expect(Number(body.paidAmount)).toBe(12.34);
  if ('type' in input) expect(body).toMatchObject({ refundAmount: 12.34 });
  if (body.refundId) expect(body.refundId).not.toBe(body.paymentRequestId);
  if ('consumerId' in body) expect(body.consumerId).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ['CARD', { AUTHORIZED: 'PDNG', COMPLETED: 'ACSC', FAILED: 'RJCT', CANCELLED: 'CANC' }],
  ['PAY_BY_BANK', { PENDING: 'ACSP', COMPLETED: 'ACSC', FAILED: 'RJCT' }],
])('a test event by %s has the codes of a real one', async (paymentMethod, codes) => {
  for (const [status, code] of Object.entries(codes)) {
    const body = await triggered({ eventType: 'PAYMENTS_STATUS', status, paymentMethod });
    expect(body.statusDetails).toMatchObject({ status, isoStatus: { code } });
  }
});

test('AUTHORIZED and CANCELLED are card events by default', async () => {
  const body = await triggered({ eventType: 'PAYMENTS_STATUS', status: 'AUTHORIZED' });
  expect(body.transactionType).toBe('CARD');
  expect((await triggered({ eventType: 'PAYMENTS_STATUS' })).transactionType).toBe('OPEN_BANKING');
});

test('EXPIRED_STATUS ignores the status', async () => {
  const body = await triggered({ eventType: 'EXPIRED_STATUS', status: 'COMPLETED' });
  expect(body.status).toBe('EXPIRED');
  const shaped = await triggered({ eventType: pos, type: 'EXPIRED_STATUS', status: 'FAILED' });
  expect(shaped.status).toBe('EXPIRED');
});

test('custom fields come from the caller or are made up', async () => {
  const customFields = [{ fieldName: 'Waiter', value: 'Kim' }];
  expect((await triggered({ eventType: pos, customFields })).customFields).toEqual([
    { fieldName: 'Waiter', value: 'Kim', filledBy: 'BUSINESS' },
  ]);
  expect((await triggered({ eventType: pos })).customFields).toHaveLength(1);
});

test.each([
  { eventType: 'PAYMENTS_STATUS', status: 'EXPIRED' },
  { eventType: 'PAYMENTS_STATUS', status: 'AUTHORIZED', paymentMethod: 'PAY_BY_BANK' },
  { eventType: 'REFUND_STATUS', status: 'PENDING' },
  { eventType: 'REFUND_STATUS', type: 'REFUND_STATUS' },
  { eventType: 'EXPIRED_STATUS', customFields: [] },
  { eventType: pos, status: 'AUTHORIZED' },
  { eventType: pos, type: 'REFUND_STATUS', status: 'EXPIRED' },
  { eventType: 'PAYMENTS_STATUS', amount: 1.234 },
  { eventType: 'PAYMENTS_STATUS', amount: 0 },
  { eventType: 'PAYMENTS_STATUS', paymentMethod: 'CASH' },
  { eventType: 'OTHER' },
  {},
])('rejects %o', async (input) => {
  const { status, body } = await trigger(input);
  expect([status, body.name]).toEqual([400, 'BAD_REQUEST']);
});

test('needs an active webhook and a sandbox secret', async () => {
  const { secrets } = await service.newMerchant();
  const body = { eventType: 'PAYMENTS_STATUS' };
  const call = (secret: string) => service.request('POST', '/api/webhook/test', { secret, body });
  const none = await call(secrets.SANDBOX.secret);
  expect([none.status, none.body.errors[0].field]).toEqual([400, 'eventType']);
  const production = await call(secrets.PRODUCTION.secret);
  expect([production.status, production.body.name]).toEqual([400, 'SANDBOX_ONLY']);
});
