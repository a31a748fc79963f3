import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let sandbox: Sandbox;
let browser: Browser;

beforeAll(async () => {
  [sandbox, browser] = await Promise.all([openSandbox(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

const paysAtOnce = '4242424242424242';
const challengeCard = '4000000000000127';
const declined = '4000000000000002';

const create = async (more: object = {}) => {
  const { status, body } = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'customer-1', orderId: 'order-7', amount: 12.5, expiresIn: 9e5, ...more },
  });
  expect(status).toBe(200);
  return body as { readonly paymentUrl: string; readonly paymentRequestId: string };
};

const statusOf = async (id: string) =>
  (await sandbox.request('GET', `/api/payments/v1/payment-status/${id}`)).body;

const openPage = async (url: string, javaScriptEnabled = true): Promise<Page> => {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(url);
  return page;
};

const chooseCard = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Pay by card' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Pay by card' }).waitFor();
};

const goToProcessor = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /card page/i }).click();
  await page.locator('#card-form').waitFor();
};

/** Where only a card is offered, a page with a script goes there by itself. */
const arriveAtProcessor = (page: Page): Promise<void> => page.locator('#card-form').waitFor();

const typeCard = async (page: Page, cardNumber: string): Promise<void> => {
  await page.locator('#card-form [name=number]').fill(cardNumber);
  await page.locator('#card-form [name=expiry]').fill('12/40');
  await page.locator('#card-form [name=cvc]').fill('123');
  await page.locator('#card-form [name=name]').fill('Ada Payer');
  await page.locator('#pay-button').click();
};

const paid = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Payment complete' }).waitFor();

// Saved cards and declined cards are paid with a script, below.
for (const javaScriptEnabled of isLongRun ? [true, false] : [false])
  describe(`a customer pays by card, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    test('without a challenge', async () => {
      const { paymentUrl, paymentRequestId } = await create();
      const page = await openPage(paymentUrl, javaScriptEnabled);
      await chooseCard(page);
      await goToProcessor(page);
      await typeCard(page, paysAtOnce);
      await paid(page);
      expect(await page.locator('main').textContent()).toMatch(/Visa.{1,20}4242/);
      const status = await statusOf(paymentRequestId);
      expect(status).toMatchObject({ status: 'COMPLETED', paidAmount: 12.5 });
      await page.context().close();
    });

    test('with a challenge, approved', async () => {
      const { paymentUrl, paymentRequestId } = await create({ paymentMethod: ['CARD'] });
      const page = await openPage(paymentUrl, javaScriptEnabled);
      await (javaScriptEnabled ? arriveAtProcessor(page) : goToProcessor(page));
      await typeCard(page, challengeCard);
      await page.locator('#approve-button').click();
      await paid(page);
      expect((await statusOf(paymentRequestId)).status).toBe('COMPLETED');
      await page.context().close();
    });
  });

test('a customer pays with the wallet of the card page by one press', async () => {
  const { paymentUrl, paymentRequestId } = await create();
  const page = await openPage(paymentUrl);
  await chooseCard(page);
  // The first page lets the processor be asked, and does not wait for its answer.
  await waitUntil(async () => {
    await page.reload();
    return (await page.locator('main').textContent())?.includes('device has it: Test wallet');
  });
  await goToProcessor(page);
  await page.getByRole('button', { name: 'Test wallet' }).click();
  await paid(page);
  const { status, transactionDetails } = await statusOf(paymentRequestId);
  expect([status, transactionDetails.length]).toEqual(['COMPLETED', 1]);
  expect(transactionDetails[0].cardPaymentDetails).toMatchObject({ cardType: 'VISA' });
  await page.context().close();
});

const newCustomer = async (email: string): Promise<string> => {
  const { status, body } = await sandbox.request('POST', '/api/customers', {
    body: { fullName: 'Ada Payer', email },
  });
  expect(status).toBe(200);
  return body.id;
};

describe('a customer and their saved card', () => {
  test('saves the card after the challenge, then pays with one click and a challenge', async () => {
    const atoaCustomerId = await newCustomer('saves@example.com');
    const saving = await create({
      atoaCustomerId,
      savePaymentMethod: true,
      paymentMethod: ['CARD'],
    });
    const page = await openPage(saving.paymentUrl);
    await page
      .getByText(/saved with Corner Coffee|save/i)
      .first()
      .waitFor();
    await goToProcessor(page);
    await typeCard(page, challengeCard);
    await page.locator('#approve-button').click();
    await paid(page);
    const cards = await sandbox.request('GET', `/api/customers/${atoaCustomerId}/cards`);
    expect(cards.body).toMatchObject([
      { lastFourDigits: '0127', brand: 'VISA', expiryDate: '12/2040', name: 'Ada Payer' },
    ]);

    const again = await create({ atoaCustomerId });
    await page.goto(again.paymentUrl);
    await page.getByRole('button', { name: /0127/ }).click();
    await page.locator('#approve-button').click();
    await paid(page);
    const { transactionDetails } = await statusOf(again.paymentRequestId);
    expect(transactionDetails[0].cardPaymentDetails.paymentMethodId).toBe(cards.body[0].id);
    await page.context().close();
  });

  test('completes the payment but does not save a card without authentication', async () => {
    const atoaCustomerId = await newCustomer('unsaved@example.com');
    const { paymentUrl, paymentRequestId } = await create({
      atoaCustomerId,
      savePaymentMethod: true,
      paymentMethod: ['CARD'],
    });
    const page = await openPage(paymentUrl);
    await goToProcessor(page);
    await typeCard(page, paysAtOnce);
    await paid(page);
    expect((await statusOf(paymentRequestId)).status).toBe('COMPLETED');
    const cards = await sandbox.request('GET', `/api/customers/${atoaCustomerId}/cards`);
    expect(cards.body).toEqual([]);
    await page.context().close();
  });
});

describe('a customer whose card does not pay', () => {
  test('is declined at the processor, then pays by bank', async () => {
    const { paymentUrl, paymentRequestId } = await create();
    const page = await openPage(paymentUrl);
    await chooseCard(page);
    await goToProcessor(page);
    await typeCard(page, declined);
    await page
      .getByText(/declined/i)
      .first()
      .waitFor();
    await page.goto(paymentUrl);
    await page.getByRole('button', { name: /another way/i }).click();
    await page.getByText('Mock Sandbox Bank').first().click();
    await page.getByRole('button', { name: /continue/i }).click();
    await page.locator('form[data-step="login"] [name="username"]').fill('approve');
    await page.locator('form[data-step="login"] button').first().click();
    await page.locator('form[data-step="approve"] button[value="approve"]').click();
    await paid(page);
    const { status, transactionDetails } = await statusOf(paymentRequestId);
    expect(status).toBe('COMPLETED');
    expect(transactionDetails).toHaveLength(1);
    expect(transactionDetails[0].institutionId).toBe('mock-sandbox-v1');
    await page.context().close();
  });

  test('goes back from the card page to the choice, and the page there is closed', async () => {
    const { paymentUrl, paymentRequestId } = await create();
    const page = await openPage(paymentUrl);
    await chooseCard(page);
    await goToProcessor(page);
    const left = page.url();
    await page.locator('#cancel-link').click();
    await page.getByRole('heading', { level: 1, name: 'Choose your bank' }).waitFor();
    expect((await statusOf(paymentRequestId)).status).not.toBe('COMPLETED');
    await page.goto(left);
    expect(await page.locator('#pay-button').count()).toBe(0);
    await page.context().close();
  });

  test('leaves the challenge and comes back to the same page, then pays once', async () => {
    const { paymentUrl, paymentRequestId } = await create({ paymentMethod: ['CARD'] });
    const page = await openPage(paymentUrl);
    await arriveAtProcessor(page);
    await typeCard(page, challengeCard);
    await page.locator('#approve-button').waitFor();
    await page.goto(paymentUrl);
    await page.getByRole('button', { name: /card page/i }).click();
    await page.locator('#approve-button, #card-form').first().waitFor();
    if (await page.locator('#card-form').isVisible()) await typeCard(page, challengeCard);
    await page.locator('#approve-button').click();
    await paid(page);
    expect((await statusOf(paymentRequestId)).status).toBe('COMPLETED');
    await page.context().close();
  });

  test('pays once when returning twice, or never', async () => {
    const twice = await create({ paymentMethod: ['CARD'] });
    const page = await openPage(twice.paymentUrl);
    await arriveAtProcessor(page);
    await typeCard(page, paysAtOnce);
    await paid(page);
    await page.goBack();
    await page.goForward();
    await paid(page);

    const never = await create({ paymentMethod: ['CARD'] });
    const lost = await openPage(never.paymentUrl);
    await arriveAtProcessor(lost);
    await lost.route('**/card-return**', (route) => route.abort());
    await typeCard(lost, paysAtOnce);
    await waitUntil(async () => (await statusOf(never.paymentRequestId)).status === 'COMPLETED');
    await lost.context().close();
    await page.goto(never.paymentUrl);
    await page.getByRole('heading', { level: 1, name: 'This is already paid' }).waitFor();
    await page.context().close();
  });
});
