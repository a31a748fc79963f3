import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from './open-dashboard.ts';
import { type Trade, trade } from './trade-steps.ts';

const wide = { viewport: { width: 1280, height: 800 } };
const dayMs = 86_400_000;

let dashboard: Dashboard;
let traded: Trade;

beforeAll(async () => {
  dashboard = await openDashboard();
  traded = await trade(dashboard.sandbox);
});

afterAll(() => dashboard?.close());

test('the days before are shown where something was sold in them, and nowhere else', async () => {
  const { page, open, close } = await dashboard.visit('home', wide);
  const before = page.getByRole('columnheader', { name: 'Sold before' });
  await page.getByText('As a table').click();
  await page.getByRole('columnheader', { name: 'Refunded' }).waitFor();
  expect(await before.count()).toBe(0);
  // The day after the one of the sale, as the table has it: by the clock it may be another at midnight.
  const sale = page
    .getByRole('table', { name: /Money by day/ })
    .getByRole('link')
    .first();
  const day = new URL((await sale.getAttribute('href')) ?? '', page.url()).searchParams.get('from');
  const next = new Date(Date.parse(`${day}`) + dayMs).toISOString().slice(0, 10);
  await open(`home?from=${next}&to=${next}`);
  await page.getByText('As a table').click();
  await before.waitFor();
  await page.getByRole('slider').press('End');
  const said = await page.getByRole('slider').getAttribute('aria-valuetext');
  expect(said).toMatch(/: sold £0\.00 · .+ £[1-9]/);
  // Beside the bar, by keyboard as by pointer, and gone with the pointer.
  const reading = page.getByRole('slider').locator('dl');
  expect(await reading.textContent()).toMatch(/Sold£0\.00.+£[1-9]/);
  await page.getByRole('slider').press('Escape');
  await reading.waitFor({ state: 'hidden' });
  await page.getByRole('slider').hover();
  await reading.waitFor();
  await page.getByRole('heading', { level: 1 }).hover();
  await reading.waitFor({ state: 'hidden' });
  await close();
});

test('a figure alone in its row is as wide as one of several', async () => {
  const { page, close } = await dashboard.visit('home', wide);
  await page.getByText('All figures').click();
  const today = page.getByRole('region', { name: 'Today' });
  await today.getByRole('link', { name: /^Sold/ }).waitFor();
  expect(await today.getByRole('listitem').count()).toBe(1);
  expect((await today.getByRole('list').boundingBox())?.width).toBeLessThan(320);
  await close();
});

test('a search that finds nothing names itself, and is cleared there', async () => {
  const { page, close } = await dashboard.visit('payments?search=nothing-like-it', wide);
  await page.getByRole('heading', { name: 'Nothing for “nothing-like-it”' }).waitFor();
  await page.getByRole('button', { name: 'Show all payments' }).click();
  await page.getByText('INV-1041').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await close();
});

test('a paid link leads to its payment, and is not said to wait', async () => {
  const { page, close } = await dashboard.visit(`links/${traded.paymentIds[0]}`, wide);
  const link = page.getByRole('link', { name: 'Open the payment' });
  await link.waitFor();
  expect(await page.getByText('Can be paid until').count()).toBe(0);
  await link.click();
  await page.getByRole('heading', { level: 1, name: '£12.50' }).waitFor();
  await close();
});

test('events are found by their order and lead to its payment', async () => {
  const { page, close } = await dashboard.visit('developers/events?search=INV-1041', wide);
  const orders = page.locator('tbody td[data-title="Order"]');
  await orders.first().waitFor();
  expect(new Set(await orders.allTextContents())).toEqual(new Set(['INV-1041']));
  await orders.first().getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: '£12.50' }).waitFor();
  await close();
});

test('what a form can go without says so', async () => {
  const { page, open, close } = await dashboard.visit('links', wide);
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Your customer id (optional)').waitFor();
  await page.getByLabel('Notes (optional)').waitFor();
  await open('till');
  await page.getByLabel('Note (optional)').waitFor();
  await open('codes');
  await page.getByRole('button', { name: 'New code' }).click();
  await page.getByLabel('Minimum in pounds (optional)').waitFor();
  await open('developers/secrets');
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByLabel('Customers return to (optional)').waitFor();
  await open('settings/notifications');
  await page.getByLabel('Email each monthly statement to (optional)').waitFor();
  await open('settings/checkout');
  await page.getByLabel('Colour (optional)').waitFor();
  // Without VAT nothing need be written.
  await page.getByLabel('VAT in percent (optional)').fill('');
  await page.getByLabel('Service in percent (optional)').fill('12.5');
  const form = page.getByRole('region', { name: 'VAT and service' });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.getByLabel('VAT in percent (optional)').inputValue()).toBe('0');
  await close();
});

test('a dispute says when it was opened', async () => {
  const { request } = dashboard.sandbox;
  const body = { customerId: 'eve', orderId: 'INV-1050', amount: 64 };
  const made = await request('POST', '/api/payments/process-payment', { body });
  const { paymentRequestId } = made.body;
  await request('POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
    body: { method: 'CARD', cardNumber: '4000000000000259' },
  });
  const { page, close } = await dashboard.visit('home', wide);
  await page.getByRole('link', { name: /disputed \(INV-1050\)/ }).click();
  await page.getByRole('form', { name: 'Your answer' }).waitFor();
  const opened = page.locator('div', { has: page.getByRole('term').getByText('Opened') }).last();
  expect(await opened.getByRole('time').count()).toBe(1);
  await close();
});

test('the operator reads why a payment failed in words, and the code after them', async () => {
  const { merchantId } = traded;
  const record = `/operator/merchants/${merchantId}/payments/${traded.paymentIds[2]}`;
  const { page, close } = await dashboard.visit(`${record}?environment=sandbox`, wide);
  const facts = page.locator('div', { has: page.getByRole('term').getByText('Error') }).last();
  expect(await facts.getByRole('definition').textContent()).toMatch(/^[A-Z][^:]+\. \(\w+\)$/);
  await close();
});

test('without the server a page says since when, and what becomes of it', async () => {
  const { page, close } = await dashboard.visit('payments', wide);
  await page.route('**/dashboard/api/**', (route) => route.abort());
  await page.route('**/health/live', (route) => route.abort());
  await page.getByRole('link', { name: 'Payouts', exact: true }).click();
  await page.getByText(/has not answered for .+, since \d\d:\d\d/).waitFor();
  await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
  expect(await page.getByText('loads by itself').count()).toBe(1);
  expect(await page.getByRole('link', { name: 'Payments', exact: true }).isVisible()).toBe(true);
  await close();
});

test('a customer is added, changed and deleted; what is refused says why', async () => {
  const { request } = dashboard.sandbox;
  const { page, said, close } = await dashboard.visit('customers');
  await page.getByRole('button', { name: 'New customer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Mary Seacole');
  const add = dialog.getByRole('button', { name: 'Add customer' });
  expect(await add.isDisabled()).toBe(true);
  await dialog.getByLabel('Country code').fill('+44');
  await dialog.getByLabel('Phone', { exact: true }).fill('(0)7700 900-123');
  await dialog.getByLabel('Postcode').fill('SE1-7EH');
  await add.click();
  await dialog.getByText('must hold letters, digits and spaces only').waitFor();
  await dialog.getByLabel('Postcode').fill('SE1 7EH');
  await add.click();
  await page.getByRole('heading', { level: 1, name: 'Mary Seacole' }).waitFor();
  await page.getByText('+44 7700900123').waitFor();
  const [added] = (await request('GET', '/api/customers?search=Seacole')).body.data;
  // Of a person it is stored and not shown.
  await request('PUT', `/api/customers/${added.id}`, { body: { vatNumber: 'GB123456789' } });
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Kind').selectOption('Business');
  await dialog.getByLabel('Postcode').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('GB123456789').waitFor();
  const [found] = (await request('GET', '/api/customers?search=Seacole')).body.data;
  expect(found).toMatchObject({ type: 'BUSINESS', postcode: null, phoneNumber: '7700900123' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete Mary Seacole' }).click();
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  expect((await request('GET', `/api/customers/${found.id}`)).status).toBe(404);
  expect(said.filter((line) => !line.includes('400'))).toEqual([]);
  await close();
});
