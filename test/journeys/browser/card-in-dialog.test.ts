import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccessSecret } from '../../../service/src/modules/merchants/index.ts';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { longTest } from '../../harness/long-test.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

/** As published dialogs do it: the form's frame is moved into their shadow tree, events decide. */
const dialog = `
  window.heard = [];
  for (const name of ['onCheckoutPaymentSuccess', 'onCheckoutFailure', 'onCheckoutPaymentFailure',
    'onCheckoutPaymentPending'])
    addEventListener(name, ({ detail }) => heard.push([name, detail]));
  const post = async (path, body) => {
    const reply = await fetch(api + path, { method: 'POST', credentials: 'include',
      headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return reply.json();
  };
  window.openCard = (id) => show(id).catch((error) => ({ message: String(error) }));
  const show = async (id) => {
    const details = await post('/api/payments/get-payment-details?env=sandbox',
      { data: id, source: 'EXTERNAL_MERCHANT' });
    if (!details.options?.cardPaymentEnabled) return details;
    const started = await post('/api/payments/v1/secure-payment-auth', {
      merchantId: details.merchantId, employeeId: null, merchantName: details.merchantBusinessName,
      businessId: details.merchantId, consumerName: '', amount: details.amount,
      applicationUserId: crypto.randomUUID(), consumerId: crypto.randomUUID(),
      institutionId: 'rapyd', transactionType: 'CARD', features: ['CREATE_DOMESTIC_SINGLE_PAYMENT'],
      paymentRequest: { paymentType: details.paymentType }, contextType: details.contextType,
      paymentDevice: { platform: navigator.platform, osVersion: null, browser: 'Chrome' },
      deviceOrigin: 'SDK_DESKTOP', paymentSourceType: 3, merchantPaymentOptions: details.options,
      storeDetails: details.storeDetails,
      paymentRequestSource: { paymentRequestSourcetype: 3, paymentRequestId: id,
        expiresIn: String(details.expiresIn), splitBill: details.splitBill },
    });
    const staging = document.body.appendChild(document.createElement('div'));
    staging.id = 'rapyd-checkout';
    const host = document.body.appendChild(document.createElement('div'));
    const shown = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('div'));
    new MutationObserver((_, observer) => {
      observer.disconnect();
      shown.append(staging.querySelector('iframe'));
      staging.remove();
    }).observe(staging, { childList: true, subtree: true });
    window.form = new RapydCheckoutToolkit({ id: started.cardCheckoutId, amount: '12.50',
      currency: 'GBP', pay_button_text: 'Pay Now', wait_on_payment_redirect: true });
    form.displayCheckout();
    return { ...details, ...started };
  };
`;

type Opened = {
  readonly message?: string;
  readonly cardCheckoutId: string;
  readonly paymentIdempotencyId: string;
};
type Dialog = {
  readonly openCard: (id: string) => Promise<Opened>;
  readonly heard: readonly (readonly [string, object])[];
  readonly form: { readonly closeCheckout: () => void };
};

let sandbox: Sandbox;
let browser: Browser;
let shop: Server;
let shopOrigin = '';

beforeAll(async () => {
  [sandbox, browser] = await Promise.all([openSandbox(), openBrowser()]);
  shop = createServer((_, reply) => {
    const page = `<script src="${sandbox.url}/card-form.js"></script>
      <script>const api = ${JSON.stringify(sandbox.url)}; ${dialog}</script>`;
    reply.setHeader('content-type', 'text/html').end(`<!doctype html><title>Shop</title>${page}`);
  });
  await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening));
  // Another site than the server's, as a shop is: no cookie of ours comes along.
  shopOrigin = `http://localhost:${(shop.address() as AddressInfo).port}`;
  const listed = { name: 'web', webOrigins: [shopOrigin] };
  await createAccessSecret(sandbox.tools, sandbox.tenant, listed);
});
afterAll(async () => {
  await browser.close();
  shop.close();
  await sandbox.close();
});

const create = async (more: object = {}): Promise<string> => {
  const { status, body } = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'customer-1', orderId: 'order-7', amount: 12.5, expiresIn: 9e5, ...more },
  });
  expect(status).toBe(200);
  return body.paymentRequestId;
};

const openShop = async (): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${shopOrigin}/`);
  return page;
};

const openCard = async (page: Page, id: string) => {
  const opened = await page.evaluate(
    (named) => (globalThis as unknown as Dialog).openCard(named),
    id,
  );
  expect(opened.message).toBeUndefined();
  return { ...opened, fields: fieldsIn(page) };
};

const fieldsIn = (page: Page): FrameLocator =>
  page
    .frameLocator('iframe[title="Pay by card"]')
    .frameLocator('iframe[title="Secure card payment"]');

const typeCard = async (fields: FrameLocator, number: string): Promise<void> => {
  const typed = { number, expiry: '12/40', cvc: '123', name: 'Ada Payer' };
  for (const [name, value] of Object.entries(typed))
    await fields.locator(`#card-form [name=${name}]`).fill(value);
  await fields.locator('#pay-button').click();
};

const heardIn = (page: Page) => page.evaluate(() => (globalThis as unknown as Dialog).heard);
const hears = (page: Page, name: string) =>
  waitUntil(async () => {
    const heard = (await heardIn(page)).find(([each]) => each === name);
    return heard?.[1] ?? false;
  });

const challengeCard = '4000000000000127';

test('a shop of cards takes a card in its dialog, after a decline and a challenge', async () => {
  const page = await openShop();
  const id = await create({ paymentMethod: ['CARD'] });
  const { fields, paymentIdempotencyId } = await openCard(page, id);
  await typeCard(fields, '4000000000000002');
  await fields.locator('#problem').waitFor();
  expect(await heardIn(page)).toEqual([]);
  await typeCard(fields, challengeCard);
  await fields.locator('#approve-button').click();
  expect(await hears(page, 'onCheckoutPaymentSuccess')).toEqual({
    metadata: { paymentIdempotencyId },
  });
  const { body } = await sandbox.request('GET', `/api/sdk-payment/status/${paymentIdempotencyId}`, {
    secret: null,
  });
  expect(body).toMatchObject({ status: 'COMPLETED', paidAmount: 12.5 });
  expect(new URL(page.url()).pathname).toBe('/');
  await page.context().close();
});

longTest(
  'a customer saves a card in the dialog, and pays with it there the next time',
  async () => {
    const customer = { fullName: 'Ada Payer', email: 'dialog@example.com' };
    const atoaCustomerId = (await sandbox.request('POST', '/api/customers', { body: customer }))
      .body.id;
    const page = await openShop();
    const saving = { atoaCustomerId, savePaymentMethod: true, paymentMethod: ['CARD'] };
    const first = await openCard(page, await create(saving));
    await typeCard(first.fields, challengeCard);
    await first.fields.locator('#approve-button').click();
    await hears(page, 'onCheckoutPaymentSuccess');
    const { body: cards } = await sandbox.request('GET', `/api/customers/${atoaCustomerId}/cards`);
    expect(cards).toMatchObject([{ lastFourDigits: '0127' }]);

    await page.reload();
    const id = await create({ atoaCustomerId });
    const again = await openCard(page, id);
    await again.fields.getByText('ending in 0127').waitFor();
    await again.fields.locator('#pay-saved-button').click();
    await again.fields.locator('#approve-button').click();
    await hears(page, 'onCheckoutPaymentSuccess');
    const { body } = await sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
    expect(body).toMatchObject({
      status: 'COMPLETED',
      transactionDetails: [{ cardPaymentDetails: { cardType: 'VISA' } }],
    });
    await page.context().close();
  },
);

test('a dialog hears that its form has ended, or cannot be shown', async () => {
  const page = await openShop();
  const id = await create();
  await openCard(page, id);
  await page.locator('iframe[title="Pay by card"]').waitFor();
  await sandbox.request('POST', `/api/payment-request/cancel/${id}`);
  await hears(page, 'onCheckoutFailure');

  await page.reload();
  await page.route('**/fields.js', (route) => route.abort());
  await openCard(page, await create());
  await hears(page, 'onCheckoutFailure');
  await page.context().close();
});

test('only pages that the merchant lists may show the form', async () => {
  const page = await openShop();
  const { cardCheckoutId } = await openCard(page, await create());
  const answer = await fetch(`${sandbox.url}/card-checkout?checkoutId=${cardCheckoutId}`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`frame-ancestors ${shopOrigin};`);
  const own = await fetch(`${sandbox.url}/pay?paymentRequestId=${await create()}`);
  expect(own.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  await page.context().close();
});
