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

test.each([
  ['a letter of two characters', 'caf\u0065\u0301 over the harbour', 'caf\u00e9 over the harbour'],
  ['a ligature', '\ufb01sh over the harbour', 'fish over the harbour'],
  ['a wide letter', '\uff41lamps over the harbour', 'alamps over the harbour'],
  ['a control character', 'lamps\u0007 over the harbour', 'lamps over the harbour'],
  ['a mark of direction', 'lamps\u202e over the harbour', 'lamps over the harbour'],
  ['a control character of Latin-1', 'lamps\u0085 over the harbour', 'lamps over the harbour'],
  ['blanks at its ends', ' lamps over the harbour ', 'lamps over the harbour'],
])('a password is verified as it came: %s', async (name, password, other) => {
  const email = `${name.replaceAll(' ', '-').toLowerCase()}@example.com`;
  expect((await signUp(email, password)).status).toBe(200);
  for (const typed of [other, password.replace(/[^\x20-\x7e]/gu, ''), other.normalize('NFD')])
    if (typed !== password)
      expect((await call('POST', '/sign-in', { email, password: typed })).status).toBe(401);
  expect((await call('POST', '/sign-in', { email, password })).status).toBe(200);
});

test('a password with a raw control character is refused, not changed', async () => {
  const refused = await service.request('POST', '/dashboard/api/sign-in', {
    ...{
      secret: null,
      headers: { origin, 'florin-dashboard': '1', 'content-type': 'application/json' },
    },
    body: '{"email": "grace@example.com", "password": "correct horse \u0007battery"}',
  });
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringMatching(/^The body is not valid JSON: line 1, column 44:/),
  ]);
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
