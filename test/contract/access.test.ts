import type { Access } from '@florin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOfDashboard } from '../../service/src/platform/http/dashboard-address.ts';
import { openTestService, type TestReply, type TestService } from '../harness/open-test-service.ts';
import { servedRoutes } from './served-routes.ts';

// Rejected before any handler: what all operations have in common, tested for each.
const routes = await servedRoutes();
const operations = routes
  .map(({ operation }) => operation)
  .filter(({ access }) => !isOfDashboard(access));
let service: TestService;
let operatorSecret: string;
beforeAll(async () => {
  service = await openTestService({ routes: () => routes });
  operatorSecret = (await service.newOperator('Ada')).secret;
});
afterAll(() => service.close());

const anyId = '00000000-0000-4000-8000-000000000000';
const pathOf = (path: string): string => path.replace(/:\w+/g, anyId);
const secretFor = (access: Access): string =>
  access === 'operator' ? operatorSecret : service.sandboxSecret;
const shown = ({ status, body }: TestReply) => [status, body.name];

const withSecret = operations.filter(({ access }) => access !== 'open');
const forSandbox = operations.filter(({ access }) => access === 'sandboxSecret');
const withBody = operations.filter(({ body, access }) => body && access !== 'open');
const readsBody = operations.filter(({ method }) => method !== 'GET');

describe.each(withSecret.map((each) => [each.id, each] as const))('%s', (_, operation) => {
  const { method, path, access } = operation;
  test('answers 401 to a wrong secret before any other check', async () => {
    const wrong = [
      { secret: `${service.sandboxSecret}x` },
      { secret: service.merchant.merchantId },
    ];
    const none = access === 'optionalSecret' ? [] : [{ secret: null }];
    for (const sent of [...wrong, ...none]) {
      const reply = await service.request(method, pathOf(path), { ...sent, body: [] });
      expect(shown(reply)).toEqual([401, 'INVALID_CREDENTIAL']);
    }
  });
});

describe.each(forSandbox.map((each) => [each.id, each] as const))('%s', (_, { method, path }) => {
  test('does not exist for production', async () => {
    const secret = service.productionSecret;
    const reply = await service.request(method, pathOf(path), { secret, body: {} });
    expect(shown(reply)).toEqual([400, 'SANDBOX_ONLY']);
  });
});

describe.each(withBody.map((each) => [each.id, each] as const))('%s', (_, operation) => {
  const { method, path, access } = operation;
  test('accepts JSON objects of limited size only', async () => {
    const send = (body: unknown, contentType = 'application/json') =>
      service.request(method, pathOf(path), {
        body,
        secret: secretFor(access),
        headers: { 'content-type': contentType },
      });
    expect(shown(await send([]))).toEqual([400, 'BAD_REQUEST']);
    expect(shown(await send('{"a":'))).toEqual([400, 'BAD_REQUEST']);
    expect(shown(await send('{"a":"\\u0000"}'))).toEqual([400, 'BAD_REQUEST']);
    expect(shown(await send('{}', 'text/plain'))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(shown(await send({ text: 'x'.repeat(70_000) }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

describe.each(operations.map((each) => [each.id, each] as const))('%s', (_, { method, path }) => {
  test('rejects an address with a NUL character', async () => {
    const secret = service.sandboxSecret;
    const reply = await service.request(method, `${pathOf(path)}?a=%00`, { secret });
    expect(shown(reply)).toEqual([400, 'BAD_REQUEST']);
  });
});

describe.each(readsBody.map((each) => [each.id, each] as const))('%s', (_, { method, path }) => {
  test('rejects an invalid body, also where none is expected', async () => {
    const send = (body: string, type: string) =>
      service.request(method, pathOf(path), { body, headers: { 'content-type': type } });
    expect(shown(await send('{}', 'text/plain'))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(shown(await send('{"a":', 'application/json'))).toEqual([400, 'BAD_REQUEST']);
    const large = JSON.stringify('x'.repeat(70_000));
    expect(shown(await send(large, 'application/json'))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});
