import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi } from '../../../service/src/programs/wiring/open-api.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const visit = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${sandbox.url}${path}`, { redirect: 'manual', headers });
  const text = await reply.text();
  return {
    status: reply.status,
    language: /<html lang="(\w+)"/.exec(text)?.[1],
    cookie: reply.headers.getSetCookie().map((each) => each.split(';')[0]),
    cookies: reply.headers.getSetCookie(),
    text,
  };
};

const welsh = { cookie: 'florin_language=cy' };

test.each([
  ['what the browser speaks', '/pay', { 'accept-language': 'nl, pl;q=0.8, en;q=0.5' }, 'pl'],
  ['what was asked for', '/pay?locale=ur', { 'accept-language': 'pl' }, 'ur'],
  ['what was chosen before', '/pay', { ...welsh, 'accept-language': 'pl' }, 'cy'],
  ['a new choice over an old one', '/pay?locale=it', welsh, 'it'],
  ['nothing that we do not speak', '/pay?locale=xx', welsh, 'cy'],
  ['English otherwise', '/p/nothing', {}, 'en'],
] as const)('a page speaks %s', async (_, path, headers, language) => {
  expect((await visit(path, headers)).language).toBe(language);
});

test.each([
  ['GET', '/pay/started/x', 404, 'cy'],
  ['GET', '/P/nothing/else', 404, 'cy'],
  ['GET', '/payment?paymentRequestId=x', 404, 'cy'],
  ['GET', '/pay/start', 405, 'cy'],
  ['GET', '/dashbord', 404, 'en'],
  ['GET', '/api/payments/process-payment', 405, 'en'],
] as const)(
  'a mistyped %s %s is a page in a browser: %s in %s',
  async (...[, path, status, lang]) => {
    const page = await visit(path, { ...welsh, accept: 'text/html,*/*;q=0.8' });
    expect([page.status, page.language]).toEqual([status, lang]);
    expect(page.text).toContain('<h1');
    const answer = await visit(path, { ...welsh, accept: 'application/json' });
    expect([answer.status, JSON.parse(answer.text).status]).toEqual([status, status]);
  },
);

test('remembers a chosen language for the visit, and nothing without a choice', async () => {
  const { cookies } = await visit('/pay?locale=cy', { 'accept-language': 'en' });
  expect(cookies).toEqual(['florin_language=cy; Path=/; HttpOnly; SameSite=Lax']);
  expect((await visit('/pay?locale=en', { 'accept-language': 'en' })).cookie).toEqual([]);
  expect((await visit('/pay?locale=en', welsh)).cookie).toEqual(['florin_language=en']);
  expect((await visit('/pay?locale=en', { cookie: 'florin_language="><b>' })).language).toBe('en');
});

test('by TLS takes its cookies from this host alone', async () => {
  const { app, close } = await openApi(sandbox.tools, sandbox.rails, 'https://pay.example');
  const visitBy = async (cookie: string) =>
    (await app.inject({ url: '/pay', headers: { cookie, 'accept-language': 'en' } })).body;
  const chosen = await app.inject({ url: '/pay?locale=cy' });
  expect(chosen.headers['set-cookie']).toBe(
    '__Host-florin_language=cy; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  expect(await visitBy('__Host-florin_language=cy')).toContain('<html lang="cy"');
  expect(await visitBy('florin_language=cy')).toContain('<html lang="en"');
  await close();
});

test.each([
  ['/pay?paymentRequestId=x', 404],
  ['/p/nothing', 404],
  ['/bank-return?state=abc&code=1', 400],
  ['/bank-return', 200],
])('%s offers every language, and is the same page in it', async (path, status) => {
  const { text } = await visit(path);
  const links = [...text.matchAll(/<a lang="(\w+)"[^>]* href="([^"]*)"/g)];
  expect(links).toHaveLength(16);
  const [, , address = ''] = links.find(([, locale]) => locale === 'ar') ?? [];
  const arabic = await visit(address.replaceAll('&amp;', '&'));
  expect(arabic).toMatchObject({ status, language: 'ar' });
  expect(arabic.text).toContain('dir="rtl"');
});

test('a link chooses a simulated outcome, if it exists', async () => {
  const { body } = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'c', orderId: 'o', amount: 5 },
  });
  const path = `/pay?paymentRequestId=${body.paymentRequestId}`;
  const chosen = await visit(`${path}&scenario=stuck`);
  const opened = `florin_opened=${body.paymentRequestId}`;
  expect(chosen.cookie).toEqual(['florin_scenario=stuck', opened]);
  expect(chosen.text).toMatch(/value="stuck" aria-current="true"/);
  const later = await visit(path, { cookie: 'florin_scenario=decline' });
  expect(later.text).toMatch(/value="decline" aria-current="true"/);
  const unknown = await visit(`${path}&scenario=%22%3E%3Cb%3E`);
  expect(unknown.cookie).toEqual([opened]);
  expect(unknown.text).toMatch(/value="approve" aria-current="true"/);
});
