import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestReply,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { personRoutes } from '../index.ts';

const origin = 'https://pay.example.com';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => personRoutes({ ...tools, openSignUp: true }),
    settings: { PUBLIC_URL: origin },
  });
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: object, cookie = ''): Promise<TestReply> =>
  service.request(method, `/dashboard/api${path}`, {
    ...{ secret: null, headers: { origin, 'florin-dashboard': '1', cookie } },
    ...(body && { body }),
  });
const signUp = (email: string, password: string) =>
  call('POST', '/sign-up', { name: 'Grace', email, password, businessName: 'Books' });

test('a sign-in gives a cookie that goes by TLS alone', async () => {
  const { status, headers } = await signUp('grace@example.com', 'correct horse battery');
  expect(status).toBe(200);
  const given = [headers['set-cookie'] ?? []].flat().map(String);
  const [cookie = ''] = given.filter((each) => each.startsWith('__Secure-florin_session='));
  expect(cookie).toMatch(/; Secure(;|$)/i);
  expect((await call('GET', '/me', undefined, cookie.split(';')[0])).status).toBe(200);
});

test('a long password is taken whole: no other case and no beginning of it signs in', async () => {
  const email = 'long@example.com';
  const long = 'correct horse battery staple '.repeat(5).slice(0, 127).concat('!');
  expect((await signUp(email, long)).status).toBe(200);
  for (const [password, status] of [
    [long.slice(0, -1), 401],
    [long.toUpperCase(), 401],
    [long, 200],
  ] as const)
    expect((await call('POST', '/sign-in', { email, password })).status).toBe(status);
});

test('a sign-in that is refused leaves a line with its network, of unknown addresses too', async () => {
  const before = service.logged.length;
  for (const email of ['grace@example.com', 'unknown@example.com'])
    expect((await call('POST', '/sign-in', { email, password: 'wrong password' })).status).toBe(
      401,
    );
  const lines = service.logged
    .slice(before)
    .filter((line) => line.includes('a sign-in was refused'));
  expect(lines.map((line) => JSON.parse(line).address)).toEqual(['127.0.0.0/24', '127.0.0.0/24']);
  expect(lines.join()).not.toMatch(/grace|unknown|wrong password/);
});

test('a common password is refused with its field, and nobody has signed up by it', async () => {
  const refused = await signUp('common@example.com', 'Password123!');
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'password']);
  expect((await signUp('common@example.com', 'lamps over the harbour')).status).toBe(200);
});
