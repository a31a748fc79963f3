import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { openSandbox, type Sandbox } from '../../../../test/harness/open-sandbox.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';

let sandbox: Sandbox;
const [payers, people] = ['pay.florin.test', 'people.florin.test'];
beforeAll(async () => {
  sandbox = await openSandbox({
    PUBLIC_URL: `https://${payers}`,
    DASHBOARD_URL: `https://${people}`,
  });
});
afterAll(() => sandbox.close());

type Sent = { readonly method?: string; readonly headers?: Record<string, string> };

/** As a proxy passes it on, which has taken the TLS off. */
const call = (path: string, { method = 'GET', headers = {} }: Sent, body?: object) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(`${sandbox.url}${path}`, { method, headers });
    asked.on('error', reject).on('response', (reply) => resolve(reply.resume()));
    asked.end(body && JSON.stringify(body));
  });
const ask = async (host: string, path: string, { method, headers }: Sent = {}) => {
  const sent = { ...(method && { method }), headers: { ...headers, host } };
  const { statusCode, headers: reply } = await call(path, sent);
  return [statusCode, reply.location].filter(Boolean).join(' ');
};

const authorization = () => ({ authorization: `Bearer ${sandbox.secret}` });

test('pages are led to their own host, and nothing else is answered at the other', async () => {
  const page = '/dashboard/sign-in?next=%2F';
  // Until the bundle is read, it says that it opens.
  await waitUntil(async () => (await ask(people, page)) === '200');
  expect(await ask(payers, page)).toBe(`302 https://${people}${page}`);
  expect(await ask(payers, '/dashboard/api/me')).toBe('404');
  expect(await ask(people, '/dashboard/api/me')).toBe('401');
  const link = '/pay?paymentRequestId=7f0c7a3e-0000-4000-8000-100000000000';
  expect(await ask(payers, link)).toBe('404');
  expect(await ask(people, link)).toBe(`302 https://${payers}${link}`);
  const headers = authorization();
  expect(await ask(payers, '/api/webhook/events', { headers })).toBe('200');
  expect(await ask(people, '/api/webhook/events', { headers })).toBe('404');
  expect(await ask(people, '/pay/start', { method: 'POST' })).toBe('404');
  for (const path of ['/', '/link-bank?id=1', '/c/abc', '/assets/checkout-1.js'])
    expect([path, await ask(people, path)]).toEqual([path, `302 https://${payers}${path}`]);
  expect(await ask(people, '/link-bank/start', { method: 'POST' })).toBe('404');
  for (const host of [payers, people])
    expect([host, await ask(host, '/health/ready')]).toEqual([host, '200']);
});

test('people act from the page of their own host alone', async () => {
  const { merchantId } = sandbox.tenant;
  const origin = `https://${people}`;
  const { email, password, headers } = await signIn(sandbox.tools, { merchantId, origin });
  /** The cookies that a call sets. */
  const visit = async (at: string, body: object): Promise<readonly string[]> => {
    const sent = { ...headers, cookie: '', host: people, 'content-type': 'application/json' };
    const reply = await call(`/dashboard/api${at}`, { method: 'POST', headers: sent }, body);
    return reply.headers['set-cookie'] ?? [];
  };
  const out = { method: 'POST', headers };
  const path = '/dashboard/api/sign-out';
  const fromPayers = { ...out, headers: { ...headers, origin: `https://${payers}` } };
  expect(await ask(people, path, fromPayers)).toBe('403');
  expect(await ask(payers, path, out)).toBe('404');
  // Another host of the domain can set these two names, and not that of the session.
  const cookie = String(headers.cookie).replace('__Host-', '');
  for (const planted of [cookie, `__Secure-${cookie}`])
    expect(await ask(people, path, { ...out, headers: { ...headers, cookie: planted } })).toBe(
      '401',
    );
  const begun = await visit('/sign-in', { email, password });
  expect(begun.join('\n')).toMatch(/^__Host-florin_session=.*Path=\/;.*Secure/);
  expect(begun.join()).not.toMatch(/Domain=/i);
  expect(await ask(people, path, out)).toBe('200');
});
