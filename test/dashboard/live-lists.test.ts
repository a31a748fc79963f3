import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

const wide = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
  await pay('FIRST-1');
});

afterAll(() => dashboard?.close());

const pay = async (orderId: string): Promise<string> => {
  const { request } = dashboard.sandbox;
  const body = { customerId: 'eve', orderId, amount: 64 };
  const made = await request('POST', '/api/payments/process-payment', { body });
  const { paymentRequestId } = made.body;
  const path = `/api/sandbox/payment-requests/${paymentRequestId}/pay`;
  const paid = await request('POST', path, { body: { outcome: 'COMPLETED' } });
  expect(paid.status).toBe(200);
  return paymentRequestId;
};

test('new payments are counted above the list, and come into it when they are asked for', async () => {
  const { page, said, close } = await dashboard.visit('payments', wide);
  const rows = page.locator('tbody tr[data-link]');
  await rows.filter({ hasText: 'FIRST-1' }).waitFor();
  const before = await rows.count();
  await pay('SECOND-1');
  await pay('SECOND-2');
  const show = page.getByRole('button', { name: '2 new payments: show' });
  await show.waitFor();
  expect(await rows.count()).toBe(before);
  await show.press('Enter');
  await rows.filter({ hasText: 'SECOND-2' }).waitFor();
  expect(await rows.count()).toBe(before + 2);
  expect(await rows.first().textContent()).toContain('SECOND-2');
  expect(await show.count()).toBe(0);
  expect(await page.evaluate('document.activeElement.id')).toBe('page');
  expect(said).toEqual([]);
  await close();
});

test('what becomes of a payment in view changes where it stands', async () => {
  const paymentRequestId = await pay('REFUND-1');
  const { page, close } = await dashboard.visit('payments', wide);
  const row = page.locator('tbody tr[data-link]', { hasText: 'REFUND-1' });
  await row.getByText('Paid', { exact: true }).waitFor();
  const body = { paymentRequestId, amount: 64 };
  await dashboard.sandbox.request('POST', '/api/refund', { body });
  await row.getByText('Refunded').waitFor();
  expect(await page.getByRole('button', { name: /new payment/ }).count()).toBe(0);
  await close();
});

test('on a phone the new payments stand within reach of the thumb', async () => {
  const { page, close } = await dashboard.visit('payments', phone);
  await page.locator('tbody tr[data-link]').first().waitFor();
  await pay('THIRD-1');
  const show = page.getByRole('button', { name: '1 new payment: show' });
  await show.waitFor();
  const box = await show.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect(box?.y).toBeGreaterThan(600);
  await show.tap();
  await page.locator('tbody tr[data-link]').first().getByText('THIRD-1').waitFor();
  await close();
});
