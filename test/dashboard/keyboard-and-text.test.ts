import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../contract/index.ts';
import { systemClock } from '../../service/src/platform/clock.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { longTest } from '../harness/long-test.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { focused, retype, tabTo } from './keyboard-steps.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

const member = () => ({
  merchantId: dashboard.sandbox.merchant.merchantId,
  origin: dashboard.sandbox.url,
});

const signInByKeyboard = async () => {
  const { email, password, personId } = await signIn(dashboard.sandbox.tools, member());
  const visit = await dashboard.visit('/sign-in');
  const { page, open } = visit;
  await page.context().clearCookies();
  await open('/sign-in');
  await tabTo(page, page.getByLabel('Email'));
  await page.keyboard.type(email);
  await tabTo(page, page.locator('input[name=password]'));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sandbox\/home/);
  return { ...visit, personId, password };
};

longTest('by the keyboard alone a person signs in, and the focus is then in the page', async () => {
  // Home of a business that never sold has no figures.
  await pay('INV-1040', 12);
  const { page, said, close } = await signInByKeyboard();
  await waitUntil(async () => (await focused(page)) === 'the page');
  await tabTo(page, page.getByRole('link', { name: /^Sold/ }).first());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sold' }).waitFor();
  await waitUntil(async () => (await focused(page)) === 'the page');
  expect(said.filter((line) => !line.includes('401'))).toEqual([]);
  await close();
});

const pay = async (orderId: string, amount: number): Promise<string> => {
  const { request } = dashboard.sandbox;
  const body = { orderId, customerId: 'ada', amount };
  const created = await request('POST', '/api/payments/process-payment', { body });
  const { paymentRequestId: id } = created.body;
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body: {} });
  return id;
};

longTest('by the keyboard alone a payment is found and opened', async () => {
  const id = await pay('INV-1042', 1_240);
  const { page, close } = await dashboard.visit('payments');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('/');
  await page.keyboard.type('INV-1042');
  await page.waitForURL(/search=INV-1042/);
  await page.getByText('1 payment', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('£1,240.00');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`payments/${id}$`));
  await page.getByRole('heading', { level: 1, name: '£1,240.00' }).waitFor();
  await close();
});

test('one search finds a payment from any page by what names it, a customer and a payout', async () => {
  const { request } = dashboard.sandbox;
  const id = await pay('INV-1043', 1_241);
  const customer = { fullName: 'Grace Hopper', email: 'grace@example.com' };
  expect((await request('POST', '/api/customers', { body: customer })).status).toBe(200);
  const { page, close } = await dashboard.visit('settings/stores');
  const dialog = page.getByRole('dialog', { name: 'Search everything' });
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await dialog.getByRole('searchbox').fill(text);
  };
  // At once: the field may not be there yet, and what is typed is kept for it.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('INV-1043', { delay: 40 });
  const found = dialog.getByRole('region', { name: 'Payments' }).getByRole('link');
  await found.getByText('£1,241.00 · INV-1043').waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^£1,241.00/);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`payments/${id}$`));
  await dialog.waitFor({ state: 'detached' });
  const status = await request('GET', `/api/payments/payment-status/${id}?type=request`);
  const { paymentIdempotencyId } = status.body;
  await find(paymentIdempotencyId.toLowerCase());
  await dialog.getByRole('link', { name: 'Payment INV-1043' }).waitFor();
  await dialog.getByRole('searchbox').fill('grace@');
  await dialog.getByRole('link', { name: 'Grace Hopper grace@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
  await find('nothing is called so');
  await dialog.getByText('Nothing found for “nothing is called so”.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await close();
});

const ageSessions = statement<{ readonly personId: string; readonly age: string }, never>(
  'test_sessions_age_of_person',
  sql('personId', 'age')`
   update person_session set authenticated_at = authenticated_at - :age::interval
   where person_id = :personId::uuid`,
);

test('by the keyboard alone a part is refunded after the password was confirmed', async () => {
  const { request, tools } = dashboard.sandbox;
  const id = await pay('INV-3001', 12.5);
  const { personId, password, page, open, close } = await signInByKeyboard();
  await tools.database.system(ageSessions, { personId, age: `${limits.stepUpMs} ms` });
  await open(`payments/${id}`);
  await tabTo(page, page.getByRole('button', { name: 'Refund', exact: true }));
  await page.keyboard.press('Enter');
  await waitUntil(async () => (await focused(page)) === 'Amount in pounds');
  await page.keyboard.press('Escape');
  await waitUntil(async () => (await focused(page)) === 'Refund');
  await page.keyboard.press('Space');
  await waitUntil(async () => (await focused(page)) === 'Amount in pounds');
  await retype(page, '4.20');
  await tabTo(page, page.getByRole('button', { name: 'Refund £4.20' }));
  await page.keyboard.press('Enter');
  await waitUntil(async () => (await focused(page)).startsWith('Your password'));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Refunds' }).getByText('£4.20').waitFor();
  await waitUntil(async () => (await focused(page)) === 'Refund');
  const refunds = await request('GET', `/api/refund/${id}`);
  expect(refunds.body).toMatchObject([{ refundAmount: '4.20' }]);
  await close();
});

longTest('by the keyboard alone a secret is created, which only reads', async () => {
  const { page, said, close } = await dashboard.visit('developers/secrets');
  await tabTo(page, page.getByRole('button', { name: 'New secret' }));
  await page.keyboard.press('Enter');
  await waitUntil(async () => (await focused(page)) === 'Name');
  await page.keyboard.type('Till 7');
  await tabTo(page, page.getByLabel('Read and write'));
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Read only');
  const origins = page.getByLabel('Web pages that may call');
  await tabTo(page, origins);
  await page.keyboard.type('not an origin');
  const create = page.getByRole('button', { name: 'Create secret' });
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('webOrigins must be origins').first().waitFor();
  await waitUntil(async () => (await focused(page)) === 'Create secret');
  await tabTo(page, origins);
  await retype(page, 'https://shop.example');
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /Till 7/ });
  await row.getByText('Read', { exact: true }).waitFor();
  await waitUntil(async () => (await focused(page)) === 'New secret');
  expect(said.filter((line) => !line.includes('400'))).toEqual([]);
  await close();
});

longTest('by the keyboard alone a sale is shown at the till and made void', async () => {
  const { page, said, close } = await dashboard.visit('till');
  await page.keyboard.type('1250');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: '£12.50' }).waitFor();
  await waitUntil(async () => (await focused(page)) === 'the page');
  await tabTo(page, page.getByRole('button', { name: 'Void' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await waitUntil(() => dialog.evaluate((box) => box.contains(box.ownerDocument.activeElement)));
  await tabTo(page, dialog.getByRole('button', { name: 'Void £12.50' }));
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Void').waitFor();
  // The button is gone with what it did: the focus stays in the page.
  await waitUntil(async () => (await focused(page)) === 'the page');
  await tabTo(page, page.getByRole('button', { name: 'Next sale' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor();
  expect(said).toEqual([]);
  await close();
});

test('a list that waits shows a skeleton after 300 ms, not before', async () => {
  const { page, close } = await dashboard.visit('developers/secrets');
  const { promise, resolve: answer } = deferred();
  await page.route(/\/secrets(\?|$)/, async (route) => {
    if (route.request().resourceType() !== 'document') await promise;
    await route.continue();
  });
  const table = page.locator('table[aria-busy=true]');
  const skeletons = page.locator('tbody [data-visible=true]');
  await page.clock.install();
  await page.clock.pauseAt(systemClock.now().getTime() + 3_600_000);
  await page.goto(dashboard.addressOf('developers/secrets'));
  // The page waits for its turn by timers, too: a millisecond at a time, until the table is there.
  await waitUntil(async () => {
    await page.clock.runFor(1);
    return (await table.count()) > 0;
  });
  await page.clock.runFor(295);
  expect(await skeletons.count()).toBe(0);
  await page.clock.runFor(5);
  await waitUntil(async () => (await skeletons.count()) > 0);
  await page.clock.resume();
  answer();
  await page
    .getByRole('row', { name: /Default|Till/ })
    .first()
    .waitFor();
  expect(await skeletons.count()).toBe(0);
  await close();
});

const deferred = () => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

const tickAndSort = `(() => {
  document.querySelector('[aria-label=Status] input[type=checkbox]').click();
  document.querySelector('th[aria-sort=none] button').click();
})()`;

test('two filters chosen before the page is drawn again are both kept', async () => {
  const { page, close } = await dashboard.visit('payments');
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByLabel('Status', { exact: true }).getByRole('checkbox').first().waitFor();
  // In one task of the browser, as when a typed amount is applied the moment a box is ticked.
  await page.evaluate(tickAndSort);
  await page.waitForURL(/orderBy=LARGEST&status=COMPLETED$/);
  await page.getByRole('button', { name: /^Status: All paid/ }).waitFor();
  const amount = page.getByRole('columnheader', { name: 'Amount' });
  expect(await amount.getAttribute('aria-sort')).toBe('descending');
  await page.keyboard.press('Escape');
  await amount.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/orderBy=SMALLEST/);
  await close();
});

test('what somebody wrote is shown as text and runs nowhere', async () => {
  const { sandbox } = dashboard;
  const hostile = '<img src=x onerror="ran=1">';
  const { merchantId } = sandbox.merchant;
  const { headers } = await signIn(sandbox.tools, {
    merchantId,
    origin: sandbox.url,
    name: hostile,
  });
  const done = async (method: string, path: string, body: object): Promise<string> => {
    const reply = await sandbox.request(method, path, { secret: null, headers, body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body.paymentRequestId ?? reply.body.id;
  };
  const own = `/dashboard/api/merchants/${merchantId}/sandbox`;
  const customerId = await done('POST', `${own}/api/customers`, {
    ...{ fullName: hostile, email: 'x@example.com' },
  });
  const paymentId = await done('POST', `${own}/api/payments/process-payment`, {
    ...{
      orderId: hostile,
      customerId: 'c-1',
      amount: 12.5,
      notes: hostile,
    },
    callbackParams: { note: `${hostile}</script><script>ran=1</script>` },
  });
  await done('POST', `${own}/stores`, { locationName: hostile });
  await done('POST', `${own}/team/invites`, { email: 'x@example.com', role: 'cashier' });
  const { page, open, close } = await dashboard.visit(`payments/${paymentId}`);
  for (const path of [
    ...[`payments/${paymentId}`, `customers/${customerId}`, 'settings/team', 'settings/audit'],
    ...(isLongRun ? [`payments/${paymentId}?tab=json`, 'customers', 'settings/stores'] : []),
  ]) {
    await open(path);
    expect(await page.getByText('<img src=x onerror').count(), path).toBeGreaterThan(0);
    expect(await page.evaluate('typeof ran'), path).toBe('undefined');
    expect(await page.locator('img[src="x"]').count(), path).toBe(0);
  }
  await close();
});
