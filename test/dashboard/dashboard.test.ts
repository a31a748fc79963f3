import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCaughtMails } from '../../service/src/modules/people/index.ts';
import { axeFindings } from '../../web/checkout/src/test/visit.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { longTest } from '../harness/long-test.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { addAuthenticator, waysOf } from './add-authenticator.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';
import { type Trade, trade } from './trade-steps.ts';

const patience = { withinMs: 45_000, everyMs: 100 };
const phone = { viewport: { width: 360, height: 740 } };

let dashboard: Dashboard;
let traded: Trade;

beforeAll(async () => {
  dashboard = await openDashboard();
  traded = await trade(dashboard.sandbox);
});

afterAll(() => dashboard?.close());

longTest('part of a payment is refunded, and the page then shows it', async () => {
  const [id = ''] = traded.paymentIds;
  const { page, said, close } = await dashboard.visit(`payments/${id}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel('Amount in pounds');
  expect(await amount.inputValue()).toBe('12.50');
  await amount.fill('12.51');
  expect(await dialog.getByText('Only £12.50 is left to refund.').isVisible()).toBe(true);
  expect(await dialog.getByRole('button', { name: 'Refund', exact: true }).isDisabled()).toBe(true);
  await amount.fill('4.20');
  await dialog.getByLabel('Notes').fill('One cup was cold');
  await dialog.getByRole('button', { name: 'Refund £4.20' }).click();
  await dialog.waitFor({ state: 'detached' });
  const refunds = page.getByRole('region', { name: 'Refunds' });
  await refunds.getByText('£4.20').waitFor();
  await page.getByText('Partly refunded', { exact: true }).waitFor();
  const { body } = await dashboard.sandbox.request('GET', `/api/refund/${id}`);
  expect(body).toMatchObject([{ refundAmount: '4.20', refundNotes: 'One cup was cold' }]);
  // The next one starts from what is left.
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await waitUntil(async () => (await amount.inputValue()) === '8.30', patience);
  expect(said).toEqual([]);
  await close();
});

test('filters stand in the address, so that a view can be shared', async () => {
  const { page, open, close } = await dashboard.visit('payments?status=FAILED,CANCELLED');
  const rows = page.locator('tbody tr');
  await waitUntil(async () => (await rows.count()) === 2, patience);
  expect(await page.getByText('INV-1043').isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Clear' }).click();
  await waitUntil(async () => (await rows.count()) === traded.paymentIds.length, patience);
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('button', { name: 'Amount' }).first().click();
  await page.getByLabel('From £').fill('£300');
  await page.waitForURL(/\?min=300$/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Bank', exact: true }).click();
  await page.getByLabel('Bank', { exact: true }).getByRole('checkbox').first().check();
  await page.waitForURL(/bank=mock-sandbox-v1&min=300$/);
  await waitUntil(async () => (await rows.count()) === 2, patience);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Amount: from £300' }).click();
  await page.getByLabel('To £').fill('1000');
  await page.getByText('1 payment', { exact: true }).waitFor();
  expect(await page.getByText('INV-1045').isVisible()).toBe(true);
  // Written as everywhere, whatever the language of the browser.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Date' }).click();
  await page.getByLabel('From day').fill('1/2/2026');
  await page.waitForURL(/from=2026-02-01/);
  expect(await page.getByLabel('From day').inputValue()).toBe('1 Feb 2026');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page
    .getByText(/^…\d{4}$/)
    .first()
    .waitFor();
  await open(`customers/${traded.customerId}`);
  await page.getByRole('button', { name: 'Send a payment link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount in pounds').fill('18.60');
  await dialog.getByLabel('Order').fill('INV-1099');
  await dialog.getByRole('button', { name: 'Create a link for £18.60' }).click();
  await page.getByRole('heading', { level: 1, name: '£18.60 for order INV-1099' }).waitFor();
  expect(await page.getByLabel('Email address').inputValue()).toBe('grace@example.com');
  await close();
});

test('each figure of the money page leads to rows that add up to it', async () => {
  const { page, close } = await dashboard.visit('home');
  await page.getByRole('link', { name: /Waiting for a payout$/ }).waitFor();
  const days = page.getByRole('region', { name: 'This period' });
  const figure = days.getByRole('link', { name: /^Sold/ });
  const sold = (await figure.locator('strong').textContent()) ?? '';
  const chart = page.getByRole('slider', { name: /^Sold and refunded/ });
  await chart.press('End');
  expect(await chart.getAttribute('aria-valuetext')).toContain(`: sold so far ${sold}`);
  await page.getByText('By method').click();
  await page.getByRole('row', { name: /^Pay by bank/ }).waitFor();
  await figure.click();
  await page.getByRole('heading', { level: 1, name: 'Sold' }).waitFor();
  await page.locator('tbody tr[data-link]').first().waitFor();
  const amounts = await page.locator('tbody td:first-child').allTextContents();
  const pounds = amounts.map((text) => Number(text.replace(/[£,]/g, '').replace('−', '-')));
  const sum = pounds.reduce((all, each) => all + each, 0);
  expect(sold).toBe(`£${sum.toLocaleString('en-GB', { minimumFractionDigits: 2 })}`);
  await close();
});

test('a payout is mailed to who chose it, shows its amount, and lines that add up to it', async () => {
  const { request } = dashboard.sandbox;
  const settings = await dashboard.visit('settings/notifications');
  await settings.page.getByLabel('A payout is paid').check();
  const choice = settings.page.getByRole('region', { name: 'Email me when' });
  await choice.getByRole('button', { name: 'Save' }).click();
  await choice.getByText('Saved.').waitFor();
  expect(settings.said).toEqual([]);
  await settings.close();
  await waitUntil(async () => {
    await request('POST', '/api/sandbox/clock', { body: { advanceMs: 24 * 3_600_000 } });
    const { body } = await request('GET', '/api/payouts');
    return body.totalCount > 0;
  }, patience);
  const { page, said, close } = await dashboard.visit('payouts');
  await page.locator('tbody a').first().click();
  await page.getByRole('heading', { level: 1, name: /^£/ }).waitFor();
  const amount = await page.locator('h1').textContent();
  const lines = page.getByRole('region', { name: 'Lines' }).locator('tbody td:first-child');
  await lines.first().waitFor();
  const pounds = (text: string) => Number(text.replace(/[£,]/g, '').replace('−', '-'));
  const sum = (await lines.allTextContents()).reduce((all, text) => all + pounds(text), 0);
  expect(sum).toBeCloseTo(pounds(amount ?? ''), 2);
  await request('POST', '/api/sandbox/clock', { body: { advanceMs: 5 * 24 * 3_600_000 } });
  const tools = { ...dashboard.sandbox.tools, dashboardUrl: dashboard.addressOf('/').slice(0, -1) };
  const subject = `Sandbox: Corner Coffee: ${amount} was paid out`;
  await waitUntil(async () => {
    return (await listCaughtMails(tools, 20)).some((mail) => mail.subject === subject);
  }, patience);
  expect(said).toEqual([]);
  await close();
});

test('a dispute is found, answered with a file and sent once, on a phone too', async () => {
  const { request } = dashboard.sandbox;
  const body = { customerId: 'eve', orderId: 'INV-1050', amount: 64 };
  const made = await request('POST', '/api/payments/process-payment', { body });
  const { paymentRequestId } = made.body;
  await request('POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
    body: { method: 'CARD', cardNumber: '4000000000000259' },
  });
  const visited = await dashboard.visit('payments', { ...phone, bypassCSP: true });
  const { page, said, open, close } = visited;
  await page.getByRole('table').getByText('Disputed', { exact: true }).waitFor();
  await open('home');
  await page.getByRole('link', { name: /disputed \(INV-1050\)/ }).click();
  const form = page.getByRole('form', { name: 'Your answer' });
  await form.getByLabel('Anything else').fill('winning_evidence');
  const send = form.getByRole('button', { name: 'Send the answer' });
  const file = {
    name: 'receipt.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  };
  await form.locator('input[type=file]').first().setInputFiles(file);
  await form.getByText('receipt.pdf').waitFor();
  await form.getByRole('button', { name: 'Save the draft' }).click();
  await form.getByText('Saved.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate<string[]>(lowButtons)).toEqual([]);
  await send.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('it cannot be changed').waitFor();
  await dialog.getByRole('button', { name: 'Send the answer' }).click();
  await page.getByText('Decided in your favour').waitFor();
  await page.getByText(/Ada Lovelace sent it/).waitFor();
  expect(await page.getByRole('region', { name: 'Answer' }).textContent()).toContain('receipt.pdf');
  expect(said).toEqual([]);
  await close();
});

// Every page in both colours: accessibility.long.test.ts.
test.each(isLongRun ? (['light', 'dark'] as const) : (['light'] as const))(
  'in %s axe finds nothing on a phone: till, open filters, newest forms; each is for a finger',
  async (colorScheme) => {
    const [id = ''] = traded.paymentIds;
    const options = { ...phone, colorScheme, bypassCSP: true };
    const { page, open, close } = await dashboard.visit('payments', options);
    const looks = async (name: string) => {
      expect(await axeFindings(page), name).toEqual([]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, name).toBeLessThanOrEqual(phone.viewport.width);
      const low = await page.evaluate<string[]>(lowButtons);
      expect(low, name).toEqual([]);
    };
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('button', { name: /^Show [\d,]+ payments$/ }).waitFor();
    await looks('open filters');
    for (const path of isLongRun ? ['till', 'disputes', 'settings/payments'] : ['till', 'home']) {
      await open(path);
      await looks(path);
    }
    await open(`payments/${id}`);
    await page.getByRole('button', { name: 'Email the receipt', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Email address').waitFor();
    await looks('receipt');
    await close();
  },
);

const lowButtons = `[...document.querySelectorAll('button, select')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5)
  .map((each) => each.outerHTML.slice(0, 120))`;

test('signs up, signs in with a passkey alone, and comes to a first paid payment', async () => {
  const { page, said, close } = await dashboard.visit('/sign-up');
  await page.context().clearCookies();
  const start = new URL(dashboard.addressOf('/sign-up'));
  // Browsers know no passkeys of an address in numbers.
  start.hostname = 'localhost';
  await addAuthenticator(page);
  await page.goto(start.href);
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Business').fill('Harbour Books');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.locator('input[name=password]').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.waitForURL(/\/sandbox\/home/);
  await page.getByText('Harbour Books').first().waitFor();
  await page.goto(new URL('/dashboard/account', start).href);
  await page.getByText('This device, added').waitFor();
  await page.getByText('Off. Your passkey needs no code,').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Grace Hopper' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(/\/sandbox\/home/);
  expect(await waysOf(dashboard.sandbox, 'grace@example.com')).toEqual(['passkey']);
  const own = page.url().replace(/home.*$/, '');
  await page.goto(`${own}settings/team`);
  await page.getByRole('cell', { name: 'Passkey, or password alone' }).waitFor();
  await page.goto(`${own}developers/sandbox`);
  await page.getByRole('button', { name: 'Paid', exact: true }).click();
  await page.getByText('Paid', { exact: true }).nth(1).waitFor();
  await page.goto(`${own}payments`);
  await page.locator('tbody tr', { hasText: 'Paid' }).waitFor();
  expect(said.filter((line) => !line.includes('401'))).toEqual([]);
  await close();
});

test('a refund and the figures change by themselves while they are looked at', async () => {
  const { request } = dashboard.sandbox;
  const [, id = ''] = traded.paymentIds;
  const payment = await dashboard.visit(`payments/${id}`);
  await request('POST', '/api/refund', { body: { paymentRequestId: id, amount: 3 } });
  await payment.page.getByRole('region', { name: 'Refunds' }).getByText('£3.00').waitFor();
  const failing = { paymentRequestId: id, amount: 4, refundNotes: 'FAILURE TEST' };
  await request('POST', '/api/refund', { body: failing });
  await payment.open('refunds');
  await payment.page.getByRole('link', { name: 'Refund again' }).click();
  await payment.page.getByRole('dialog').getByRole('button', { name: 'Refund £4.00' }).waitFor();
  await payment.close();
  const { page, close } = await dashboard.visit('home');
  const figure = page.getByRole('link', { name: /^Sold/ }).locator('strong');
  const sold = await figure.textContent();
  const order = { orderId: 'INV-1047', customerId: 'ada', amount: 3.1 };
  const { body } = await request('POST', '/api/payments/process-payment', { body: order });
  await request('POST', `/api/sandbox/payment-requests/${body.paymentRequestId}/pay`, { body: {} });
  await waitUntil(async () => (await figure.textContent()) !== sold, patience);
  await close();
});

longTest(
  'who should get the statement of a month is set, and the sandbox shows the mail',
  async () => {
    const { page, said, open, close } = await dashboard.visit('settings/notifications');
    const form = page.getByRole('form', { name: 'Monthly statement' });
    const emails = form.getByLabel('Email each monthly statement to');
    await emails.fill('ada@books.example\nbob');
    expect(await form.getByText('bob is not an email address.').isVisible()).toBe(true);
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await emails.fill('ada@books.example');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved.').waitFor();
    const body = { advanceMs: 32 * 24 * 3_600_000 };
    const moved = await dashboard.sandbox.request('POST', '/api/sandbox/clock', { body });
    expect(moved.body.remainingMs).toBe(0);
    await open('developers/sandbox');
    const mail = page.getByText(/^Sandbox: Corner Coffee: statement of /).first();
    await mail.click();
    await page.getByText(/Sold: £\d[\s\S]+\/home\/statement\?month=/).waitFor();
    expect(said).toEqual([]);
    await close();
  },
);
