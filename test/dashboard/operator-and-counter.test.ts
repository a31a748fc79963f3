import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../web/checkout/src/test/visit.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

const phone = { viewport: { width: 360, height: 740 } };

let dashboard: Dashboard;
let linkPath = '';

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

test('a payment link is made, shown as a QR code, paid and then said to be paid', async () => {
  const { page, said, close } = await dashboard.visit('links', phone);
  await page.getByLabel('Amount in pounds').fill('48.60');
  await page.getByRole('textbox', { name: 'Order' }).fill('INV-7001');
  await page.getByLabel('Notes').fill('Two lamps');
  await page.getByLabel('Amount in pounds').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: '£48.60 for order INV-7001' }).waitFor();
  const code = page.getByRole('img', { name: 'QR code of the link for £48.60' });
  await code.waitFor();
  const drawn = "document.querySelector('img[alt^=QR]').naturalWidth";
  await expect.poll(() => page.evaluate<number>(drawn)).toBeGreaterThan(0);
  const id = page.url().split('/').at(-1);
  const paid = await dashboard.sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`);
  expect(paid.status).toBe(200);
  await page.getByText('Paid', { exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Cancel the link' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Payment links' }).first().click();
  await page
    .getByRole('row', { name: /£48\.60/ })
    .getByText('Paid', { exact: true })
    .waitFor();
  expect(said).toEqual([]);
  await close();
});

test('a bank is linked, its transactions are read, and the link is ended', async () => {
  const { page, said, close } = await dashboard.visit('bank-feed');
  await page.getByText('No bank is linked').waitFor();
  await page.getByRole('button', { name: 'Link a bank' }).click();
  await page.locator('a[href*="institutionId=mock-sandbox-v1"]').click();
  await page.getByRole('button', { name: /agree and continue/i }).click();
  await page.getByRole('link', { name: 'Approve' }).click();
  await page.getByText('The bank is linked. Its accounts are below.').waitFor();
  await page
    .getByRole('row', { name: /Linked/ })
    .getByRole('link')
    .click();
  const accounts = page.getByRole('region', { name: 'Accounts' });
  await accounts
    .getByText(/^£[\d,]+\.\d\d$/)
    .first()
    .waitFor();
  linkPath = new URL(page.url()).pathname.replace('/dashboard', '');
  await accounts.getByRole('link').first().click();
  await page.locator('tbody tr', { hasText: '£' }).first().waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'End the link' }).click();
  const dialog = page.getByRole('dialog', { name: /^End the link to / });
  await dialog.getByRole('button', { name: /^End the link to / }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'End the link' }).waitFor({ state: 'detached' });
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
  'links',
  'bank-feed',
];

test('axe finds nothing on these pages, and each fits a phone', async () => {
  const { merchantId } = dashboard.sandbox.merchant;
  const { page, open, close } = await dashboard.visit('/operator', { ...phone, bypassCSP: true });
  for (const name of [...pages, linkPath]) {
    await open(name === 'merchant' ? `/operator/merchants/${merchantId}` : name);
    expect(await axeFindings(page), name).toEqual([]);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, name).toBeLessThanOrEqual(phone.viewport.width);
  }
  await close();
});
