import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../harness/wait-until.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';
import { trade } from './trade-steps.ts';

const wide = { viewport: { width: 1280, height: 800 } };
const patience = { withinMs: 60_000, everyMs: 100 };
const dayMs = 86_400_000;

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { request } = dashboard.sandbox;
  await trade(dashboard.sandbox);
  await waitUntil(async () => {
    await request('POST', '/api/sandbox/clock', { body: { advanceMs: dayMs } });
    const { body } = await request('GET', '/api/payouts?status=SETTLED');
    return body.totalCount > 0;
  }, patience);
});

afterAll(() => dashboard?.close());

test('whether a payout arrived is a dash only where it is not paid out yet', async () => {
  const { page, close } = await dashboard.visit('payouts?status=SETTLED', wide);
  const cell = page.locator('tbody td[data-title="At your bank"]').first();
  await cell.getByText('Account not linked').waitFor();
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/payouts/matches**', async (route) => {
    await asked;
    await route.abort();
  });
  await page.reload();
  await cell.getByText('Checking').waitFor();
  answer();
  await cell.getByText('Could not ask the bank').waitFor();
  await close();
});

test('home draws what can be read: one large day in its week, or as a running total', async () => {
  const { page, close } = await dashboard.visit('home', wide);
  // All was sold on one day: neither days nor weeks can be compared.
  const total = page.getByRole('radio', { name: 'Running total', checked: true });
  await total.waitFor({ state: 'attached' });
  const chart = page.getByRole('slider');
  await chart.press('End');
  const said = (await chart.getAttribute('aria-valuetext')) ?? '';
  const sold = await page.getByRole('region', { name: 'Sales' }).locator('strong').first();
  expect(said).toContain(`sold so far ${await sold.textContent()}`);
  await page.getByText(/^£\d+\.\d\d a day on average$/).waitFor();
  await page.getByText('Weekly', { exact: true }).click();
  expect(await chart.getAttribute('aria-valuemax')).toBe('5');
  await page.getByText('Daily', { exact: true }).click();
  expect(await chart.getAttribute('aria-valuemax')).toBe('30');
  await close();
});

test('the figures of a period explain each other in one sum, and the balance stands apart', async () => {
  const { page, close } = await dashboard.visit('home', wide);
  const line = page.locator('p', { hasText: 'brought forward' });
  const said = (await line.textContent()) ?? '';
  const pence = [...said.matchAll(/([−=]?) £([\d,]+)\.(\d\d)/g)].map(
    ([, sign, pounds, part]) =>
      (sign === '−' ? -1 : 1) * Number(`${pounds?.replaceAll(',', '')}${part}`),
  );
  expect(said).toContain('paid out');
  expect(pence.slice(0, -1).reduce((sum, each) => sum + each, 0)).toBe(pence.at(-1));
  const balance = page.getByRole('region', { name: 'Balance' });
  await balance.getByText(/^(Next payout|On its way to you)$/).waitFor();
  expect(
    await page.getByRole('region', { name: 'This period' }).getByRole('listitem').count(),
  ).toBe(4);
  await close();
});

test('the preview says until when an order can be paid by the clock of the sandbox', async () => {
  const { page, close } = await dashboard.visit('settings/checkout', wide);
  const { request } = dashboard.sandbox;
  const { body } = await request('POST', '/api/sandbox/clock', { body: { advanceMs: 0 } });
  const until = page.frameLocator('iframe').locator('time').first();
  const aheadMs = Date.parse((await until.getAttribute('datetime')) ?? '') - Date.parse(body.now);
  expect(Math.abs(aheadMs)).toBeLessThan(dayMs / 2);
  await close();
});

test('a switch of payouts stands with payouts, and says what it does before it does it', async () => {
  const { page, open, close } = await dashboard.visit('settings/payments', wide);
  await page.getByRole('switch', { name: 'Guard against double charges Recommended' }).waitFor();
  expect(await page.getByRole('switch', { name: /^Payouts/ }).count()).toBe(0);
  await open('settings/payouts');
  const refunds = page.getByRole('switch', { name: /^Refunds/ });
  await refunds.press('Space');
  const dialog = page.getByRole('dialog', { name: /^Switch refunds off/ });
  await dialog.getByText('No new refunds are accepted.').waitFor();
  expect(await refunds.isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await refunds.isChecked()).toBe(true);
  await close();
});

test('a phone says whose page it is, and lights the menu where no other tab leads', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { page, open, close } = await dashboard.visit('payouts', phone);
  const menu = page.getByRole('button', { name: 'Menu' });
  await page.getByRole('banner').getByText('Corner Coffee').waitFor();
  expect(await menu.getAttribute('aria-current')).toBe('true');
  await open('payments');
  expect(await menu.getAttribute('aria-current')).toBe(null);
  await open('/operator/jobs');
  await page.getByRole('link', { name: 'Search payments' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  await close();
});

test('the operator searches payments by Ctrl K', async () => {
  const { page, close } = await dashboard.visit('/operator/jobs', wide);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('INV-1041');
  await page.keyboard.press('Enter');
  await page.locator('tr', { hasText: 'INV-1041' }).waitFor();
  await close();
});
