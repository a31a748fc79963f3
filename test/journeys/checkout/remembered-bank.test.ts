import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { longTest } from '../../harness/long-test.ts';
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

afterEach(() => {
  vi.restoreAllMocks();
});

const openPage = async (context: BrowserContext, more: object = {}): Promise<Page> => {
  const id = await journey.create(more);
  const page = await context.newPage();
  await page.goto(`${journey.sandbox.url}/pay?paymentRequestId=${id}`);
  return page;
};

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
const box = (page: Page) => page.getByLabel('Remember my bank on this device');
const chooseBank = (page: Page) => page.locator('.bank a', { hasText: 'Mock' }).first().click();

const leaveForBank = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Continue to/ }).click();
  await page.locator('form[data-step="login"]').waitFor();
};

const pay = async (page: Page): Promise<void> => {
  await leaveForBank(page);
  await page.locator('form[data-step="login"] [name="username"]').fill('approve');
  await page.locator('form[data-step="login"] button').first().click();
  await page.locator('form[data-step="approve"] button[value="approve"]').click();
  await page.getByRole('heading', { level: 1, name: 'Payment complete' }).waitFor();
};

const bankCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'florin_bank');

test('a device remembers a bank only while the payer wants it', async () => {
  const context = await browser.newContext();
  const first = await openPage(context);
  await chooseBank(first);
  expect(await box(first).isChecked()).toBe(false);
  await leaveForBank(first);
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
  await leaveForBank(third);
  expect(await bankCookie(context)).toBeUndefined();
  expect(await heading(await openPage(context))).toBe('Choose your bank');
  await context.close();
});

test('offers the last bank of a customer first, to that customer only', async () => {
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

const newCustomer = async (email: string): Promise<string> => {
  const body = { fullName: 'Ada Lovelace', email };
  return (await journey.sandbox.request('POST', '/api/customers', { body })).body.id;
};

const payWith = async (id: string, institutionId: string): Promise<void> => {
  const path = `/api/sandbox/payment-requests/${id}/pay`;
  const { body } = await journey.sandbox.request('POST', path, { body: { institutionId } });
  expect(body.status).toBe('COMPLETED');
};

const northfield = 'northfield-sandbox';

/** Its operator removes the bank from the list while it is down. */
const disable = (institutionId: string): void => {
  const rail = journey.sandbox.rails.bankRails.need('SANDBOX');
  const known = rail.institutions();
  vi.spyOn(rail, 'institutions').mockReturnValue(
    known.map((bank) => ({ ...bank, isEnabled: bank.isEnabled && bank.id !== institutionId })),
  );
};

longTest('one press leads a customer to their last bank', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const atoaCustomerId = await newCustomer('one-press@example.com');
  expect(await heading(await openPage(context, { atoaCustomerId }))).toBe('Choose your bank');
  await payWith(await journey.create({ atoaCustomerId }), 'harbour-sandbox');
  // The merchant's own reference may be another one for each order.
  await payWith(await journey.create({ atoaCustomerId, customerId: 'order-2' }), northfield);
  const page = await openPage(context, { atoaCustomerId, customerId: 'order-3' });
  expect(await heading(page)).toBe('Check your payment');
  await page.getByRole('button', { name: 'Continue to Northfield' }).click();
  await page.locator('form[data-step="login"]').waitFor();
  expect(await page.title()).toContain('Northfield');
  const other = await newCustomer('another@example.com');
  for (const more of [{ atoaCustomerId: other }, {}])
    expect(await heading(await openPage(context, more))).toBe('Choose your bank');
  await context.close();
});

const lastBankOn = async (page: Page) => ({
  heading: await heading(page),
  offered: await page.locator('.last-used').count(),
  links: await page.locator(`.bank a[href*="${northfield}"]`).count(),
  why: await page.locator('.bank.is-off', { hasText: 'Northfield' }).locator('small').textContent(),
});

longTest('shows the reason when the last bank cannot take the payment', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const atoaCustomerId = await newCustomer('too-much@example.com');
  await payWith(await journey.create({ atoaCustomerId }), northfield);
  const notOffered = { heading: 'Choose your bank', offered: 0, links: 0 };
  const tooMuch = await openPage(context, { atoaCustomerId, amount: 10_000.01 });
  const aboveLimit = 'This amount is above the bank’s limit: £10,000.00';
  expect(await lastBankOn(tooMuch)).toEqual({ ...notOffered, why: aboveLimit });
  const justEnough = await openPage(context, { atoaCustomerId, amount: 10_000 });
  expect(await heading(justEnough)).toBe('Check your payment');
  disable(northfield);
  const down = await openPage(context, { atoaCustomerId });
  expect(await lastBankOn(down)).toEqual({ ...notOffered, why: 'Not available right now' });
  const details = await journey.sandbox.request('GET', '/api/institutions');
  expect(details.body.find(({ id }: { id: string }) => id === northfield).enabled).toBe(false);
  await context.close();
});
