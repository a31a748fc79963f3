import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../contract/operation.ts';
import {
  dashboardAddress,
  isOfDashboard,
} from '../../service/src/platform/http/dashboard-address.ts';
import { type SignedIn, signIn } from '../harness/dashboard/sign-in.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { servedRoutes } from './served-routes.ts';

// Rejected before any handler, by every operation; a number in a table would fail the test at its
// end.
const routes = await servedRoutes();
const operations = routes.map(({ operation }) => [operation.id, operation] as const);
let service: TestService;
let operatorSecret: string;
let owner: SignedIn;
beforeAll(async () => {
  service = await openTestService({ routes: () => routes });
  operatorSecret = (await service.newOperator('Ada')).secret;
  owner = await signIn(service.tools, { merchantId: service.merchant.merchantId });
});
afterAll(() => service.close());

const card = '4242 4242 4242 4242';
const anyId = '00000000-0000-4000-8000-000000000000';
const refused = (field: string) => ({
  status: 400,
  body: {
    name: 'BAD_REQUEST',
    message: `${field} looks like a card number; never send one here.`,
    status: 400,
    errors: [{ field, message: `${field} looks like a card number; never send one here` }],
  },
});

// Who may call is let through first, so that a refusal is recorded with their name.
const callerOf = ({ access }: Operation) => {
  if (isOfDashboard(access)) return { secret: null, headers: owner.headers };
  return access === 'operator' ? { secret: operatorSecret } : {};
};

const addressOf = (operation: Operation): string =>
  ((isOfDashboard(operation.access) && dashboardAddress(operation)) || operation.path)
    .replace(':inMerchant', service.merchant.merchantId)
    .replace(':inEnvironment', 'sandbox')
    .replace(/:\w+/g, anyId);

test.each(operations)('%s rejects a card number in its address', async (_, operation) => {
  const address = `${addressOf(operation)}?q=4242%C2%A04242-4242.42%2042`;
  const reply = await service.request(operation.method, address, callerOf(operation));
  expect(reply).toMatchObject(refused('q'));
});

const withBody = operations.filter(([, { body }]) => body);
test.each(withBody)('%s rejects a card number in its body', async (_, operation) => {
  const body = { more: { deep: ['', `pay with ${card}`] } };
  const sent = { body, ...callerOf(operation) };
  const reply = await service.request(operation.method, addressOf(operation), sent);
  expect(reply).toMatchObject(refused('more.deep.1'));
});

describe('the reply names the field', () => {
  const callback = (callbackParams: object) => ({ ...order, callbackParams });
  const consumer = (consumerDetails: object) => ({ ...order, consumerDetails });

  const order = { customerId: 'c-1', orderId: 'o-1', amount: 12.5 };
  test.each<[string, string, object]>([
    ['orderId', '/api/payments/process-payment', { ...order, orderId: card }],
    ['customerId', '/api/payments/process-payment', { ...order, customerId: card }],
    ['notes', '/api/payments/process-payment', { ...order, notes: `by card ${card}, thanks` }],
    ['callbackParams.pan', '/api/payments/process-payment', callback({ pan: card })],
    ['callbackParams.****4242', '/api/payments/process-payment', callback({ [card]: '1' })],
    ['consumerDetails.lastName', '/api/payments/process-payment', consumer({ lastName: card })],
    ['redirectUrl', '/api/payments/process-payment', { redirectUrl: `https://a.example/${card}` }],
    ['fullName', '/api/customers', { fullName: card }],
    ['address', '/api/customers', { fullName: 'Ann Lee', address: `1 Road, ${card}` }],
    ['url', '/api/webhook/v2/endpoints', { url: `https://a.example/?card=${card}` }],
    ['description', '/api/webhook/v2/endpoints', { url: 'https://a.example', description: card }],
  ])('%s', async (field, path, body) => {
    expect(await service.request('POST', path, { body })).toMatchObject(refused(field));
  });
});
