import { createHmac } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { longTest } from '../../harness/long-test.ts';
import { openReceiver } from '../../harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let sandbox: Sandbox;
let browser: Browser;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  [sandbox, browser, receiver] = await Promise.all([openSandbox(), openBrowser(), openReceiver()]);
  const registered = await sandbox.request('POST', '/api/webhook/merchant', {
    body: { url: receiver.url, event: 'PAYMENTS_STATUS' },
  });
  expect(registered.status).toBe(200);
});

afterAll(async () => {
  await browser.close();
  await receiver.close();
  await sandbox.close();
});

const shop = 'https://shop.example/thanks?order=7';

const create = async (more: object = {}) => {
  const { body } = await sandbox.request('POST', '/api/payments/process-payment', {
    body: {
      customerId: 'customer-1',
      orderId: 'order-7',
      amount: 12.5,
      redirectUrl: shop,
      callbackParams: { basket: 'b-1', status: 'HACKED' },
      ...more,
    },
  });
  return body as { readonly paymentUrl: string; readonly paymentRequestId: string };
};

const payAtBank = async (page: Page, login: string): Promise<void> => {
  await page.locator('.bank a', { hasText: 'Mock' }).first().click();
  await page.getByRole('button', { name: /continue/i }).click();
  await page.locator('form[data-step="login"] [name="username"]').fill(login);
  await page.locator('form[data-step="login"] button').first().click();
};

const approve = (page: Page) =>
  page.locator('form[data-step="approve"] button[value="approve"]').click();

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');

/** A bank of the hybrid flow answers in the fragment, which only a script of ours can read. */
const visitHybridBank = async (javaScriptEnabled: boolean) => {
  const { paymentUrl, paymentRequestId } = await create();
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  const blocked: string[] = [];
  page.on('console', (line) => {
    if (/content security policy/i.test(line.text())) blocked.push(line.text());
  });
  await page.goto(`${paymentUrl}&institutionId=larkrise-sandbox`);
  await page.getByRole('button', { name: /continue/i }).click();
  await page.locator('form[data-step="login"] [name="username"]').fill('approve');
  await page.locator('form[data-step="login"] button').first().click();
  await approve(page);
  return { context, page, blocked, paymentRequestId };
};

describe('a bank that answers in the fragment', () => {
  test('is read by the page, which posts the answer and hides it', async () => {
    const { context, page, blocked, paymentRequestId } = await visitHybridBank(true);
    await page.getByRole('heading', { level: 1, name: 'Payment complete' }).waitFor();
    expect(page.url()).not.toMatch(/id_token|code=|#/);
    expect(blocked).toEqual([]);
    const path = `/api/payments/v1/payment-status/${paymentRequestId}`;
    expect((await sandbox.request('GET', path)).body.status).toBe('COMPLETED');
    await context.close();
  });

  test('cannot be read without a script: no money moves, and another bank is offered', async () => {
    const { context, page, paymentRequestId } = await visitHybridBank(false);
    const title = 'Your bank’s answer could not be read';
    await page.waitForURL(/\/bank-return/);
    // What stands in noscript has no role: it is read as text.
    expect(await page.locator('h1').textContent()).toContain(title);
    expect(await page.locator('main').textContent()).toContain('No money has left your account.');
    const link = await page.locator('main a[href*="/pay"]').first().getAttribute('href');
    expect(link).toContain(paymentRequestId);
    const path = `/api/payments/v1/payment-status/${paymentRequestId}`;
    expect((await sandbox.request('GET', path)).body.status).not.toBe('COMPLETED');
    await context.close();
  });
});

for (const javaScriptEnabled of [true, false])
  describe(`a customer pays in a browser, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    (javaScriptEnabled ? test : longTest)(
      'pays from the link, with webhook, status and return to the shop',
      async () => {
        const { paymentUrl, paymentRequestId } = await create();
        const context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(paymentUrl);
        await payAtBank(page, 'approve');
        await approve(page);
        await page.waitForURL(/\/pay\?/);
        await page.getByRole('heading', { level: 1, name: 'Payment complete' }).waitFor();

        const completed = await waitUntil(async () =>
          receiver.received.find(
            ({ json }) => json.paymentRequestId === paymentRequestId && json.status === 'COMPLETED',
          ),
        );
        expect(completed.json.signatureHash).toBe(
          hmac(sandbox.secret, `order-7|${paymentRequestId}`),
        );
        const { paymentIdempotencyId } = completed.json;
        expect(completed.json.signature).toBe(
          hmac(sandbox.secret, `order-7|${paymentIdempotencyId}`),
        );
        expect(completed.json).toMatchObject({ paidAmount: '12.5', currency: 'GBP' });

        const status = await sandbox.request(
          'GET',
          `/api/payments/v1/payment-status/${paymentRequestId}`,
        );
        expect(status.body).toMatchObject({ status: 'COMPLETED', paidAmount: 12.5 });

        const back = new URL(
          (await page.locator('a[href^="https://shop.example"]').first().getAttribute('href')) ??
            '',
        );
        expect(Object.fromEntries(back.searchParams)).toMatchObject({
          order: '7',
          basket: 'b-1',
          orderId: 'order-7',
          paymentRequestId,
          paymentIdempotencyId,
          status: 'COMPLETED',
          signatureHash: completed.json.signatureHash,
          atoaSignatureHash: completed.json.signatureHash,
          signature: completed.json.signature,
          atoaSignature: completed.json.signature,
        });
        await context.close();
      },
    );

    (javaScriptEnabled ? longTest : test)(
      'offers another try after declining at the bank',
      async () => {
        const { paymentUrl, paymentRequestId } = await create();
        const context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(paymentUrl);
        await payAtBank(page, 'decline');
        await page.waitForURL(/\/pay\?/);
        await page
          .getByText(/no money/i)
          .first()
          .waitFor();
        const status = await sandbox.request(
          'GET',
          `/api/payments/v1/payment-status/${paymentRequestId}`,
        );
        expect(status.body.status).toBe('PAYMENT_NOT_INITIATED');
        await context.close();
      },
    );
  });
