import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
let browser: Browser;

beforeAll(async () => {
  [journey, browser] = await Promise.all([openJourney(), openBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await journey.close();
});

const setTips = (enabled: boolean) =>
  journey.sandbox.request('POST', '/api/sandbox/tips', {
    body: { enabled, tipType: 'PERCENTAGE', options: [5, 10, 15], allowCustom: true },
  });

type Options = { readonly javaScriptEnabled: boolean };

/** A payer of their own: another browser, with nothing remembered. */
const payerAt = async (id: string, options: Options): Promise<Page> => {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${journey.sandbox.url}/pay?paymentRequestId=${id}`);
  return page;
};

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click();

const toReview = async (page: Page): Promise<void> => {
  await goOn(page);
  await page.locator('.bank a', { hasText: 'Mock' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Check your payment' }).waitFor();
};

const leaveForBank = (page: Page) => page.getByRole('button', { name: /Continue to/ }).click();

const answerAtBank = async (page: Page): Promise<void> => {
  await page.locator('form[data-step="login"] [name="username"]').fill('approve');
  await page.locator('form[data-step="login"] button').first().click();
  await page.locator('form[data-step="approve"] button[value="approve"]').click();
};

const approve = async (page: Page): Promise<void> => {
  await answerAtBank(page);
  await page.getByRole('heading', { level: 1, name: 'Payment complete' }).waitFor();
};

const amount = (page: Page) => page.locator('.amount').textContent();

const statusOf = async (id: string) =>
  (await journey.sandbox.request('GET', `/api/payments/v1/payment-status/${id}`)).body;

const everyWay = [true, false];
const inLongRun = isLongRun ? everyWay : [];

test.each(inLongRun)(
  'shows a custom tip on every page, JavaScript %s',
  async (javaScriptEnabled) => {
    await setTips(true);
    const id = await journey.create({ amount: 40 });
    const page = await payerAt(id, { javaScriptEnabled });
    await page.getByLabel('Other', { exact: true }).check();
    await page.getByLabel('Tip in pounds').fill('lots');
    await goOn(page);
    const field = page.getByLabel('Tip in pounds');
    expect(await field.inputValue()).toBe('lots');
    expect(await field.getAttribute('aria-describedby')).toBe('customTip-problem');
    expect(await page.locator(':focus').getAttribute('id')).toBe('customTip');
    await field.fill('3,50');
    await toReview(page);
    expect(await amount(page)).toBe('£43.50');
    await page.getByText('Change amount').click();
    expect(await page.getByLabel('Tip in pounds').inputValue()).toBe('3.50');
    await page.getByLabel('10%').check();
    await toReview(page);
    await leaveForBank(page);
    await approve(page);
    expect(await page.locator('.receipt').textContent()).toContain('£44.00');
    expect(await statusOf(id)).toMatchObject({ paidAmount: 44, tipAmount: 4 });
    await page.context().close();
  },
);

// Without a browser: tips-and-split-bills.test.ts.
test.each(inLongRun)(
  'three payers pay their shares of one bill, JavaScript %s',
  async (javaScriptEnabled) => {
    await setTips(false);
    const id = await journey.create({ amount: 60, splitBill: true });
    const first = await payerAt(id, { javaScriptEnabled });
    await first.getByLabel('Split equally').check();
    await first.getByLabel('Number of people').fill('3');
    await toReview(first);
    expect(await amount(first)).toBe('£20.00');
    await leaveForBank(first);
    await approve(first);
    expect(await first.locator('.rest').textContent()).toContain('£40.00 of the bill');
    const second = await payerAt(id, { javaScriptEnabled });
    expect(await amount(second)).toBe('£40.00');
    await second.getByLabel('Another amount').check();
    await second.getByLabel('Amount in pounds').fill('£25');
    await toReview(second);
    await leaveForBank(second);
    await approve(second);
    const third = await payerAt(id, { javaScriptEnabled });
    await third.getByLabel('Pay the rest').check();
    await toReview(third);
    expect(await amount(third)).toBe('£15.00');
    await leaveForBank(third);
    await approve(third);
    expect(await third.locator('.rest').count()).toBe(0);
    expect((await statusOf(id)).status).toBe('COMPLETED');
    const late = await payerAt(id, { javaScriptEnabled });
    await late.getByRole('heading', { level: 1, name: 'This bill is paid' }).waitFor();
    for (const page of [first, second, third, late]) await page.context().close();
  },
);

test.each(inLongRun)(
  'lets a returning payer choose again, and tells a slower one that the share is taken, JavaScript %s',
  async (javaScriptEnabled) => {
    await setTips(false);
    const id = await journey.create({ amount: 60, splitBill: true });
    const [quick, slow] = await Promise.all([
      payerAt(id, { javaScriptEnabled }),
      payerAt(id, { javaScriptEnabled: false }),
    ]);
    for (const page of [quick, slow]) {
      await page.getByLabel('Pay the rest').check();
      await toReview(page);
    }
    await leaveForBank(quick);
    await quick.locator('form[data-step="login"]').waitFor();
    await leaveForBank(slow);
    await slow.locator('form[data-step="login"]').waitFor();
    await quick.goto(`${journey.sandbox.url}/pay?paymentRequestId=${id}`);
    expect(await amount(quick)).toBe('£60.00');
    await quick.getByLabel('Another amount').check();
    await quick.getByLabel('Amount in pounds').fill('35');
    await toReview(quick);
    await leaveForBank(quick);
    await approve(quick);
    await answerAtBank(slow);
    await slow.getByText('Someone else has already paid this part').waitFor();
    await slow.goto(`${journey.sandbox.url}/pay?paymentRequestId=${id}`);
    await slow.getByLabel('Pay the rest').check();
    await toReview(slow);
    expect(await amount(slow)).toBe('£25.00');
    await leaveForBank(slow);
    await approve(slow);
    expect((await statusOf(id)).status).toBe('COMPLETED');
    for (const page of [quick, slow]) await page.context().close();
  },
);

test('shows payments of other payers at once without losing input or focus', async () => {
  await setTips(false);
  const id = await journey.create({ amount: 60, splitBill: true });
  const page = await payerAt(id, { javaScriptEnabled: true });
  await page.getByLabel('Another amount').check();
  await page.getByLabel('Amount in pounds').fill('12.34');
  expect(await page.locator('[data-sum]').textContent()).toBe('You pay £12.34');
  const other = await payerAt(id, { javaScriptEnabled: true });
  await other.getByLabel('Another amount').check();
  await other.getByLabel('Amount in pounds').fill('20');
  await toReview(other);
  await leaveForBank(other);
  await approve(other);
  await page.locator('.amount', { hasText: '£40.00' }).waitFor();
  await page.locator('[data-live="rest"]', { hasText: '£40.00' }).waitFor();
  expect(await page.getByLabel('Amount in pounds').inputValue()).toBe('12.34');
  expect(await page.locator(':focus').getAttribute('id')).toBe('shareAmount');
  expect(await page.locator('[data-live="said"]').textContent()).toContain('£40.00');
  await page.getByLabel('Pay the rest').check();
  expect(await page.locator('[data-sum]').textContent()).toBe('You pay £40.00');
  for (const each of [page, other]) await each.context().close();
});
