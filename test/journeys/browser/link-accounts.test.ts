import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { openReceiver } from '../../harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;
let browser: Browser;
// A browser is not sent to an address that a test only pretends to serve: the merchant is real.
let shop: Awaited<ReturnType<typeof openReceiver>>;
beforeAll(async () => {
  [sandbox, browser, shop] = await Promise.all([openSandbox(), openBrowser(), openReceiver()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await sandbox.close();
});

const range = 'from=2020-01-01&before=2030-01-01&page=0&itemsPerPage=100';

const initiate = async () =>
  (
    await sandbox.request('POST', '/api/bank/auth/initiate', {
      body: { redirectUrl: `${shop.url}?basket=7`, callbackParams: { user: 'ada' } },
    })
  ).body as { readonly url: string; readonly accountAuthId: string };

/** Chooses the bank, reads the consent, agrees. */
const agree = async (page: Page, url: string, bank: string): Promise<void> => {
  await page.goto(url);
  await page.locator(`a[href*="institutionId=${bank}"]`).click();
  await page.getByRole('heading', { level: 1, name: 'Check what you are sharing' }).waitFor();
  await page.getByRole('button', { name: /agree and continue/i }).click();
};

/** The address of the shop, where the browser ends. */
const atShop = async (page: Page): Promise<URLSearchParams> => {
  await page.waitForURL((address) => address.href.startsWith(shop.url));
  return new URL(page.url()).searchParams;
};

const newPage = async (javaScriptEnabled: boolean): Promise<Page> =>
  (await browser.newContext({ javaScriptEnabled })).newPage();

// The journey of two banks has a script.
const ways = isLongRun ? [true, false] : [false];

describe.each(ways)('a customer links accounts, JavaScript %s', (javaScriptEnabled) => {
  test('at the bank of static data; they are read, confirmed and ended', async () => {
    const page = await newPage(javaScriptEnabled);
    const { url, accountAuthId } = await initiate();
    await agree(page, url, 'mock-sandbox-v1');
    await page.getByRole('link', { name: 'Approve' }).click();
    const back = await atShop(page);
    expect(Object.fromEntries(back)).toMatchObject({
      status: 'SUCCESS',
      accountAuthId,
      basket: '7',
      user: 'ada',
    });
    const [accountId] = (back.get('bankAccountIds') ?? '').split(',');
    // A worker reads the bank; the first read waits for it.
    const read = await sandbox.request(
      'GET',
      `/api/bank/accounts/${accountId}/transactions?${range}`,
    );
    expect([read.status, read.body.totalCount]).toEqual([200, 62]);
    await page.goto(url);
    await page.getByRole('button', { name: 'Confirm for 90 days' }).click();
    await page.getByText('may read your accounts until').waitFor();
    await page.getByRole('button', { name: 'End access' }).click();
    await page.getByRole('heading', { level: 1, name: 'Access has ended' }).waitFor();
    const refused = await sandbox.request('GET', `/api/bank/accounts/${accountId}`);
    expect([refused.status, refused.body.name]).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
  });

  const refusals = [
    ['Decline', 'CANCELLED'],
    ['Let it fail', 'FAILED'],
  ] as const;
  test.each(isLongRun ? refusals : refusals.slice(0, 1))(
    'and at the bank presses %s',
    async (name, status) => {
      const page = await newPage(javaScriptEnabled);
      const { url } = await initiate();
      await agree(page, url, 'mock-sandbox-v1');
      await page.getByRole('link', { name }).click();
      expect((await atShop(page)).get('status')).toBe(status);
    },
  );

  longTest('or does not connect', async () => {
    const page = await newPage(javaScriptEnabled);
    const { url } = await initiate();
    await page.goto(url);
    await page.getByRole('button', { name: 'Do not connect' }).click();
    expect((await atShop(page)).get('status')).toBe('CANCELLED');
  });
});

const readAll = (accountId: string) =>
  sandbox.request('GET', `/api/bank/accounts/${accountId}/transactions?${range}`);

longTest(
  'a customer links two banks, their accounts are read live, and one is revoked',
  async () => {
    const page = await newPage(true);
    const linked: Record<string, { id: string; accountId: string }> = {};
    for (const bank of ['harbour-sandbox', 'northfield-sandbox']) {
      const { url, accountAuthId } = await initiate();
      await agree(page, url, bank);
      await page.locator('form[data-step="login"] [name="username"]').fill('approve');
      await page.locator('form[data-step="login"] button').first().click();
      await page.locator('form[data-step="approve"] button[value="approve"]').click();
      const back = await atShop(page);
      expect(back.get('status')).toBe('SUCCESS');
      const [accountId = ''] = (back.get('bankAccountIds') ?? '').split(',');
      linked[bank] = { id: accountAuthId, accountId };
    }
    for (const [bank, { id, accountId }] of Object.entries(linked)) {
      const { status, body } = await readAll(accountId);
      expect([bank, status]).toEqual([bank, 200]);
      expect(body.totalCount).toBeGreaterThan(0);
      const accounts = await sandbox.request('GET', `/api/bank/${id}/accounts`);
      expect(accounts.body[0]).toMatchObject({
        accountId,
        sortCode: expect.stringMatching(/^\d{6}$/),
      });
      const balance = await sandbox.request('GET', `/api/bank/accounts/${accountId}/balance`);
      expect(balance.body).toEqual({ balance: expect.any(Number), currency: 'GBP' });
    }
    const [one, other] = Object.values(linked);
    if (!one || !other) throw new Error('two banks');
    const revoked = await sandbox.request('POST', '/api/bank/auth/revoke', {
      body: { accountAuthId: one.id },
    });
    expect(revoked.body).toEqual({ revokedCount: 1 });
    expect((await readAll(one.accountId)).body.name).toBe('BANK_AUTHORISATION_REQUIRED');
    expect((await readAll(other.accountId)).status).toBe(200);
  },
);

test.each([
  ['SUCCESS', 'SUCCESS'],
  ['CANCELLED', 'CANCELLED'],
])('the driver links a live bank: %s', async (outcome, status) => {
  const { accountAuthId } = await initiate();
  const path = `/api/sandbox/bank/auth/${accountAuthId}/link`;
  const { body } = await sandbox.request('POST', path, {
    body: { institutionId: 'harbour-sandbox', outcome },
  });
  expect(new URL(body.redirectUrl).searchParams.get('status')).toBe(status);
});
