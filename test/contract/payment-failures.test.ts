import { afterAll, beforeAll, expect, test } from 'vitest';
import * as checkout from '../../service/src/modules/checkout/index.ts';
import * as customers from '../../service/src/modules/customers/index.ts';
import * as payments from '../../service/src/modules/payments/index.ts';
import * as sandbox from '../../service/src/modules/sandbox/index.ts';
import { noCardRails } from '../harness/no-card-rails.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { scriptedBank, scriptedBankId } from '../simulation/scripted-bank.ts';
import { seededRandom } from '../simulation/seeded-random.ts';

// Every failure of paying without a browser, creating and cancelling.
const bank = scriptedBank(seededRandom(3), {
  faultShare: () => 0,
  endsSettled: false,
  maxPence: 10n ** 12n,
});
const settingOf = { SANDBOX: 'SIMULATOR_URL', PRODUCTION: 'PRODUCTION_BANK_RAIL' };
const awayPayer = {
  visitBank: async () => Promise.reject(new Error('connect ECONNREFUSED')),
  payByCard: async () => Promise.reject(new Error('connect ECONNREFUSED')),
};

const openService = (payerRail: typeof awayPayer | null): Promise<TestService> =>
  openTestService({
    routes: (tools) => {
      const bankRails = payments.bankRails(
        { SANDBOX: bank.rail, PRODUCTION: bank.rail },
        settingOf,
      );
      const all = {
        ...tools,
        bankRails,
        cardRails: noCardRails,
        chargeSender: payments.chargeSender(tools),
        payerRail,
        publicUrl: 'http://localhost',
        simulatorSetting: 'SIMULATOR_URL',
      };
      return [
        ...customers.merchantRoutes(all),
        ...payments.merchantRoutes(all),
        ...sandbox.settingsRoutes(all),
        ...sandbox.payInSandboxRoutes(all),
        ...checkout.sdkRoutes(all),
      ];
    },
  });

let service: TestService;
beforeAll(async () => {
  service = await openService(awayPayer);
});
afterAll(() => service.close());

const testCard = '4242424242424242';
const order = { customerId: 'c', orderId: 'o', amount: 5 };
const create = async (sent: object = {}) =>
  (await service.request('POST', '/api/payments/process-payment', { body: order, ...sent })).body
    .paymentRequestId as string;
const cancel = (id: string, sent: object = {}) =>
  service.request('POST', `/api/payment-request/cancel/${id}`, sent);
const pay = (id: string, body: object = {}, by = service) =>
  by.request('POST', `/api/sandbox/payment-requests/${id}/pay`, {
    body: { institutionId: scriptedBankId, ...body },
  });

test('the driver rejects unknown, foreign and ended requests', async () => {
  const unknownId = '00000000-0000-4000-8000-000000000000';
  expect((await pay(unknownId)).body.name).toBe('NOT_FOUND');
  const other = await create({ secret: service.productionSecret });
  expect((await pay(other)).body.name).toBe('ENVIRONMENT_MISMATCH');
  const cancelled = await create();
  await cancel(cancelled);
  expect((await pay(cancelled)).body.name).toBe('INVALID_STATE');
});

test('the driver reports an unreachable simulator, and the payment can be retried', async () => {
  const id = await create();
  const refused = await pay(id);
  expect(refused.body).toMatchObject({ name: 'UNAVAILABLE', status: 503 });
  expect(refused.headers['retry-after']).toBe('2');
  expect((await pay(id)).body.name).toBe('UNAVAILABLE');
});

test('the driver names the setting without a simulator', async () => {
  const alone = await openService(null);
  const refused = await pay('00000000-0000-4000-8000-000000000000', {}, alone);
  expect(refused.body).toMatchObject({ name: 'RAIL_NOT_CONFIGURED', status: 503 });
  expect(refused.body.message).toContain('SIMULATOR_URL');
  await alone.close();
});

test('a card cannot be saved while cards are switched off', async () => {
  const switched = await service.request('POST', '/api/sandbox/switches', {
    body: { cardsEnabled: false },
  });
  expect(switched.status).toBe(200);
  const customer = await service.request('POST', '/api/customers', {
    body: { fullName: 'Ada Byron', email: 'ada@example.com' },
  });
  expect(customer.status).toBe(200);
  const refused = await service.request('POST', '/api/payments/process-payment', {
    body: {
      ...order,
      savePaymentMethod: true,
      paymentMethod: ['PAY_BY_BANK', 'CARD'],
      atoaCustomerId: customer.body.id,
    },
  });
  expect(refused.body).toMatchObject({ name: 'NOT_ENABLED', status: 403 });
});

test('an Idempotency-Key that cancelled one request cancels no other', async () => {
  const [one, other] = [await create(), await create()];
  const keyed = { headers: { 'idempotency-key': 'cancel-one' } };
  expect((await cancel(one, keyed)).status).toBe(200);
  expect((await cancel(other, keyed)).body).toMatchObject({
    name: 'IDEMPOTENCY_KEY_REUSED',
    status: 409,
  });
});

test('cards that are off can be neither driven nor authorised', async () => {
  const id = await create();
  const switchCards = (cardsEnabled: boolean) =>
    service.request('POST', '/api/sandbox/switches', { body: { cardsEnabled } });
  await switchCards(false);
  const driven = await service.request('POST', `/api/sandbox/payment-requests/${id}/pay`, {
    body: { method: 'CARD', cardNumber: testCard },
  });
  expect(driven.body.name).toBe('NOT_ENABLED');
  const authorised = await service.request('POST', '/api/payments/v1/secure-payment-auth', {
    secret: null,
    body: {
      institutionId: 'rapyd',
      transactionType: 'CARD',
      paymentRequestSource: { paymentRequestId: id },
    },
  });
  expect(authorised.body.name).toBe('NOT_ENABLED');
  await switchCards(true);
});
