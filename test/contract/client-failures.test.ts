import { afterAll, beforeAll, expect, test } from 'vitest';
import { pence } from '../../service/src/kernel/pence.ts';
import * as checkout from '../../service/src/modules/checkout/index.ts';
import * as payments from '../../service/src/modules/payments/index.ts';
import { merchantRoutes } from '../../service/src/modules/payments/index.ts';
import * as status from '../../service/src/modules/status/index.ts';
import { noCardRails } from '../harness/no-card-rails.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';

// Every failure of the operations of client programs, at a bank that never answers.
const bank = {
  id: 'silent-bank',
  name: 'Silent',
  fullName: 'Silent Bank',
  kind: 'both',
  colour: '#000000',
  limitPence: pence(1_000_000),
  isEnabled: true,
  isPopular: false,
  countryCode: 'GB',
} as const;
const rail = {
  institutions: () => [bank],
  createConsent: async () => ({ kind: 'UNKNOWN', description: 'no answer' }),
} as never;
const bankRails = payments.bankRails(
  { SANDBOX: rail, PRODUCTION: null },
  { SANDBOX: 'SIMULATOR_URL', PRODUCTION: 'PRODUCTION_BANK_RAIL' },
);
let nowMs = 1_800_000_000_000;
const clock = { now: () => new Date(nowMs), sleep: async () => undefined };

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    settings: { RATE_LIMITS: 'on' },
    clock,
    routes: (tools) => {
      const all = {
        ...tools,
        bankRails,
        cardRails: noCardRails,
        chargeSender: payments.chargeSender(tools),
        publicUrl: 'http://localhost',
      };
      return [
        ...merchantRoutes(all),
        ...checkout.sdkRoutes(all),
        ...status.merchantRoutes(all),
        ...status.sdkRoutes(all),
      ];
    },
  });
});
afterAll(() => service.close());

const open = (method: string, path: string, body?: object) =>
  service.request(method, `/api/${path}`, { secret: null, ...(body ? { body } : {}) });
const create = async (more: object = {}): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 5, ...more };
  return (await service.request('POST', '/api/payments/process-payment', { body })).body
    .paymentRequestId;
};
const details = (data: string) => open('POST', 'payments/get-payment-details', { data });
const start = (paymentRequestId: string, more: object = {}) =>
  open('POST', 'payments/v1/secure-payment-auth', {
    institutionId: bank.id,
    paymentRequestSource: { paymentRequestId },
    ...more,
  });
const unknown = '00000000-0000-4000-8000-000000000000';

test('rejects an expired, a cancelled, an unknown and a wrong request', async () => {
  const expired = await create({ expiresIn: 1 });
  const cancelled = await create();
  await service.request('POST', `/api/payment-request/cancel/${cancelled}`);
  for (const send of [details, start]) {
    expect((await send(expired)).body.name).toBe('REQUEST_TIMEOUT');
    expect((await send(cancelled)).body.name).toBe('INVALID_STATE');
    expect((await send(unknown)).body.name).toBe('NOT_FOUND');
    expect((await send('x')).body.name).toBe('BAD_REQUEST');
  }
});

test('answers 503 when the bank does not answer or no rail is configured', async () => {
  const silent = await start(await create());
  expect(silent.status).toBe(503);
  expect(silent.body.name).toBe('UNAVAILABLE');
  expect(silent.headers['retry-after']).toBe('5');
  const card = await start(await create(), { transactionType: 'CARD' });
  expect(card.body.name).toBe('RAIL_NOT_CONFIGURED');
  for (const path of ['institutions/customer', 'sdk-payment/institutions/customer']) {
    expect((await open('GET', path)).body.name).toBe('RAIL_NOT_CONFIGURED');
    expect((await open('GET', `${path}?env=mars`)).body.name).toBe('BAD_REQUEST');
    expect((await open('GET', `${path}?env=Sandbox`)).body).toHaveLength(1);
  }
  const secret = service.productionSecret;
  const own = await service.request('GET', '/api/institutions', { secret });
  expect(own.body.name).toBe('RAIL_NOT_CONFIGURED');
  const long = await service.request('GET', `/api/institutions?search=${'x'.repeat(101)}`);
  expect(long.body.name).toBe('BAD_REQUEST');
});

test.each([
  ['payments/v1/payment-status/', 'x'],
  ['payments/payment-status/', 'x'.repeat(41)],
  ['payments/v2/payment/', `${'x'.repeat(41)}/status`],
  ['sdk-payment/status/', 'x'.repeat(41)],
  ['sdk-payment/payment-request/status/', 'x'],
])('%s: wrong, unknown and too often', async (path, wrong) => {
  nowMs += 1_000;
  expect((await open('GET', `${path}${wrong}`)).body.name).toBe('BAD_REQUEST');
  const target = `${path}${unknown}${path.includes('v2') ? '/status' : ''}`;
  for (let times = 1; times < 20; times += 1)
    expect((await open('GET', target)).body.name).toBe('NOT_FOUND');
  const refused = await open('GET', target);
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('1');
});
