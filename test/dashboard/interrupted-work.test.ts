import {
  getDisputeAnswer,
  saveDisputeEvidence,
  signOut,
} from '@florin/contract/dashboard/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberCalls } from '../../service/src/modules/dashboard/test/member-calls.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { longTest } from '../harness/long-test.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

test('a session that ends keeps a filled form, and says why it asks for the password', async () => {
  const { sandbox } = dashboard;
  const { merchantId } = sandbox.merchant;
  const person = await signIn(sandbox.tools, { merchantId, origin: sandbox.url });
  const { page, close } = await dashboard.visit('links', {}, person);
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Amount in pounds').fill('12.50');
  await page.getByRole('textbox', { name: 'Order' }).fill('INV-2001');
  await sandbox.request(signOut.method, signOut.path, { secret: null, headers: person.headers });
  // On a slow machine the page has heard of it already, and the dialog lies over the button.
  await page.locator('button', { hasText: 'Create a link for £12.50' }).dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByText(`Sign in again as ${person.email}`).waitFor();
  await dialog.locator('input[name=password]').fill('not this one');
  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  await dialog.getByText('That is not right.').waitFor();
  await dialog.locator('input[name=password]').fill(person.password);
  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Order' }).inputValue()).toBe('INV-2001');
  await page.getByRole('button', { name: 'Create a link for £12.50' }).click();
  await page.waitForURL(/\/links\/[0-9a-f-]{36}$/);
  await close();
});

test('a page forgets what it showed when the session ends, a half-filled form ten minutes on', async () => {
  const { sandbox } = dashboard;
  const body = { customerId: 'eve', orderId: 'INV-1070', amount: 70 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const paying = `/api/sandbox/payment-requests/${made.body.paymentRequestId}/pay`;
  const card = { method: 'CARD', cardNumber: '4242424242424242' };
  expect((await sandbox.request('POST', paying, { body: card })).status).toBe(200);
  for (const isTyped of [false, true]) {
    const { merchantId } = sandbox.merchant;
    const person = await signIn(sandbox.tools, { merchantId, origin: sandbox.url });
    const { page, close } = await dashboard.visit(isTyped ? 'links' : 'payments', {}, person);
    await page.clock.install();
    if (!isTyped) await page.getByText('INV-1070').first().waitFor();
    const signOutElsewhere = () =>
      sandbox.request(signOut.method, signOut.path, { secret: null, headers: person.headers });
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    const again = dialog.getByText(`Sign in again as ${person.email}`);
    if (isTyped) {
      await page.getByRole('button', { name: 'New link' }).click();
      await page.getByLabel('Amount in pounds').fill('12.50');
      await page.getByRole('textbox', { name: 'Order' }).fill('INV-2002');
      await signOutElsewhere();
      await page.locator('button', { hasText: 'Create a link for £12.50' }).dispatchEvent('click');
      await again.waitFor();
      await page.clock.fastForward('09:00');
      expect(await page.getByLabel('Amount in pounds').inputValue()).toBe('12.50');
      await page.clock.fastForward('01:01');
    } else {
      await signOutElsewhere();
      await page.getByRole('link', { name: 'Payouts', exact: true }).click();
    }
    await again.waitFor();
    await page.locator('main').waitFor({ state: 'detached' });
    expect(await page.locator('#root').textContent()).not.toContain('INV-1070');
    await dialog.locator('input[name=password]').fill(person.password);
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await close();
  }
});

longTest(
  'a session that ended before a page is opened leads to the sign-in, which says so',
  async () => {
    const { sandbox } = dashboard;
    const { merchantId } = sandbox.merchant;
    const person = await signIn(sandbox.tools, { merchantId, origin: sandbox.url });
    const { page, said, open, close } = await dashboard.visit('payments', {}, person);
    await page.goto('about:blank');
    await sandbox.request(signOut.method, signOut.path, { secret: null, headers: person.headers });
    await open('payouts?status=SETTLED');
    await page.getByText('Your session has ended. Sign in').waitFor();
    await page.getByLabel('Email').fill(person.email);
    await page.locator('input[name=password]').fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/payouts\?status=SETTLED$/);
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    expect(said).toEqual([]);
    await close();
  },
);

longTest(
  'a visitor who is not signed in comes to the sign-in page, which knows the way back',
  async () => {
    const { page, said, open, close } = await dashboard.visit('payments?status=FAILED');
    await Promise.all([page.goto('about:blank'), page.context().clearCookies()]);
    await open('payments?status=FAILED');
    await page.waitForURL(/\/sign-in\?next=/);
    const next = new URL(page.url()).searchParams.get('next');
    expect(next).toBe(`/${dashboard.sandbox.merchant.merchantId}/sandbox/payments?status=FAILED`);
    expect(said).toEqual([]);
    await close();
  },
);

test('a half-filled form asks before it is left', async () => {
  const { page, close } = await dashboard.visit('links');
  await page.getByRole('button', { name: 'New link' }).click();
  const amount = page.getByLabel('Amount in pounds');
  const leave = page.getByRole('link', { name: 'Payments', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await amount.fill('12.50');
  await leave.click();
  await dialog.getByRole('button', { name: 'Stay here' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await amount.inputValue()).toBe('12.50');
  const asked = page.waitForEvent('dialog');
  await page.evaluate('setTimeout(() => location.reload())');
  const ofBrowser = await asked;
  expect(ofBrowser.type()).toBe('beforeunload');
  await ofBrowser.dismiss();
  await leave.click();
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  await close();
});

test('without the server the page stays, says for how long, and goes on when it is back', async () => {
  const { page, close } = await dashboard.visit('payments');
  await page.context().setOffline(true);
  const notice = page.getByText(/The server has not answered for /);
  await notice.waitFor();
  await page.getByRole('link', { name: 'Payouts', exact: true }).click();
  await page.getByText('This page is loading.').waitFor();
  expect(await notice.isVisible()).toBe(true);
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
  await notice.waitFor({ state: 'detached' });
  await close();
});

test('before its code is there a page says that it opens, and a busy server is said in words', async () => {
  const { page, close } = await dashboard.visit('home');
  let send = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route('**/dashboard/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  // As a proxy before the server answers: a page of its own.
  const busy = '**/sandbox/disputes?*';
  await page.route(busy, (route) =>
    route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>503</h1>' }),
  );
  await page.goto(dashboard.addressOf('disputes'), { waitUntil: 'commit' });
  await page.getByText('Opening Florin…').waitFor();
  send();
  await page.getByText('The server did not answer.').waitFor();
  await page.unroute(busy);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No disputes' }).waitFor();
  await close();
});

test('what another member saved meanwhile is shown beside what was typed, and neither is lost', async () => {
  const { sandbox } = dashboard;
  const body = { customerId: 'eve', orderId: 'INV-1060', amount: 64 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const { paymentRequestId } = made.body;
  await sandbox.request('POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
    body: { method: 'CARD', cardNumber: '4000000000000259' },
  });
  const { page, close } = await dashboard.visit(`payments/${paymentRequestId}`);
  await page.getByRole('link', { name: 'Answer the dispute' }).click();
  const form = page.getByRole('form', { name: 'Your answer' });
  const other = form.getByLabel('Anything else');
  await other.fill('Mine');
  const { merchantId } = sandbox.merchant;
  const { headers } = await signIn(sandbox.tools, { merchantId, origin: sandbox.url });
  const call = memberCalls(sandbox as never, headers);
  const params = { paymentRequestId, disputeReference: page.url().split('/').at(-1) ?? '' };
  const saved = await call(saveDisputeEvidence, {
    params,
    body: { version: 0, evidence: { other: 'Theirs' } },
  });
  expect(saved.status).toBe(200);
  const notice = form.getByText('Another member saved this answer');
  await notice.waitFor();
  await form.getByText('Theirs: Anything else').waitFor();
  expect(await other.inputValue()).toBe('Mine');
  expect(await form.getByRole('button', { name: 'Save the draft' }).isDisabled()).toBe(true);
  await form.getByRole('button', { name: 'Keep what I typed' }).click();
  await notice.waitFor({ state: 'detached' });
  await form.getByRole('button', { name: 'Save the draft' }).click();
  await form.getByText('Saved.').waitFor();
  const of = await call(getDisputeAnswer, { params });
  expect(of.body).toMatchObject({ version: 2, evidence: { other: 'Mine' } });
  await close();
});
