import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../web/checkout/src/test/visit.ts';
import { openPayer } from '../harness/open-payer.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});

afterAll(() => dashboard?.close());

test('the operator suspends a merchant, whose members see why, and resumes it', async () => {
  const { merchantId } = dashboard.sandbox.merchant;
  const { page, said, open, close } = await dashboard.visit(`/operator/merchants/${merchantId}`, {
    bypassCSP: true,
  });
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend Corner Coffee in sandbox' });
  const act = dialog.getByRole('button', { name: 'Suspend Corner Coffee' });
  expect(await act.isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('Nothing was delivered.');
  await act.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Suspended by Ada Lovelace').waitFor();
  await open('/operator/merchants?status=SUSPENDED');
  await page
    .getByRole('row', { name: /Corner Coffee/ })
    .getByText('Suspended in the sandbox')
    .waitFor();
  await open('home');
  const notice = page.getByRole('complementary', { name: 'Suspension' });
  await notice.getByText('Nothing was delivered.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await open(`/operator/merchants/${merchantId}`);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume Corner Coffee' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  expect(said).toEqual([]);
  await close();
});

test('the operator enters the account of a refund whose payer the bank did not say', async () => {
  const { request, url } = dashboard.sandbox;
  const order = { customerId: 'ada', orderId: 'INV-HIDDEN', amount: 12.5 };
  const created = await request('POST', '/api/payments/process-payment', { body: order });
  const { paymentRequestId } = created.body;
  await openPayer(url).pay(paymentRequestId, 'hidden-account');
  await waitUntil(async () => {
    const body = { paymentRequestId, amount: 5 };
    return (await request('POST', '/api/refund', { body })).status === 200;
  });
  const { page, said, open, close } = await dashboard.visit('/operator/cases');
  const found = page.getByRole('link', { name: 'Refund account needed' });
  await waitUntil(async () => {
    await open('/operator/cases');
    return (await found.count()) === 1;
  });
  await found.click();
  await page.getByRole('button', { name: 'Enter the account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund £5.00 to an account, in sandbox' });
  await dialog.getByLabel('Name on the account').fill('Pat Payer');
  await dialog.getByLabel('Sort code').fill('08-99-99');
  await dialog.getByLabel('Account number').fill('66374958');
  await dialog.getByRole('button', { name: 'Refund £5.00 to this account' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('The account was entered.').first().waitFor();
  expect(await page.getByRole('button', { name: 'Enter the account' }).count()).toBe(0);
  expect(said).toEqual([]);
  await close();
});

test('a bank is linked, its transactions are read, and the link is ended', async () => {
  const { page, said, close } = await dashboard.visit('bank-feed');
  await page.getByText('No bank linked yet').waitFor();
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
