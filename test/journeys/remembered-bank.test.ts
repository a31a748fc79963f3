import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { type Journey, openJourney } from '../harness/open-journey.ts';

let journey: Journey;
let browser: Browser;

beforeAll(async () => {
  [journey, browser] = await Promise.all([openJourney(), openBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await journey.close();
});

const openPage = async (context: BrowserContext, more: object = {}): Promise<Page> => {
  const id = await journey.create(more);
  const page = await context.newPage();
  await page.goto(`${journey.sandbox.url}/pay?paymentRequestId=${id}`);
  return page;
};

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
const box = (page: Page) => page.getByLabel('Remember my bank on this device');
const chooseBank = (page: Page) => page.getByText('Mock Sandbox Bank').first().click();

const pay = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Continue to/ }).click();
  await page.locator('form[data-step="login"] [name="username"]').fill('approve');
  await page.locator('form[data-step="login"] button').first().click();
  await page.locator('form[data-step="approve"] button[value="approve"]').click();
  await page.getByRole('heading', { level: 1, name: 'Payment complete' }).waitFor();
};

const bankCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'florin_bank');

test('a device keeps a bank only while its owner wants it to', async () => {
  const context = await browser.newContext();
  const first = await openPage(context);
  await chooseBank(first);
  expect(await box(first).isChecked()).toBe(false);
  await pay(first);
  expect(await bankCookie(context)).toBeUndefined();
  const second = await openPage(context);
  expect(await heading(second)).toBe('Choose your bank');
  await chooseBank(second);
  await box(second).check();
  await pay(second);
  expect(await bankCookie(context)).toMatchObject({ value: 'mock-sandbox-v1', httpOnly: true });
  const third = await openPage(context);
  expect(await heading(third)).toBe('Check your payment');
  expect(await box(third).isChecked()).toBe(true);
  await third.getByText('Change bank').click();
  expect(await heading(third)).toBe('Choose your bank');
  expect(await third.locator('.last-used').textContent()).toContain('Last used');
  await third.locator('.last-used').click();
  await box(third).uncheck();
  await pay(third);
  expect(await bankCookie(context)).toBeUndefined();
  expect(await heading(await openPage(context))).toBe('Choose your bank');
  await context.close();
});

test("a known customer's last bank is offered first, to nobody else", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const ada = { customerId: 'guest', consumerDetails: { email: 'ada@example.com' } };
  const first = await openPage(context, ada);
  await chooseBank(first);
  await pay(first);
  expect(await heading(await openPage(context, ada))).toBe('Check your payment');
  const grace = { customerId: 'guest', consumerDetails: { email: 'grace@example.com' } };
  expect(await heading(await openPage(context, grace))).toBe('Choose your bank');
  expect(await heading(await openPage(context, { customerId: 'guest' }))).toBe('Choose your bank');
  await context.close();
});
