import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../web/checkout/src/test/visit.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { longTest } from '../harness/long-test.ts';
import { openReceiver, type Receiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';
import { countOpened, hold } from './trade-steps.ts';

const patience = { withinMs: 45_000, everyMs: 100 };

let dashboard: Dashboard;
let receiver: Receiver;

beforeAll(async () => {
  [dashboard, receiver] = await Promise.all([openDashboard(), openReceiver()]);
});

afterAll(async () => {
  await dashboard?.close();
  await receiver?.close();
});

const isSound = async (page: Page): Promise<void> => {
  expect(await axeFindings(page)).toEqual([]);
  const { width } = page.viewportSize() ?? { width: 0 };
  const drawn = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(drawn).toBeLessThanOrEqual(width);
};

test('a failing webhook is seen with its reason, mended and delivered again', async () => {
  receiver.answer((_, reply) => void reply.writeHead(404).end('no such page'));
  const { page, said, close } = await dashboard.visit('developers/webhooks', { bypassCSP: true });
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Address').fill(receiver.url);
  await form.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByRole('link', { name: receiver.url }).waitFor();

  const body = { eventType: 'PAYMENTS_STATUS', orderId: 'INV-7', amount: 12.5 };
  expect((await dashboard.sandbox.request('POST', '/api/webhook/test', { body })).status).toBe(200);
  await page.getByText('There is nothing at this address (404).').waitFor();
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('alert').getByText('This endpoint is failing').waitFor();
  await page.locator('[data-row-link]', { hasText: 'PAYMENTS_STATUS' }).click();
  await page.getByText('no such page').first().waitFor();
  const advice = page.getByText('Compare the path with the route of your server.');
  expect(await advice.count()).toBeGreaterThan(1);
  await isSound(page);

  receiver.answer((_, reply) => void reply.end('ok'));
  const isDue = `update delivery set due_at = now() where state = 'PENDING'`;
  await dashboard.sandbox.tools.database.system<object, object>(
    { name: '', text: isDue, valueNames: [] },
    {},
  );
  await page.getByText('Delivered', { exact: true }).first().waitFor(slow);
  const before = receiver.received.length;
  await page.getByRole('button', { name: 'Deliver again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Deliver again' }).click();
  await dialog.waitFor({ state: 'detached' });
  await waitUntil(() => receiver.received.length > before, patience);
  const ids = receiver.received.map(({ headers }) => headers['x-service-event-id']);
  expect(new Set(ids).size).toBe(1);
  await page.getByRole('link', { name: 'Deliveries' }).first().click();
  await waitUntil(async () => (await page.locator('tbody tr').count()) === 2, patience);
  expect(said).toEqual([]);
  await close();
});

const slow = { timeout: patience.withinMs };

longTest('a secret made in the dashboard calls the API, and the log shows the call', async () => {
  const { page, close } = await dashboard.visit('developers/secrets', {
    bypassCSP: true,
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  });
  await page.getByRole('button', { name: 'New secret' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Till 1');
  await form.getByLabel('Web pages that may call').fill('not an origin');
  await form.getByRole('button', { name: 'Create secret' }).click();
  await form.getByText('webOrigins must be origins').first().waitFor();
  await form.getByLabel('Web pages that may call').fill('https://shop.example');
  await form.getByRole('button', { name: 'Create secret' }).click();
  await form.waitFor({ state: 'detached' });
  const shown = page.getByRole('status').filter({ hasText: 'it is shown only once' });
  const secret = (await shown.locator('code').textContent()) ?? '';
  const reply = await fetch(`${dashboard.sandbox.url}/api/customers`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(reply.status).toBe(200);
  await isSound(page);
  await page.goto(dashboard.addressOf('developers/requests'));
  await page.getByText('listCustomers').first().waitFor(slow);
  expect(await page.getByText('Till 1').first().isVisible()).toBe(true);
  await isSound(page);
  await page.goto(dashboard.addressOf('developers/secrets'));
  await page.getByText('Till 1').waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
  await close();
});

longTest('in the sandbox a press pays, sends a test event and moves the clock', async () => {
  const { page, said, close } = await dashboard.visit('developers/sandbox', { bypassCSP: true });
  await page.getByRole('button', { name: 'Rejected' }).click();
  await page.getByText('Failed', { exact: true }).waitFor(slow);
  await page.getByRole('button', { name: 'Paid', exact: true }).click();
  await page.getByText('Paid', { exact: true }).nth(1).waitFor(slow);
  await page.getByRole('button', { name: 'PAYMENTS_STATUS', exact: true }).click();
  await page.getByText('It is on its way').waitFor(slow);
  await page.getByRole('button', { name: 'Move on a day' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Move on a day' }).click();
  await page.getByText('It is now').waitFor(slow);
  await isSound(page);
  expect(said).toEqual([]);
  await close();
});

test('settings are typed beside a preview from which nothing can be paid', async () => {
  const { page, said, open, close } = await dashboard.visit('settings/checkout');
  const shown = page.frameLocator('iframe[title="Preview of the checkout"]');
  await shown.getByText('£42.50').first().waitFor();
  const before = await page.evaluate('history.length');
  const preview = page.waitForResponse((reply) => reply.url().includes('/checkout-preview/'));
  await page.getByLabel('Ask customers for a tip').check();
  await page.getByLabel('Choice 3').fill('20');
  await shown.getByText('£8.50').waitFor();
  const headers = (await preview).headers();
  const seen = page.getByRole('region', { name: 'What your customers see' });
  const step = (name: string) => seen.getByText(name, { exact: true }).click();
  await step('Banks');
  await shown.getByText('Choose your bank').first().waitFor();
  await step('Paid');
  await shown.getByText('Payment complete').first().waitFor();
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'self'; sandbox/);
  expect(headers['content-security-policy']).not.toMatch(/script|allow/);
  expect(await shown.locator('body[inert]').count()).toBe(1);
  expect(await page.evaluate('history.length')).toBe(before);
  const tips = page.getByRole('form', { name: 'Tips' });
  await tips.getByRole('button', { name: 'Save' }).click();
  await tips.getByText('Saved.').waitFor();
  await open('settings/stores');
  await page.getByRole('button', { name: 'New store' }).click();
  await page.getByLabel('Name').fill('Harbour');
  await page.getByRole('button', { name: 'Create store' }).click();
  const row = page.locator('tbody tr', { hasText: 'Harbour' });
  await row.getByRole('button', { name: /^More of/ }).click();
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name on the account').fill('Harbour Ltd');
  await dialog.getByLabel('Sort code').fill('08-99-99');
  await dialog.getByLabel('Account number').fill('66374958');
  await dialog.getByRole('button', { name: 'Pay to the account ending 4958' }).click();
  await row.getByText('…4958').waitFor();
  expect(said).toEqual([]);
  await close();
});

test('a preview is for members, from a page of ours', async () => {
  const { url, tools, merchant } = dashboard.sandbox;
  const { headers } = await signIn(tools, { merchantId: merchant.merchantId, origin: url });
  const post = async (sent: Readonly<Record<string, string>>) => {
    const { origin = url, body = '', environment = 'sandbox' } = sent;
    const of = `${sent.merchantId ?? merchant.merchantId}/${environment}`;
    return fetch(`${url}/dashboard/checkout-preview/${of}`, {
      method: 'POST',
      headers: {
        cookie: headers.cookie ?? '',
        origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    });
  };
  expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await post({ merchantId: crypto.randomUUID() })).status).toBe(404);
  const hostile = { businessName: '<script>alert(1)</script>', accentColour: 'red;}', logo: 7 };
  const draft = encodeURIComponent(JSON.stringify(hostile));
  const reply = await post({ body: `draft=${draft}` });
  const html = await reply.text();
  expect(reply.status).toBe(200);
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).not.toContain('<script');
  expect(html).not.toContain('red;}');
  for (const wrong of ['draft=%7B', 'draft=[]', 'draft=null', '', 'step=OTHER'])
    expect((await post({ body: wrong })).status).toBe(200);
  // Each step is the real page, and none of them holds a form that a payment would take.
  const tips = { enabled: true, tipType: 'FIXED', options: [1, 2, 5], allowCustom: true };
  const typed = `draft=${encodeURIComponent(JSON.stringify({ tips }))}`;
  for (const [step, words] of Object.entries({ BANK: 'Choose your bank', PAID: 'EXAMPLE' })) {
    const shown = await (await post({ body: `${typed}&step=${step}` })).text();
    for (const word of [words, '£43.50']) expect(shown).toContain(word);
    expect(shown).not.toContain('<script');
    expect((await post({ environment: 'production', body: `step=${step}` })).status).toBe(200);
  }
});

const paid = async (amount: number): Promise<string> => {
  const { request } = dashboard.sandbox;
  const body = { customerId: 'ada', orderId: 'INV-2001', amount, expiresIn: 3_600_000 };
  const { paymentRequestId: id } = (
    await request('POST', '/api/payments/process-payment', { body })
  ).body;
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body: {} });
  await waitUntil(async () => {
    const { body: read } = await request('GET', `/api/payments/v1/payment-status/${id}`);
    return read.status === 'COMPLETED';
  }, patience);
  return id;
};

longTest('a large refund is proposed by one person and approved by another', async () => {
  const { tools, merchant, url } = dashboard.sandbox;
  const member = { merchantId: merchant.merchantId, origin: url };
  const cashier = await signIn(tools, { ...member, role: 'cashier', name: 'Cas Cashier' });
  const paymentRequestId = await paid(40);
  const owner = await dashboard.visit('settings/profile');
  await owner.page.getByRole('button', { name: 'Change the approval limit' }).click();
  await owner.page.getByLabel('Large refunds need a second person').check();
  await owner.page.getByLabel('Refunds above, in pounds').fill('20');
  await owner.page.getByRole('button', { name: 'Refunds above £20.00 need' }).click();
  await owner.page.getByText('Over £20.00 of a payment').waitFor();
  const proposing = await dashboard.visit(`payments/${paymentRequestId}`, {}, cashier);
  await proposing.page.getByRole('button', { name: 'Propose a refund' }).click();
  await proposing.page.getByLabel('Amount in pounds').fill('25');
  await proposing.page.getByRole('button', { name: 'Propose to refund £25.00' }).click();
  const approvals = proposing.page.getByRole('region', { name: 'Approvals' });
  await approvals.getByText('Waiting').waitFor();
  await owner.open('refunds');
  const waiting = owner.page.getByRole('region', { name: 'Waiting for approval' });
  await waiting.getByText('Cas Cashier').waitFor();
  await waiting.getByRole('button', { name: 'Approve' }).click();
  const asked = owner.page.getByRole('dialog');
  await asked.getByRole('button', { name: /^Approve £25.00 to / }).click();
  await waiting.waitFor({ state: 'detached' });
  await owner.page.locator('tbody').getByText('£25.00').waitFor();
  await proposing.open(`payments/${paymentRequestId}`);
  await approvals.getByText('Approved').waitFor();
  expect([...owner.said, ...proposing.said]).toEqual([]);
  await Promise.all([owner.close(), proposing.close()]);
});

longTest('the funnel counts a page that was opened once, however often', async () => {
  const { request, url } = dashboard.sandbox;
  const body = { customerId: 'ada', orderId: 'INV-OPEN', amount: 3 };
  const created = await request('POST', '/api/payments/process-payment', { body });
  const { page, open, close } = await dashboard.visit('home');
  const before = await countOpened(page);
  const address = `${url}/pay?paymentRequestId=${created.body.paymentRequestId}`;
  // A preview of the link by HEAD opens nothing.
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
  for (let time = 0; time < 3; time += 1) expect((await fetch(address)).status).toBe(200);
  await waitUntil(async () => {
    await open('home');
    return (await countOpened(page)) === before + 1;
  }, patience);
  await close();
});

longTest('held cards are captured and released, and an open request is cancelled', async () => {
  const { sandbox } = dashboard;
  const ada = { fullName: 'Ada Lovelace', email: 'ada@example.com' };
  const customer = await sandbox.request('POST', '/api/customers', { body: ada });
  const [captured = '', released = ''] = await hold(sandbox, customer.body.id, [15, 16]);
  const body = { customerId: 'ada', orderId: 'INV-LEFT', amount: 17, expiresIn: 3_600_000 };
  const left = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const acts = [
    [captured, 'Capture £15.00', 'Capture £15.00', 'COMPLETED'],
    [released, 'Release', 'Release £16.00', 'CANCELLED'],
    [
      left.body.paymentRequestId,
      'Cancel the request',
      'Cancel the request for £17.00',
      'CANCELLED',
    ],
  ] as const;
  const { page, said, open, close } = await dashboard.visit('payments');
  for (const [id, button, act, status] of acts) {
    await waitUntil(async () => {
      await open(`payments/${id}`);
      return (await page.getByRole('button', { name: button, exact: true }).count()) === 1;
    });
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: act });
    await dialog.getByRole('button', { name: act, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await waitUntil(async () => {
      const found = await sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
      return found.body.status === status;
    });
  }
  expect(said).toEqual([]);
  await close();
});
