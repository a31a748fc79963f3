import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Bundle } from '@florin/dashboard/bundle.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Visitor } from '#modules/people/index.ts';
import { randomIds } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openHttpServer } from '#platform/http/open-http-server.ts';
import { silentLog } from '#platform/log.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { openBundle } from './open-bundle.ts';

const firstLoadKilobytesMax = 250;
const homeScriptKilobytesMax = 200;
const signInBytesMax = 10_000;

let bundle: Bundle;
let app: FastifyInstance;

beforeAll(async () => {
  bundle = await openBundle();
  app = serve(async () => bundle);
});

afterAll(() => app.close());

const serve = (open: () => Promise<Bundle>): FastifyInstance => {
  const server = openHttpServer({ ids: randomIds(), log: silentLog, config: readConfig({}) });
  const visitor = async (cookies = ''): Promise<Visitor> => {
    if (cookies.includes('down')) throw new Error('the database is lost');
    return cookies.includes('ended') ? 'ENDED' : visits(cookies);
  };
  const publicUrl = 'https://pay.florin.test/';
  dashboardRoutes(server, { openBundle: open, visitor, publicUrl, log: silentLog });
  return server;
};

const visits = (cookies: string): Visitor => (cookies === '' ? 'NOBODY' : 'SIGNED_IN');
const signedIn = { cookie: 'florin_session=x' };

const nonceOf = (policy: unknown): string => /'nonce-([^']+)'/.exec(String(policy))?.[1] ?? '';

test.each(['/dashboard', '/dashboard/', '/dashboard/m/sandbox/payments/p'])(
  '%s is the page, never stored, with a nonce of this reply (DASHBOARD-1)',
  async (url) => {
    const [one, other] = [
      await app.inject({ url, headers: signedIn }),
      await app.inject({ url, headers: signedIn }),
    ];
    expect(one.statusCode).toBe(200);
    expect(one.headers['cache-control']).toBe('no-store');
    const nonce = nonceOf(one.headers['content-security-policy']);
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    expect(one.body).toContain(`nonce="${nonce}"`);
    expect(one.body).not.toContain(bundle.nonceMark);
    expect(nonceOf(other.headers['content-security-policy'])).not.toBe(nonce);
  },
);

test('the policy permits our own files only, and the page holds no script or style', async () => {
  const { headers, body } = await app.inject({ url: '/dashboard', headers: signedIn });
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/);
  // Codes to scan stand on the host of payers.
  const pictures = "img-src 'self' data: https://pay.florin.test;";
  expect(policy).toContain(pictures);
  expect(policy.replace(pictures, '')).not.toMatch(/unsafe|https?:|\*/);
  // Until the script is there it says what it does, and later how to go on.
  expect(body).toContain('Opening Florin…');
  expect(body).toContain('<a href="/dashboard">Try again</a>');
  expect(body).not.toMatch(/<script(?![^>]* src="\/dashboard\/assets\/)|<style|\son\w+=|https?:/);
});

test.each([
  ['br', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['identity', undefined, (body: Buffer) => body],
] as const)('an asset is immutable and whole as %s', async (accepted, encoding, unpack) => {
  for (const [name, { plain }] of bundle.assets) {
    const url = `/dashboard/assets/${name}`;
    const reply = await app.inject({ url, headers: { 'accept-encoding': accepted } });
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(reply.headers['content-type']).toMatch(
      /^text\/(javascript|css); charset=utf-8$|^font\/woff2$/,
    );
    expect(unpack(reply.rawPayload).equals(plain), name).toBe(true);
    const held = { 'accept-encoding': accepted, 'if-none-match': String(reply.headers.etag) };
    expect(await app.inject({ url, headers: held })).toMatchObject({ statusCode: 304, body: '' });
  }
});

test.each([
  '/dashboard/assets/index.js',
  '/dashboard/assets/..%2Fbundle.json',
  '/dashboard/api/nothing',
  '/dashboard/auth/nothing',
])('%s is not a page', async (url) => {
  const reply = await app.inject(url);
  expect([reply.statusCode, reply.json().name]).toEqual([404, 'NOT_FOUND']);
});

const kilobytesOf = (files: readonly string[]): number =>
  files.reduce((sum, name) => sum + (bundle.assets.get(name)?.gzip.length ?? Number.NaN), 0) / 1000;

test('a first visit to any page loads at most 250 KB compressed, and home 200 KB of script', () => {
  const sizes = Object.entries(bundle.firstLoads).map(([page, files]) => ({
    ...{ page, kilobytes: kilobytesOf(files) },
  }));
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.filter(({ kilobytes }) => !(kilobytes <= firstLoadKilobytesMax))).toEqual([]);
  const scripts = bundle.firstLoads['home-page']?.filter((name) => name.endsWith('.js')) ?? [];
  expect(kilobytesOf(scripts)).toBeLessThanOrEqual(homeScriptKilobytesMax);
});

test('the sign-in is a page of its own, a tenth of the application', async () => {
  const { body, headers } = await app.inject('/dashboard/sign-in?next=%2Fm%2Fsandbox%2Fhome');
  expect(body).toContain('Sign in, and you come to the page that you opened.');
  expect(body).toContain(`<style nonce="${nonceOf(headers['content-security-policy'])}">`);
  const [script = ''] = /(?<=\/dashboard\/assets\/)[^"]+\.js/.exec(body) ?? [];
  expect(bundle.firstLoads['sign-in-page']).toEqual([
    script,
    expect.stringMatching(/^figtree-.+\.woff2$/),
  ]);
  expect(body).toContain(`url("/dashboard/assets/${bundle.firstLoads['sign-in-page']?.[1]}")`);
  expect(bundle.assets.get(script)?.gzip.length).toBeLessThan(signInBytesMax);
  expect((await app.inject('/dashboard/sign-in?ended=1')).body).toContain(
    'Your session has ended.',
  );
});

test.each([
  ['/dashboard/m/sandbox/payments?a=b', '', 'next=%2Fm%2Fsandbox%2Fpayments%3Fa%3Db'],
  ['/dashboard', '', 'next=%2F'],
  ['/dashboard/account', 'ended', 'ended=1&next=%2Faccount'],
  ['/dashboard/account', 'down', null],
  ['/dashboard/sign-up', '', null],
  ['/dashboard/invites/x', '', null],
])('%s leads who is signed in nowhere (%s) to the sign-in: %s', async (url, cookie, query) => {
  const { statusCode, headers } = await app.inject({ url, headers: { cookie } });
  expect([statusCode, headers.location]).toEqual(
    query === null ? [200, undefined] : [302, `/dashboard/sign-in?${query}`],
  );
});

test('while it is built its pages say so, and open it when it is ready', async () => {
  let finish = (_: Bundle): void => undefined;
  const built = new Promise<Bundle>((resolve) => {
    finish = resolve;
  });
  const server = serve(() => built);
  const waiting = await server.inject('/dashboard/sign-in');
  expect(waiting.statusCode).toBe(503);
  expect(waiting.body).toContain('<meta http-equiv="refresh" content="1">');
  finish(bundle);
  expect((await server.inject('/dashboard/sign-in')).statusCode).toBe(200);
  await server.close();
});

test('where it cannot be built, its pages say so and nothing else fails', async () => {
  const broken = serve(async () => {
    throw new Error('Unexpected token in home-page.tsx');
  });
  const page = await broken.inject('/dashboard/sign-in');
  expect([page.statusCode, page.headers['cache-control']]).toEqual([503, 'no-store']);
  expect(page.body).toContain('It could not be built; the log says why.');
  expect(page.body).not.toContain('home-page.tsx');
  expect((await broken.inject('/dashboard/assets/index.js')).statusCode).toBe(404);
  await broken.close();
});
