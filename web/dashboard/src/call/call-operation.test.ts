import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getMe } from '@florin/contract/dashboard/index.ts';
import { expect, test, vi } from 'vitest';
import { addressOf, callOperation } from './call-operation.ts';
import { sessionEnd } from './session.ts';
import { tenantOfPath } from './tenant.ts';

const tenant = { merchantId: 'm-1', environment: 'sandbox' } as const;
const merchant = '/dashboard/api/merchants/m-1/sandbox';

test.each([
  ['secret', '/api/payouts', {}, `${merchant}/api/payouts`],
  [
    'member',
    '/money',
    { query: { day: '2026-01-02', none: '' } },
    `${merchant}/money?day=2026-01-02`,
  ],
  ['secret', '/api/a/:id', { params: { id: 'x/../y' } }, `${merchant}/api/a/x%2F..%2Fy`],
  ['secret', '/api/a', { query: { of: ['p', 'q'], no: null } }, `${merchant}/api/a?of=p&of=q`],
  ['operator', '/api/operator/cases', {}, '/dashboard/api/operator/api/operator/cases'],
  ['person', '/dashboard/api/me', {}, '/dashboard/api/me'],
])('%s %s is called at its address', (access, path, input, address) => {
  expect(addressOf({ method: 'GET', path, access }, tenant, input)).toBe(address);
});

test('a parameter that is missing is not sent as an empty part of the path', () => {
  const operation = { method: 'GET', path: '/api/a/:id', access: 'secret' } as const;
  expect(() => addressOf(operation, tenant, { params: { id: '' } })).toThrow('needs id');
});

test('an operation of a merchant has no address on a page without one', () => {
  const operation = { method: 'GET', path: '/api/a', access: 'secret' } as const;
  expect(() => addressOf(operation, null, {})).toThrow('does not belong to a merchant');
});

test.each([
  ['/dashboard/m-1/sandbox/payments/p', tenant],
  ['/dashboard/m-1/production/home', { merchantId: 'm-1', environment: 'production' }],
  ['/dashboard/operator/cases', null],
  ['/dashboard/sign-in', null],
  ['/dashboard', null],
])('%s belongs to the merchant in it', (path, expected) => {
  expect(tenantOfPath(path)).toEqual(expected);
});

test('a call refused while the session token changes is sent again; a stranger is not', async () => {
  const statuses = [401, 200, 401, 401, 200];
  const server = createServer((_, reply) => {
    const status = statuses.shift() ?? 500;
    const said = { name: status === 401 ? 'SIGN_IN_REQUIRED' : 'OK', message: 'Said.' };
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const browserFetch = fetch;
  vi.stubGlobal('location', { pathname: '/dashboard/m-1/sandbox/payments' });
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    browserFetch(`http://127.0.0.1:${port}${path}`, init),
  );
  await expect(callOperation(getMe)).rejects.toThrow('Said.');
  expect([statuses.length, sessionEnd.read()]).toEqual([4, true]);
  sessionEnd.write(false);
  await callOperation(getMe);
  await callOperation(getMe);
  expect([statuses.length, sessionEnd.read()]).toEqual([0, false]);
  vi.unstubAllGlobals();
  server.close();
});
