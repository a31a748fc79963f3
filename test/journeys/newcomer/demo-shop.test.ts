import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop } from '../../../demo-shop/open-shop.ts';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
let browser: Browser;
let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  [journey, browser] = await Promise.all([openJourney(), openBrowser()]);
  const { url, secret } = journey.sandbox;
  shop = await openShop({ url, secret }, 0);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await journey.close();
});

const buy = async () => {
  const page = await browser.newPage();
  await page.goto(shop.url);
  await page.getByLabel('Flat white').fill('2');
  await page.getByLabel('Cinnamon bun').fill('1');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(/paymentRequestId=/);
  const id = new URL(page.url()).searchParams.get('paymentRequestId') ?? '';
  const { body } = await journey.sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
  return { page, id, orderId: String(body.orderId) };
};

test('a till is paid at the bank, and believes the webhook', async () => {
  const { page, id, orderId } = await buy();
  const order = await browser.newPage();
  await order.goto(`${shop.url}/orders/${orderId}`);
  await order.getByText('Waiting for your payment').waitFor();
  await journey.payer.pay(id, 'approve');
  await journey.becomes(id, 'COMPLETED.*');
  await order.getByRole('heading', { name: 'Paid, thank you' }).waitFor();
  await order.getByText('2 × Flat white, 1 × Cinnamon bun. £11.05').waitFor();
  expect(await order.getByText('signature verified').count()).toBeGreaterThan(0);
  await Promise.all([page.close(), order.close()]);
});

test('a forged webhook changes nothing', async () => {
  const { page, orderId } = await buy();
  const forged = await fetch(`${shop.url}/webhook`, {
    method: 'POST',
    headers: { 'x-service-signature': `v1=${'0'.repeat(64)}`, 'x-service-sequence': '9' },
    body: JSON.stringify({ orderId, status: 'COMPLETED' }),
  });
  expect(forged.status).toBe(401);
  const shown = await (await fetch(`${shop.url}/orders/${orderId}`)).text();
  expect(shown).toContain('Waiting for your payment');
  await page.close();
});

longTest('a declined payment is shown as such', async () => {
  const { page, id, orderId } = await buy();
  await journey.payer.pay(id, 'insufficient-funds');
  await journey.becomes(id, 'FAILED.*');
  await page.goto(`${shop.url}/orders/${orderId}`);
  await page.getByRole('heading', { name: 'Not paid' }).waitFor();
  await page.close();
});
