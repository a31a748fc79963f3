import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { fieldsOf, paid } from './card-steps.ts';

let sandbox: Sandbox;
let browser: Browser;

beforeAll(async () => {
  [sandbox, browser] = await Promise.all([openSandbox(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

const topOf = async (button: Locator) => (await button.boundingBox())?.y;

test('a customer pays with a wallet that the first page offers', async () => {
  const asked = { customerId: 'customer-1', orderId: 'order-7', amount: 12.5, expiresIn: 9e5 };
  const created = await sandbox.request('POST', '/api/payments/process-payment', { body: asked });
  const { paymentUrl, paymentRequestId } = created.body;
  const page = await browser.newPage();
  await page.goto(paymentUrl);
  const wallet = page.getByRole('button', { name: 'Test wallet' });
  // The first page lets the processor be asked, and does not wait for its answer.
  await waitUntil(async () => {
    await page.reload();
    return (await wallet.count()) > 0;
  });
  // Right below the choice of a way, where it is the first of the processor's fields by card.
  const ways = page.locator('.ways');
  const places = [await topOf(ways), await topOf(wallet)];
  await wallet.click();
  const again = (await fieldsOf(page)).getByRole('button', { name: 'Test wallet' });
  expect(await topOf(again)).toBe(places[1]);
  expect(await topOf(ways)).toBe(places[0]);
  await again.click();
  await paid(page);
  const path = `/api/payments/v1/payment-status/${paymentRequestId}`;
  const { status, transactionDetails } = (await sandbox.request('GET', path)).body;
  expect([status, transactionDetails.length]).toEqual(['COMPLETED', 1]);
  expect(transactionDetails[0].cardPaymentDetails).toMatchObject({ cardType: 'VISA' });
  await page.close();
});
