import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { chooseCard, fieldsOf, goToCard, paid, typeCard } from './card-steps.ts';

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

const openCard = async (url: string, hasScript = true) => {
  const page = await openPage(url, hasScript);
  await chooseCard(page);
  return { page, card: await goToCard(page, hasScript) };
};

/** The card's bank asks in a frame; the address stays ours. */
const askedInPage = async (page: Page): Promise<FrameLocator> => {
  const asked = page.frameLocator('iframe[name="challenge"]');
  await asked.locator('#approve-button').waitFor();
  expect(new URL(page.url()).origin).toBe(sandbox.url);
  return asked;
};

for (const javaScriptEnabled of [true, false])
  describe(`a customer pays by card, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    (javaScriptEnabled ? test : longTest)('without a challenge', async () => {
      const { paymentUrl, paymentRequestId } = await create();
      const { page, card } = await openCard(paymentUrl, javaScriptEnabled);
      await typeCard(card, paysAtOnce);
      await paid(page);
      expect(await page.locator('main').textContent()).toMatch(/Visa.{1,20}4242/);
      expect((await statusOf(paymentRequestId)).paidAmount).toBe(12.5);
      await page.context().close();
    });
    (javaScriptEnabled ? longTest : test)('with a challenge, approved', async () => {
      const { paymentUrl, paymentRequestId } = await create({ paymentMethod: ['CARD'] });
      const page = await openPage(paymentUrl, javaScriptEnabled);
      const card = await (javaScriptEnabled ? fieldsOf(page) : goToCard(page, false));
      await typeCard(card, challengeCard);
      await card.locator('#approve-button').click();
      await paid(page);
      expect((await statusOf(paymentRequestId)).status).toBe('COMPLETED');
      await page.context().close();
    });
  });

test('only the page with the fields names the processor, and loads from it', async () => {
  const { paymentUrl } = await create();
  const page = await browser.newPage({ colorScheme: 'dark' });
  const foreign: string[] = [];
  const policies: string[] = [];
  page.on('response', (answer) => {
    const url = answer.url();
    if (url.startsWith('http') && !url.startsWith(sandbox.url)) foreign.push(url);
    if (url.startsWith(`${sandbox.url}/pay?`) && answer.status() === 200)
      policies.push(answer.headers()['content-security-policy'] ?? '');
  });
  await page.goto(paymentUrl);
  expect(foreign).toEqual([]);
  await chooseCard(page);
  await goToCard(page);
  const ground = 'getComputedStyle(document.querySelector("#pay-button")).backgroundColor';
  expect(await page.frames().at(-1)?.evaluate(ground)).toBe('rgb(157, 178, 255)');
  const withFields = policies.pop();
  expect(policies.filter((policy) => policy.includes('frame-src'))).toEqual([]);
  const origin = new URL(foreign[0] ?? '').origin;
  expect(withFields).toContain(`script-src 'self' ${origin};`);
  expect(withFields).toContain(`frame-src ${origin};`);
  expect(foreign.every((url) => url.startsWith(origin))).toBe(true);
  await page.context().close();
});

const newCustomer = async (email: string): Promise<string> => {
  const body = { fullName: 'Ada Payer', email };
  const customer = await sandbox.request('POST', '/api/customers', { body });
  expect(customer.status).toBe(200);
  return customer.body.id;
};

describe('a customer and their saved card', () => {
  test('saves the card after the challenge, then pays with one click and a challenge', async () => {
    const atoaCustomerId = await newCustomer('saves@example.com');
    const byCard = { savePaymentMethod: true, paymentMethod: ['CARD'] };
    const saving = await create({ atoaCustomerId, ...byCard });
    const page = await openPage(saving.paymentUrl);
    const fields = await goToCard(page);
    expect(await page.locator('main').textContent()).toContain('Your card will be saved');
    expect(await fields.locator('#consent').count()).toBe(0);
    await typeCard(fields, challengeCard);
    await fields.locator('#approve-button').click();
    await paid(page);
    const cards = await sandbox.request('GET', `/api/customers/${atoaCustomerId}/cards`);
    expect(cards.body).toMatchObject([
      { lastFourDigits: '0127', brand: 'VISA', expiryDate: '12/2040', name: 'Ada Payer' },
    ]);
    const again = await create({ atoaCustomerId });
    await page.goto(again.paymentUrl);
    await page.getByRole('button', { name: /0127/ }).click();
    await (await askedInPage(page)).locator('#approve-button').click();
    await paid(page);
    const { transactionDetails } = await statusOf(again.paymentRequestId);
    expect(transactionDetails[0].cardPaymentDetails.paymentMethodId).toBe(cards.body[0].id);

    const left = await create({ atoaCustomerId });
    await page.goto(left.paymentUrl);
    await page.getByRole('button', { name: /0127/ }).click();
    await askedInPage(page);
    await page.goto(left.paymentUrl);
    await page.getByRole('link', { name: 'Continue to your bank' }).click();
    await (await askedInPage(page)).locator('#decline-button').click();
    await page.getByRole('heading', { level: 1, name: 'Payment not completed' }).waitFor();
    expect(page.url()).toContain(sandbox.url);

    if (!isLongRun) return page.context().close();
    // Where the frame shows nothing, and where no script runs, the bank asks on its own page.
    await page.goto((await create({ atoaCustomerId })).paymentUrl);
    await page.route('**/frame.js', (route) => route.abort());
    await page.getByRole('button', { name: /0127/ }).click();
    await askedInPage(page);
    await page.getByRole('button', { name: 'Open your bank’s page' }).click();
    await page.locator('#approve-button').click();
    await paid(page);
    await page.context().close();
    const plain = await openPage((await create({ atoaCustomerId })).paymentUrl, false);
    await plain.getByRole('button', { name: /0127/ }).click();
    await plain.locator('#approve-button').click();
    await paid(plain);
    await plain.context().close();
  });

  longTest('completes the payment but does not save a card without authentication', async () => {
    const atoaCustomerId = await newCustomer('unsaved@example.com');
    const byCard = { savePaymentMethod: true, paymentMethod: ['CARD'] };
    const { paymentUrl, paymentRequestId } = await create({ atoaCustomerId, ...byCard });
    const page = await openPage(paymentUrl);
    await typeCard(await goToCard(page), paysAtOnce);
    await paid(page);
    expect((await statusOf(paymentRequestId)).status).toBe('COMPLETED');
    const cards = await sandbox.request('GET', `/api/customers/${atoaCustomerId}/cards`);
    expect(cards.body).toEqual([]);
    await page.context().close();
  });
});

describe('a customer whose card does not pay', () => {
  test('is declined without leaving our page, and pays there with another card', async () => {
    const { paymentUrl, paymentRequestId } = await create();
    const { page, card: fields } = await openCard(paymentUrl);
    await typeCard(fields, declined);
    await fields.locator('#problem', { hasText: 'declined' }).waitFor();
    await page.locator('[data-after-refusal] button').waitFor();
    expect(await fields.locator('#problem ~ #card-form').count()).toBe(1);
    await typeCard(fields, challengeCard);
    await page.getByRole('heading', { level: 2, name: 'Confirm it’s you' }).waitFor();
    expect(await page.locator('.ways').isVisible()).toBe(false);
    await fields.locator('#decline-button').click();
    await fields.locator('#problem').waitFor();
    // Opened again, our page says it, and the fields do not.
    const said = page.getByText(/bank did not confirm the payment/);
    await expect.poll(() => page.reload().then(() => said.count())).toBe(1);
    const again = await fieldsOf(page);
    expect(await again.locator('#problem').count()).toBe(0);
    await typeCard(again, paysAtOnce);
    await paid(page);
    expect((await statusOf(paymentRequestId)).transactionDetails).toHaveLength(1);
    await page.context().close();
  });

  longTest('is declined, then pays by bank', async () => {
    const { paymentUrl, paymentRequestId } = await create();
    const { page, card: fields } = await openCard(paymentUrl);
    await typeCard(fields, declined);
    await page.locator('[data-after-refusal] button').click();
    await page.locator('.bank a', { hasText: 'Mock' }).first().click();
    await page.getByRole('button', { name: /continue/i }).click();
    await page.locator('form[data-step="login"] [name="username"]').fill('approve');
    await page.locator('form[data-step="login"] button').first().click();
    await page.locator('form[data-step="approve"] button[value="approve"]').click();
    await paid(page);
    const { status, transactionDetails } = await statusOf(paymentRequestId);
    expect([status, transactionDetails.length]).toEqual(['COMPLETED', 1]);
    expect(transactionDetails[0].institutionId).toBe('mock-sandbox-v1');
    await page.context().close();
  });

  test('goes back from the card page to the choice, and the page there is closed', async () => {
    const { paymentUrl, paymentRequestId } = await create();
    const { page } = await openCard(paymentUrl);
    const left = page.frames().at(-1)?.url() ?? '';
    await page.getByRole('button', { name: 'Pay by bank' }).click();
    await page.getByRole('heading', { level: 1, name: 'Choose your bank' }).waitFor();
    expect((await statusOf(paymentRequestId)).status).not.toBe('COMPLETED');
    await page.goto(left);
    await page.getByText('This payment page has ended').first().waitFor();
    await page.context().close();

    if (!isLongRun) return;
    const { page: without } = await openCard(paymentUrl, false);
    await without.locator('#cancel-link').click();
    await without.getByRole('heading', { level: 1, name: 'Choose your bank' }).waitFor();
    await without.context().close();
  });

  test("pays on the processor's page where its fields cannot be shown", async () => {
    const { paymentUrl, paymentRequestId } = await create();
    const page = await openPage(paymentUrl);
    await page.route('**/fields.js', (route) => route.abort());
    await chooseCard(page);
    await page.locator('[data-card-page] button').waitFor();
    await typeCard(await goToCard(page, false), paysAtOnce);
    await paid(page);
    expect((await statusOf(paymentRequestId)).transactionDetails).toHaveLength(1);
    await page.context().close();
  });

  longTest('leaves the challenge and comes back to the same page, then pays once', async () => {
    const { paymentUrl, paymentRequestId } = await create({ paymentMethod: ['CARD'] });
    const page = await openPage(paymentUrl);
    const fields = await fieldsOf(page);
    await typeCard(fields, challengeCard);
    await fields.locator('#approve-button').waitFor();
    await page.goto(paymentUrl);
    await page.getByRole('link', { name: /^Pay £.+ by card$/ }).click();
    await typeCard(await fieldsOf(page), challengeCard);
    await fields.locator('#approve-button').click();
    await paid(page);
    expect((await statusOf(paymentRequestId)).status).toBe('COMPLETED');
    await page.context().close();
  });

  test('pays once when returning twice, or never', async () => {
    const page = await openPage((await create({ paymentMethod: ['CARD'] })).paymentUrl);
    await typeCard(await fieldsOf(page), paysAtOnce);
    await paid(page);
    await page.goBack();
    await page.goForward();
    await paid(page);
    const never = await create({ paymentMethod: ['CARD'] });
    const lost = await openPage(never.paymentUrl);
    const fields = await fieldsOf(lost);
    await lost.route('**/card-return**', (route) => route.abort());
    await typeCard(fields, paysAtOnce);
    await waitUntil(async () => (await statusOf(never.paymentRequestId)).status === 'COMPLETED');
    await lost.context().close();
    await page.goto(never.paymentUrl);
    await page.getByRole('heading', { level: 1, name: 'This is already paid' }).waitFor();
    await page.context().close();
  });
});
