import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CardRails, ensureProcessorCustomer } from '../../service/src/modules/cards/index.ts';
import {
  cardPayment,
  recordCardPayment,
} from '../../service/src/modules/cards/test/record-card-payment.ts';
import * as customers from '../../service/src/modules/customers/index.ts';
import { resumeMerchant, suspendMerchant } from '../../service/src/modules/merchants/index.ts';
import * as payments from '../../service/src/modules/payments/index.ts';
import * as sandbox from '../../service/src/modules/sandbox/index.ts';
import * as status from '../../service/src/modules/status/index.ts';
import type { CardOutcome, CardRail } from '../../service/src/rails/card-rail.ts';
import { noCardRails } from '../harness/no-card-rails.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';

// Every failure of charging, capturing and cancelling a card.
const hour = 3_600_000;
const authorised: CardOutcome = {
  kind: 'AUTHORIZED',
  state: 'state',
  payment: cardPayment({ savedCardReference: null }),
  expiresAt: new Date(Date.now() + 100 * hour),
  expirySource: 'PROCESSOR',
};
const unknown = { kind: 'UNKNOWN', description: 'no answer' } as const;
const refusal = { kind: 'REFUSED', code: 'busy', description: 'Still only authorised.' } as const;

let says: { charge: CardOutcome; change: CardOutcome | typeof refusal };
let isConfigured = true;
let accountKey = 'simulated';
const rail = {
  get accountKey() {
    return accountKey;
  },
  prepareCharge: () => 'state',
  charge: async () => says.charge,
  capture: async () => says.change,
  resolveCapture: async () => says.change,
  cancel: async () => says.change,
  resolveCancel: async () => says.change,
  createCustomer: async () => ({ kind: 'CREATED', customerReference: 'cus_1' }) as const,
  estimateExpiry: (_brand: string, _initiator: string, from: Date) =>
    new Date(from.getTime() + hour),
} as Partial<CardRail> as CardRail;
const cardRails: CardRails = {
  find: async () => (isConfigured ? rail : null),
  need: async (tenant) => (isConfigured ? rail : noCardRails.need(tenant)),
  findAccount: async () => (isConfigured ? rail : null),
  needAccount: async (tenant) => (isConfigured ? rail : noCardRails.need(tenant)),
  listOwn: async () => [],
  shared: async () => null,
};

let service: TestService;
let card: { customerId: string; paymentMethodId: string };

beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => {
      const bankRails = payments.bankRails(
        { SANDBOX: null, PRODUCTION: null },
        { SANDBOX: '-', PRODUCTION: '-' },
      );
      const chargeSender = payments.chargeSender(tools);
      const all = { ...tools, bankRails, cardRails, chargeSender, publicUrl: 'http://localhost' };
      return [
        ...customers.merchantRoutes(all),
        ...payments.merchantRoutes(all),
        ...status.merchantRoutes(all),
        ...sandbox.settingsRoutes(all),
      ];
    },
  });
  const customerId = await newCustomer();
  await ensureProcessorCustomer(service.tools, rail, service.sandbox, customerId);
  await recordCardPayment(service.tools, service.sandbox, { customerId });
  const rows = await service.database.system<object, { card_id: string }>(
    { name: 'test_card_id', text: 'select card_id from card', valueNames: [] },
    {},
  );
  card = { customerId, paymentMethodId: rows[0]?.card_id ?? '' };
});
beforeEach(() => {
  says = { charge: authorised, change: unknown };
  isConfigured = true;
  accountKey = 'simulated';
});
afterAll(() => service.close());

const newCustomer = async (secret = service.sandboxSecret): Promise<string> => {
  const body = { fullName: 'Ada Lovelace', email: 'ada@example.com' };
  return (await service.request('POST', '/api/customers', { body, secret })).body.id;
};
const charge = (more: object = {}, sent: object = {}) =>
  service.request('POST', '/api/payments/card/process-payment', {
    body: { ...card, captureType: 'MANUAL_CAPTURE', amount: 12.5, orderId: 'o', ...more },
    ...sent,
  });
const change = (operation: string, id: string, sent: object = {}) =>
  service.request('POST', `/api/payments/card/payment-request/${id}/${operation}`, sent);
const statusOf = async (id: string) =>
  (await service.request('GET', `/api/payments/v1/payment-status/${id}`)).body.status;
const authorisedId = async (): Promise<string> => {
  const { body } = await charge();
  await waitUntil(async () => (await statusOf(body.paymentRequestId)) === 'AUTHORIZED');
  return body.paymentRequestId;
};
const switches = (body: object) => service.request('POST', '/api/sandbox/switches', { body });
const unknownId = '7d1c4a34-0000-4000-8000-000000000000';
const said = ({ status, body }: { status: number; body: { name: string } }) =>
  `${status} ${body.name}`;

test('a rejected charge has a reason', async () => {
  expect(said(await charge({ amount: 0 }))).toBe('400 BAD_REQUEST');
  expect(said(await charge({ customerId: unknownId }))).toBe('404 NOT_FOUND');
  const elsewhere = await newCustomer(service.productionSecret);
  expect(said(await charge({ customerId: elsewhere }))).toBe('400 ENVIRONMENT_MISMATCH');
  await switches({ cardsEnabled: false });
  expect(said(await charge())).toBe('403 NOT_ENABLED');
  await switches({ cardsEnabled: true, ordersGuarded: true });
  expect((await charge({ orderId: 'twice' })).status).toBe(200);
  expect(said(await charge({ orderId: 'twice' }))).toBe('409 POSSIBLE_DUPLICATE');
  await switches({ ordersGuarded: false });
  const headers = { 'idempotency-key': 'key-1' };
  expect((await charge({}, { headers })).status).toBe(200);
  expect(said(await charge({ amount: 2 }, { headers }))).toBe('409 IDEMPOTENCY_KEY_REUSED');
  await suspendMerchant(service.tools, service.sandbox, 'Fraud', { name: 'Ada' });
  expect(said(await charge())).toBe('403 MERCHANT_SUSPENDED');
  expect((await charge({}, { headers })).status).toBe(200);
  await resumeMerchant(service.tools, service.sandbox, { name: 'Ada' });
  accountKey = 'another';
  expect(said(await charge())).toBe('409 CONFLICT');
  isConfigured = false;
  expect(said(await charge())).toBe('503 RAIL_NOT_CONFIGURED');
});

test.each(['capture', 'cancel'])('a rejected %s has a reason', async (operation) => {
  const id = await authorisedId();
  const secret = service.productionSecret;
  expect(said(await change(operation, id, { secret }))).toBe('400 ENVIRONMENT_MISMATCH');
  expect(said(await change(operation, unknownId))).toBe('404 NOT_FOUND');
  expect(said(await change(operation, 'nothing'))).toBe('400 BAD_REQUEST');
  isConfigured = false;
  expect(said(await change(operation, id))).toBe('503 RAIL_NOT_CONFIGURED');
});

test('a cancellation needs a reason', async () => {
  const body = { cancelledReasonCode: 'Other' };
  expect(said(await change('cancel', await authorisedId(), { body }))).toBe('400 BAD_REQUEST');
});

test.each([
  ['capture', 'COMPLETED', { ...authorised, kind: 'COMPLETED' }],
  [
    'cancel',
    'CANCELLED',
    { kind: 'CANCELLED', state: 's', reason: 'CANCELLED', lastDecline: null },
  ],
] as const)(
  'a %s that did not reach the processor is 503, and its key shows the outcome',
  async (...row) => {
    const [operation, status, outcome] = row;
    const id = await authorisedId();
    const headers = { 'idempotency-key': `${operation}-1` };
    const first = await change(operation, id, { headers });
    expect([said(first), first.headers['retry-after']]).toEqual(['503 UNAVAILABLE', '5']);
    expect(await statusOf(id)).toBe('AUTHORIZED');
    // Neither another caller nor the other operation gets between.
    expect(said(await change('capture', id))).toBe('409 INVALID_STATE');
    expect(said(await change('cancel', id))).toBe('409 INVALID_STATE');
    expect(said(await change(operation, id, { headers }))).toBe('503 UNAVAILABLE');
    says = { ...says, change: outcome as CardOutcome };
    const again = await change(operation, id, { headers });
    expect([again.status, again.body.success]).toEqual([200, true]);
    expect(await statusOf(id)).toBe(status);
    expect((await change(operation, id, { headers })).body).toEqual(again.body);
    expect(said(await change(operation, id))).toBe('409 INVALID_STATE');
  },
);

test.each(['capture', 'cancel'])(
  'a refused %s leaves the payment authorised',
  async (operation) => {
    const id = await authorisedId();
    says = { ...says, change: refusal };
    const refused = await change(operation, id);
    expect([said(refused), refused.body.message]).toEqual([
      '409 INVALID_STATE',
      'Still only authorised.',
    ]);
    expect(await statusOf(id)).toBe('AUTHORIZED');
    says = { ...says, change: { ...authorised, kind: 'COMPLETED' } as CardOutcome };
    expect((await change('capture', id)).status).toBe(200);
  },
);

test('a late capture is rejected: the authorisation has expired', async () => {
  const id = await authorisedId();
  says = {
    ...says,
    change: { kind: 'CANCELLED', state: 's', reason: 'AUTHORISATION_EXPIRED', lastDecline: null },
  };
  expect(said(await change('capture', id))).toBe('409 INVALID_STATE');
  expect(await statusOf(id)).toBe('CANCELLED');
});
