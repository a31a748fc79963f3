import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../web/checkout/src/test/visit.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

const phone = { viewport: { width: 360, height: 740 } };

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});

afterAll(() => dashboard?.close());

test('the operator switches cards on for a merchant in production', async () => {
  const { merchantId } = dashboard.sandbox.merchant;
  const { page, said, close } = await dashboard.visit('/operator');
  await page.getByRole('link', { name: 'Corner Coffee' }).click();
  await page.getByRole('heading', { level: 1, name: 'Corner Coffee' }).waitFor();
  await page.getByText('Production', { exact: true }).first().click();
  await page.waitForURL(/environment=production/);
  const cards = page.getByRole('switch', { name: 'Cards' });
  expect(await cards.isChecked()).toBe(false);
  await cards.focus();
  await page.keyboard.press('Space');
  const dialog = page.getByRole('dialog', {
    name: 'Switch cards on for Corner Coffee in production',
  });
  // Nothing is switched before it is confirmed.
  expect(await cards.isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Switch cards on' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => cards.isChecked()).toBe(true);
  await page.goto(dashboard.addressOf(`/operator/audit?merchantId=${merchantId}`));
  await page.getByText('setMerchantSwitches').first().waitFor();
  expect(said).toEqual([]);
  await close();
});

const pages = [
  '/operator/merchants',
  'merchant',
  '/operator/cases',
  '/operator/banks',
  '/operator/queues',
  '/operator/queues?queue=credits',
  '/operator/ledger',
  '/operator/audit',
];

test('axe finds nothing on these pages, and each fits a phone', async () => {
  const { merchantId } = dashboard.sandbox.merchant;
  const { page, open, close } = await dashboard.visit('/operator', { ...phone, bypassCSP: true });
  for (const name of pages) {
    await open(name === 'merchant' ? `/operator/merchants/${merchantId}` : name);
    expect(await axeFindings(page), name).toEqual([]);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, name).toBeLessThanOrEqual(phone.viewport.width);
  }
  await close();
});
