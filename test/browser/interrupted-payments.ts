import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { type Visit, visit } from '../../web/checkout/src/test/visit.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { longTest } from '../harness/long-test.ts';
import {
  approveAtBank,
  chooseBank,
  continueToBank,
  logInAtBank,
  waitForHeading,
} from './bank-steps.ts';
import { browser, journey } from './journey.ts';
import { samplePayments } from './sample-payments.ts';

const visits: Visit[] = [];

afterEach(() => Promise.all(visits.splice(0).map(({ close }) => close())));

const patience = { timeout: 120_000 };
const minute = 60_000;

/** Another device or browser: nothing is shared with earlier pages. */
const open = async (id: string, options = {}): Promise<Page> => {
  const opened = await visit(browser, options);
  visits.push(opened);
  await opened.page.goto(`${journey.sandbox.url}/pay?paymentRequestId=${id}`);
  return opened.page;
};

const paidOnce = async (id: string): Promise<void> => {
  await journey.becomes(id, 'COMPLETED .*');
  const attempts = await journey.attemptsOf(id);
  expect(attempts.filter(({ status }) => status === 'COMPLETED')).toHaveLength(1);
};

/** Approves at the bank without returning; answers the return address. */
const approveAndLoseTheReturn = async (id: string): Promise<string> => {
  const parameters = await journey.payer.approve(await journey.payer.start(id));
  return `${journey.sandbox.url}/bank-return?${new URLSearchParams(parameters ?? {})}`;
};

longTest('a payer who lost the return pays once with a second attempt', patience, async () => {
  const id = await journey.create();
  const lost = await approveAndLoseTheReturn(id);
  const again = await open(id);
  await again.getByText('You started a payment with').waitFor();
  await again.getByText('Choose another bank').click();
  await chooseBank(again);
  await continueToBank(again);
  await logInAtBank(again);
  await approveAtBank(again);
  await waitForHeading(again, 'Payment complete');
  await again.goto(lost);
  await waitForHeading(again, 'Payment complete');
  await paidOnce(id);
});

longTest(
  'two taps lead from the link to the bank, and one with a remembered bank or a saved card',
  patience,
  async () => {
    const opened = await visit(browser);
    visits.push(opened);
    const { page } = opened;
    let taps = 0;
    await page.exposeFunction('testTapped', () => {
      taps += 1;
    });
    await page.addInitScript("addEventListener('click', () => testTapped(), true)");
    const tapsTo = async (
      more: (on: Page) => Promise<void>,
      made = journey.create(),
    ): Promise<number> => {
      await page.goto(`${journey.sandbox.url}/pay?paymentRequestId=${await made}`);
      taps = 0;
      await more(page);
      return taps;
    };
    expect(
      await tapsTo(async (on) => {
        await chooseBank(on);
        await continueToBank(on);
      }),
    ).toBe(2);
    const remembers = async (on: Page): Promise<void> => {
      await chooseBank(on);
      await on.locator('[name=remember]').check();
      await continueToBank(on);
    };
    await tapsTo(remembers);
    expect(await tapsTo(continueToBank)).toBe(1);
    await page.context().clearCookies();
    const { fresh } = await samplePayments.savedCard(journey);
    const byCard = async (on: Page): Promise<void> => {
      await on.locator('.saved-card').click();
      await on.frameLocator('iframe[name=challenge]').locator('#approve-button').waitFor();
    };
    expect(await tapsTo(byCard, Promise.resolve(fresh ?? ''))).toBe(1);
    await page.frameLocator('iframe[name=challenge]').locator('#approve-button').click();
    await waitForHeading(page, 'Payment complete');
  },
);

test(
  'a started payment waits on this device, and says on another where it is',
  patience,
  async () => {
    const id = await journey.create();
    const desktop = await open(id, { viewport: { width: 1280, height: 800 } });
    const phone = await open(id);
    await chooseBank(phone);
    await continueToBank(phone);
    await waitForHeading(desktop, 'This payment was started on another device');
    expect(await desktop.locator('.bank a').count()).toBe(0);
    await phone.goBack();
    await waitForHeading(phone, 'You started a payment with Mock');
    await phone.getByText('Continue to Mock').click();
    await continueToBank(phone);
    await logInAtBank(phone);
    await approveAtBank(phone);
    await Promise.all([desktop, phone].map((page) => waitForHeading(page, 'Payment complete')));
    await paidOnce(id);
  },
);

longTest('a late return on another device still pays', patience, async () => {
  const id = await journey.create();
  const lost = await approveAndLoseTheReturn(id);
  const phone = await open(id);
  await phone.goto(lost);
  await waitForHeading(phone, 'Payment complete');
  await paidOnce(id);
});

longTest('an answer in the fragment is posted and pays', patience, async () => {
  const id = await journey.create();
  const inFragment = (await approveAndLoseTheReturn(id)).replace('?', '#');
  const page = await open(id);
  await page.goto(inFragment);
  await waitForHeading(page, 'Payment complete');
  expect(page.url()).not.toContain('response=');
  await paidOnce(id);
});

longTest(
  'an answer in the fragment moves no money without a script, and another bank pays',
  patience,
  async () => {
    const id = await journey.create();
    const page = await open(id, { javaScriptEnabled: false });
    await chooseBank(page);
    await continueToBank(page);
    await page.goto(`${journey.sandbox.url}/bank-return#code=a&state=b`);
    await page.locator('h1 noscript').waitFor();
    expect(await page.locator('main').textContent()).toContain('No money has left your account.');
    expect(await journey.standing(id)).toBe('AWAITING_AUTHORIZATION');
    await page.locator('main noscript a').click();
    await chooseBank(page, 'Harbour');
    await continueToBank(page);
    await logInAtBank(page);
    await approveAtBank(page);
    await waitForHeading(page, 'Payment complete');
    await paidOnce(id);
  },
);

test(
  'an open page shows that the payment was paid, cancelled or expired elsewhere',
  patience,
  async () => {
    const ids = await Promise.all([
      journey.create(),
      journey.create(),
      journey.create({ expiresIn: minute, strictExpiry: true }),
    ]);
    const pages = await Promise.all(ids.map((id) => open(id)));
    const [paid = '', cancelled = ''] = ids;
    await journey.payer.pay(paid);
    await journey.sandbox.request('POST', `/api/payment-request/cancel/${cancelled}`);
    await journey.advance(minute);
    const titles = ['Payment complete', 'This payment was cancelled', 'This payment has expired'];
    await Promise.all(pages.map((page, at) => waitForHeading(page, titles[at] ?? '')));
  },
);

longTest(
  'with two tabs at two banks the later one pays and the earlier one shows it',
  patience,
  async () => {
    const id = await journey.create();
    const [first, second] = [await open(id), await open(id)];
    await chooseBank(first);
    await continueToBank(first);
    await second.getByText('Choose another bank').click();
    await chooseBank(second, 'Harbour');
    await continueToBank(second);
    await logInAtBank(first);
    await approveAtBank(first);
    await first.waitForURL(/\/pay\?/);
    await logInAtBank(second);
    await approveAtBank(second);
    await waitForHeading(second, 'Payment complete');
    await waitForHeading(first, 'Payment complete');
    await paidOnce(id);
  },
);

test('"back" after paying never leads to a second payment', patience, async () => {
  const id = await journey.create();
  const page = await open(id);
  await chooseBank(page);
  await continueToBank(page);
  await logInAtBank(page);
  await approveAtBank(page);
  await waitForHeading(page, 'Payment complete');
  for (let steps = 0; steps < 6; steps += 1) {
    const left = await page.goBack().catch(() => null);
    if (!left && page.url() === 'about:blank') break;
    await page.waitForSelector('h1');
    if (page.url().includes('/pay?')) await waitForHeading(page, 'Payment complete');
    expect(await page.locator('[data-start], .bank a').count()).toBe(0);
  }
  await paidOnce(id);
});

test(
  'a second press on a slow line starts nothing and does not interrupt the first',
  patience,
  async () => {
    const id = await journey.create();
    const page = await open(id);
    await chooseBank(page);
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/pay/start', async (route) => {
      await arrived;
      await route.continue();
    });
    const button = page.locator('[data-start] button');
    await button.dblclick({ noWaitAfter: true });
    arrive();
    await page.waitForSelector('form[data-step="login"]');
    expect(await journey.attemptsOf(id)).toHaveLength(1);
  },
);

test('the books of both sides agree', patience, async () => {
  // A challenge that a payer left has ended then.
  if (isLongRun) await journey.advance(120 * minute);
  await journey.allAgree();
});
