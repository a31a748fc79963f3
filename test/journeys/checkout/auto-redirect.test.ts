import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
let browser: Browser;
beforeAll(async () => {
  [journey, browser] = await Promise.all([openJourney(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await journey?.close();
});

const northfield = 'northfield-sandbox';
const straight = { autoRedirect: true, institutionId: northfield, enableTips: false };
const bankLogin = 'form[data-step="login"]';

const open = async (id: string, options = {}): Promise<Page> => {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${journey.sandbox.url}/pay?paymentRequestId=${id}`, { waitUntil: 'commit' });
  return page;
};

const headed = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

test('the page redirects to the bank once, and reading the link starts nothing', async () => {
  const id = await journey.create(straight);
  const look = await journey.payer.visit(`/pay?paymentRequestId=${id}`);
  expect(look.text).toContain('Check your payment');
  expect(await journey.attemptsOf(id)).toEqual([]);
  const page = await open(id);
  await page.waitForSelector(bankLogin);
  expect(await page.title()).toContain('Northfield');
  await page.locator('#username').fill('decline');
  await page.locator(`${bankLogin} button`).first().click();
  await headed(page, 'Choose your bank');
  expect(await journey.attemptsOf(id)).toHaveLength(1);
  await page.context().close();
});

test('one press leads to the bank without a script', async () => {
  const id = await journey.create(straight);
  const page = await open(id, { javaScriptEnabled: false });
  await headed(page, 'Check your payment');
  await page.getByRole('button', { name: 'Continue to Northfield' }).click();
  await page.waitForSelector(bankLogin);
  await page.context().close();
});

test('does not redirect to a bank whose limit is too low, or without a bank', async () => {
  const tooMuch = await journey.create({ ...straight, amount: 12_000 });
  const { institutionId: _, ...nowhere } = straight;
  for (const id of [tooMuch, await journey.create(nowhere)]) {
    const page = await open(id);
    await headed(page, 'Choose your bank');
    expect(await journey.attemptsOf(id)).toEqual([]);
    await page.context().close();
  }
});

test('shows the tip step before redirecting', async () => {
  await journey.sandbox.request('POST', '/api/sandbox/tips', {
    body: { enabled: true, tipType: 'FIXED', options: [1, 2, 5], allowCustom: true },
  });
  const page = await open(await journey.create({ ...straight, enableTips: true }));
  await headed(page, 'Would you like to add a tip?');
  await page.getByLabel('£2.00').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator(`${bankLogin} button`).first().click();
  await page.locator('form[data-step="approve"]').waitFor();
  expect(await page.locator('body').textContent()).toContain('£14.50');
  await page.context().close();
});
