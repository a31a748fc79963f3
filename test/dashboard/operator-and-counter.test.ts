import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventTypes } from '../../contract/index.ts';
import { axeFindings } from '../../web/checkout/src/test/visit.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { longTest } from '../harness/long-test.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

const phone = { viewport: { width: 360, height: 740 } };

let dashboard: Dashboard;
let salePath = '';
let paymentPath = '';

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
  expect(await dialog.locator('header').count(), 'a second banner of the page').toBe(0);
  // Nothing is switched before it is confirmed.
  expect(await cards.isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Switch cards on' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => cards.isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Let into production' }).click();
  await page.getByRole('button', { name: 'Let its people into production' }).click();
  await page.getByText(/ let in\.$/).waitFor();
  await page.goto(dashboard.addressOf(`/operator/audit?merchantId=${merchantId}`));
  await page.getByText('Set merchant switches').first().waitFor();
  await page.getByText('Admit to production').first().waitFor();
  await page.goto(dashboard.addressOf('settings/go-live'));
  await page.getByText('Access to production').waitFor();
  await page.getByText(/Only .* can let you in/).waitFor({ state: 'detached' });
  expect(said).toEqual([]);
  await close();
});

longTest('the operator records what became of a payment that stayed open', async () => {
  const { request } = dashboard.sandbox;
  const order = { customerId: 'ada', orderId: 'INV-OPEN', amount: 19.5 };
  const created = await request('POST', '/api/payments/process-payment', { body: order });
  const id = created.body.paymentRequestId;
  const path = `/api/sandbox/payment-requests/${id}/pay`;
  await request('POST', path, { body: { outcome: 'PENDING' } });
  const { page, said, close } = await dashboard.visit('/operator/payments');
  await page
    .getByRole('searchbox', { name: 'Order, amount, payer, reference or merchant' })
    .fill(id);
  await page.locator('tr:has-text("INV-OPEN") [data-row-link]').first().click();
  await page.getByRole('heading', { level: 1, name: '£19.50' }).waitFor();
  paymentPath = new URL(page.url()).pathname.replace('/dashboard', '');
  await page.getByRole('button', { name: 'Record the outcome' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record the outcome of £19.50 in sandbox' });
  await dialog.getByRole('radio', { name: /^£19.50 were paid/ }).check();
  // Nothing is recorded without a reason.
  const act = dialog.getByRole('button', { name: 'Record £19.50 as paid' });
  expect(await act.isDisabled()).toBe(true);
  await dialog.getByLabel('How you know').fill('Statement of 21 November');
  await act.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(': Statement of 21 November').waitFor();
  const { body } = await request('GET', `/api/payments/v1/payment-status/${id}`);
  expect(body.status).toBe('COMPLETED');
  expect(said).toEqual([]);
  await close();
});

/** Another request of the same order, whose bank has not decided. */
const payElsewhere = async (orderId: string, body: object): Promise<void> => {
  const { request } = dashboard.sandbox;
  const made = await request('POST', '/api/payments/process-payment', {
    body: { customerId: 'ada', orderId, amount: 48.6 },
  });
  const path = `/api/sandbox/payment-requests/${made.body.paymentRequestId}/pay`;
  expect((await request('POST', path, { body })).status).toBe(200);
};

test('a payment link is made, shown as a QR code, paid and then said to be paid', async () => {
  const { page, said, close } = await dashboard.visit('links', phone);
  await page.getByRole('button', { name: 'New link' }).click();
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
  const link = await page.getByRole('textbox', { name: 'The link' }).inputValue();
  await page.goBack();
  await page.getByRole('button', { name: `Copy link ${link}` }).waitFor();
  // Before anybody opens it there is no payment to be found.
  await page.getByRole('button', { name: 'Search everything' }).click();
  await page.getByRole('searchbox', { name: /^Order, customer, email/ }).fill('INV-7001');
  await page
    .getByRole('region', { name: 'Payment links' })
    .getByText('£48.60 · INV-7001')
    .waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goForward();
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Email the link' }).click();
  await page.getByText('Test email: read it on the Sandbox page.').waitFor();
  const mails = await dashboard.sandbox.request('GET', '/api/payments/receipt-mails');
  expect(mails.body[0]).toMatchObject({ to: 'ada@example.com' });
  await payElsewhere('INV-7001', { outcome: 'PENDING' });
  await page.getByRole('link', { name: 'A payment of £48.60 is pending' }).waitFor();
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

test('a sale is paid and refunded, another is void: POS_PAYMENT_STATUS alone is sent', async () => {
  const { request } = dashboard.sandbox;
  const receiver = await openReceiver();
  await request('POST', '/api/sandbox/webhook/signing-secret', { body: {} });
  const hook = await request('POST', '/api/webhook/v2/endpoints', {
    body: { url: receiver.url, events: [...eventTypes] },
  });
  expect(hook.status).toBe(200);
  const tips = { enabled: true, tipType: 'PERCENTAGE', options: [5, 10, 20], allowCustom: true };
  expect((await request('POST', '/api/sandbox/tips', { body: tips })).status).toBe(200);
  const { page, said, close } = await dashboard.visit('till', phone);
  await page.keyboard.type('1250');
  await page.getByRole('status', { name: 'Amount' }).getByText('£12.50').waitFor();
  await page.getByRole('radio', { name: '10%' }).check();
  await page.getByRole('button', { name: 'Show code for £13.75' }).click();
  await page.getByRole('heading', { level: 1, name: '£13.75' }).waitFor();
  await page.getByRole('status').getByText('Waiting for the customer').waitFor();
  const id = page.url().split('/').at(-1);
  salePath = `till/${id}`;
  const paid = await request('POST', `/api/sandbox/payment-requests/${id}/pay`);
  expect(paid.body).toMatchObject({ status: 'COMPLETED', paidAmount: 13.75, tipAmount: 1.25 });
  await page.getByRole('status').getByText('£13.75 paid').waitFor();
  expect(await page.getByRole('button', { name: 'Void' }).count()).toBe(0);
  const refund = await request('POST', '/api/refund', {
    body: { paymentRequestId: id, amount: 13.75 },
  });
  expect(refund.status).toBe(200);
  await page.getByRole('status').getByText('Refunded').waitFor();

  await page.getByRole('button', { name: 'Next sale' }).click();
  for (const key of ['9', '00', '0'])
    await page.getByRole('button', { name: key, exact: true }).click();
  await page.getByRole('button', { name: 'Show code for £90.00' }).click();
  await page.getByRole('button', { name: 'Void' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Void £90.00' }).click();
  await page.getByRole('status').getByText('Void').waitFor();
  await page.getByRole('link', { name: 'Till', exact: true }).first().click();
  await page
    .getByRole('row', { name: /£90\.00/ })
    .getByText('Void')
    .waitFor();
  await page
    .getByRole('row', { name: /£13\.75/ })
    .getByText('Refunded')
    .waitFor();

  // The bank settles the payment and the refund later; each is said once more or once.
  await waitUntil(async () => {
    if (!receiver.received.some(({ json }) => json.refundId)) throw new Error('no void was sent');
    return true;
  });
  const sent = receiver.received.map(({ json }) => json);
  expect(new Set(sent.map(({ eventType }) => eventType))).toEqual(new Set(['POS_PAYMENT_STATUS']));
  expect(sent.find(({ refundId }) => refundId)).toMatchObject({
    status: 'COMPLETED',
    refundId: refund.body.refundId,
    refundAmount: 13.75,
    paidAmount: 13.75,
    paymentRequestId: id,
    customFields: [{ fieldName: 'Till', value: 'Till 1', filledBy: 'BUSINESS' }],
  });
  expect(said).toEqual([]);
  await close();
  await receiver.close();
});

test('a printed code leads a payer without a script to a payment', async () => {
  const { page, said, close } = await dashboard.visit('codes', phone);
  await page.getByRole('button', { name: 'New code' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Table 4');
  await page.getByLabel('Maximum in pounds').fill('50');
  await page.getByRole('button', { name: 'Create code' }).click();
  await page.getByText('The code Table 4 is ready.').waitFor();
  await page
    .getByRole('row', { name: /Table 4/ })
    .getByText('Any from £1.00 to £50.00')
    .waitFor();
  const address = (await page.getByRole('link', { name: 'Open' }).getAttribute('href')) ?? '';
  await page.getByRole('link', { name: 'Print sheet' }).click();
  await page.getByRole('img', { name: 'QR code Table 4' }).waitFor();
  const drawn = "document.querySelector('img[alt^=QR]').naturalWidth";
  await expect.poll(() => page.evaluate<number>(drawn)).toBeGreaterThan(0);
  expect(said).toEqual([]);
  const scanned = await dashboard.visitAs({ ...phone, bypassCSP: true }, address);
  await scanned.getByRole('heading', { level: 1, name: 'Pay Corner Coffee' }).waitFor();
  expect(await axeFindings(scanned)).toEqual([]);
  await scanned.context().close();
  await close();
  const payer = await dashboard.visitAs({ ...phone, javaScriptEnabled: false }, address);
  await payer.getByText('Table 4').waitFor();
  await payer.getByLabel('Amount in pounds').fill('12.50');
  await payer.getByRole('button', { name: 'Continue' }).click();
  await payer.waitForURL(/\/pay\?paymentRequestId=/);
  await payer.getByText('£12.50').first().waitFor();
  await payer.context().close();
});

test('axe finds nothing on a page of each area, and each fits a phone', async () => {
  const { merchantId } = dashboard.sandbox.merchant;
  const { page, open, close } = await dashboard.visit('/operator', { ...phone, bypassCSP: true });
  // Every page, on both screens and in both colours: accessibility.long.test.ts.
  const more = isLongRun ? ['merchant', paymentPath] : [];
  for (const name of ['/operator/queues', salePath, ...more]) {
    await open(name === 'merchant' ? `/operator/merchants/${merchantId}` : name);
    expect(await axeFindings(page), name).toEqual([]);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, name).toBeLessThanOrEqual(phone.viewport.width);
  }
  await close();
});

test('on a phone filters are chosen in a sheet that says what it will show, and cleared in it', async () => {
  const { page, close } = await dashboard.visit('payments', phone);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByRole('button', { name: 'Status', exact: true }).click();
  await sheet.getByLabel('Failed').check();
  await page.waitForURL(/status=FAILED/);
  await page.keyboard.press('Escape');
  const show = sheet.getByRole('button', { name: /^Show [\d,]+ payments?$/ });
  await show.click();
  await sheet.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await sheet.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => page.url()).not.toMatch(/status=/);
  expect(await sheet.getByRole('button', { name: 'Clear' }).isDisabled()).toBe(true);
  await show.click();
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
  await close();
});
