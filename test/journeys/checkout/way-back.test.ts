import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongRun } from '../../harness/is-long-run.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const shop = 'https://shop.example/back?basket=7';
const oldNames = ['signature', 'signatureHash', 'atoaSignature', 'atoaSignatureHash'];

const drive = (id: string, body: object = {}) =>
  journey.sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body });

const create = (more: object = {}) => journey.create({ redirectUrl: shop, ...more });

const pageOf = (id: string): string => `/pay?paymentRequestId=${id}`;

/** The way back that the page offers now to this browser. */
const wayBack = async (id: string, visit = journey.payer.visit): Promise<URL> => {
  const { text } = await visit(pageOf(id));
  const address = /href="(https:\/\/shop\.example[^"]*)"/.exec(text)?.[1] ?? '';
  return new URL(address.replaceAll('&amp;', '&'));
};

test('no address in a link leads a payer elsewhere', async () => {
  const id = await create();
  await drive(id);
  for (const name of ['redirectUrl', 'redirect_uri', 'returnUrl', 'next', 'url']) {
    const seen = await journey.payer.visit(`${pageOf(id)}&${name}=https://other.example/`);
    expect(seen.text).toContain('https://shop.example');
    expect(JSON.stringify(seen)).not.toContain('other.example');
  }
});

const states: Record<string, (id: string) => Promise<unknown>> = {
  'before a start': async () => undefined,
  'at the bank': (id) => journey.payer.start(id),
  'declined by the payer': (id) => drive(id, { outcome: 'CANCELLED' }),
  'at the bank without an outcome': (id) => drive(id, { outcome: 'PENDING' }),
  failed: (id) => drive(id, { outcome: 'FAILED' }),
  expired: (id) => journey.advance(3_700_000).then(() => journey.becomes(id, 'EXPIRED')),
  cancelled: (id) => journey.sandbox.request('POST', `/api/payment-request/cancel/${id}`),
  paid: (id) => drive(id),
};

const oneOfEach = [
  ['declined by the payer', 'CANCELLED'],
  ['at the bank', 'PENDING'],
  ['failed', 'FAILED'],
  ['expired', 'EXPIRED'],
  ['paid', 'COMPLETED'],
] as const;
const others = [
  ['before a start', 'CANCELLED'],
  ['at the bank without an outcome', 'PENDING'],
  ['cancelled', 'CANCELLED'],
] as const;
test.each(isLongRun ? [...oneOfEach, ...others] : oneOfEach)(
  '%s: the way back says %s',
  async (state, status) => {
    const id = await create({ callbackParams: { cart: 'c-1', signature: 'made up', amount: 1 } });
    const visit = journey.payer.openBrowser();
    await visit(pageOf(id));
    await states[state]?.(id);
    const { searchParams } = await wayBack(id, visit);
    expect(searchParams.get('status')).toBe(status);
    expect(searchParams.get('cart')).toBe('c-1');
    expect(searchParams.get('amount')).toBeNull();
    const added = oldNames.filter((name) => searchParams.has(name));
    expect(added).toEqual(oldNames);
    expect(searchParams.get('florinSignature')).toMatch(/^[0-9a-f]{64}$/);
  },
);

test('a merchant whose plug-in insists has the old signatures over ids alone', async () => {
  const set = (signsEveryReturn: boolean) =>
    journey.sandbox.request('POST', '/api/sandbox/switches', { body: { signsEveryReturn } });
  const id = await create();
  await drive(id, { outcome: 'FAILED' });
  const hash = async () => (await wayBack(id)).searchParams.get('signatureHash');
  const overIds = createHmac('sha256', journey.sandbox.secret).update(`o|${id}`).digest('hex');
  expect(await hash()).not.toBe(overIds);
  expect((await set(true)).body).toMatchObject({ signsEveryReturn: true });
  expect(await hash()).toBe(overIds);
  await set(false);
});

type Verify = (address: string, accessSecret: string) => boolean;

/** The example of the guide, as a reader would copy it. */
const readExample = async (): Promise<Verify> => {
  const guide = new URL('../../../docs/guides/way-back.md', import.meta.url);
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(await readFile(guide, 'utf8')) ?? [];
  const module = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
  );
  return module.isSignedByFlorin;
};

test('the example of the guide accepts what we signed, and nothing that was changed', async () => {
  const isSignedByFlorin = await readExample();
  const { secret } = journey.sandbox;
  const id = await create({ orderId: 'order|7' });
  await drive(id, { outcome: 'FAILED' });
  const address = await wayBack(id);
  expect(isSignedByFlorin(address.href, secret)).toBe(true);
  expect(isSignedByFlorin(address.href, 'another secret')).toBe(false);
  for (const [name, value] of [
    ['status', 'COMPLETED'],
    ['florinAmount', '0.01'],
    ['florinTime', '2026-01-01T00:00:00.000Z'],
    ['orderId', 'order-8'],
    ['paymentRequestId', '00000000-0000-4000-8000-000000000000'],
    ['paymentIdempotencyId', 'ATOA1'],
    ['florinSignature', ''],
  ] as const) {
    const changed = new URL(address);
    changed.searchParams.set(name, value);
    expect(isSignedByFlorin(changed.href, secret), name).toBe(false);
  }
  expect(address.searchParams.get('florinAmount')).toBe('12.50');
  const before = await wayBack(await create());
  expect(before.searchParams.get('florinAmount')).toBe('0.00');
  expect(isSignedByFlorin(before.href, secret)).toBe(true);
});

test('a paid page leads back by itself once: opened again it stays', async () => {
  const visit = journey.payer.openBrowser();
  const id = await create();
  await visit(pageOf(id));
  await drive(id);
  const first = (await visit(pageOf(id))).text;
  expect(first).toContain('data-return-in="20"');
  expect(first).toContain('http-equiv="refresh" content="20;');
  const again = (await visit(pageOf(id))).text;
  expect(again).toContain('Payment complete');
  expect(again).toContain('href="https://shop.example');
  expect(again).not.toMatch(/data-return-in|http-equiv="refresh"/);
});

test('a browser that the bank sends to another one is known there by its payment', async () => {
  const id = await create();
  const back = await journey.payer.pay(id);
  await journey.becomes(id, 'COMPLETED .*');
  const elsewhere = journey.payer.openBrowser();
  expect((await elsewhere(back?.location ?? '')).text).toContain('data-return-in="20"');
  expect((await elsewhere(pageOf(id))).text).toContain('Payment complete');
});

test('who opens a paid link elsewhere reads that it is paid, and nothing of the payer', async () => {
  const id = await create({ notes: 'For Ana' });
  const back = await journey.payer.pay(id);
  await journey.becomes(id, 'COMPLETED .*');
  const payment = new URL(back?.location ?? '', 'http://own.example').searchParams.get('payment');
  expect((await journey.payer.visit(back?.location ?? '')).text).toContain('Paid with');
  const stranger = journey.payer.openBrowser();
  for (const _ of ['at first', 'again']) {
    const { text } = await stranger(pageOf(id));
    expect(text).toContain('This is already paid');
    expect(text).toContain('£12.50');
    for (const hidden of ['You paid', 'Paid with', 'For Ana', 'shop.example', payment ?? 'ATOA'])
      expect(text).not.toContain(hidden);
    expect(text).not.toContain('type="email"');
  }
});
