import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { focusedTag, type Visit, visit } from '../../web/checkout/src/test/visit.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { longTest } from '../harness/long-test.ts';
import {
  approveAtBank,
  chooseBank,
  continueToBank,
  logInAtBank,
  waitForHeading,
} from './bank-steps.ts';
import { blockShop } from './create-page-states.ts';
import { browser, journey } from './journey.ts';

let visited: Visit | null = null;

afterEach(() => visited?.close());

const patience = { timeout: 120_000 };
const redirectUrl = 'https://shop.example/thanks';

const open = async (id: string, options = {}): Promise<Page> => {
  visited = await visit(browser, options);
  await blockShop(visited.page);
  await visited.page.goto(`${journey.sandbox.url}/pay?paymentRequestId=${id}`);
  return visited.page;
};

/** The focused element, and what is wrong with its focus style. */
const focus = `(() => {
  const on = document.activeElement;
  if (!on || on === document.body) return { name: 'nothing', wrong: '' };
  const shown = on.matches('.kinds input') ? on.nextElementSibling : on;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  const { x, y, width, height } = shown.getBoundingClientRect();
  const at = document.elementFromPoint(x + width / 2, y + height / 2);
  const seen = at && (shown.contains(at) || at.contains(shown) || on.contains(at) || at === on);
  const wrong = [
    outlineStyle === 'none' || parseFloat(outlineWidth) < 2 ? 'no outline' : '',
    seen ? '' : 'hidden or covered',
  ].filter(Boolean).join(', ');
  const said = on.querySelector('.bank-name') ?? on;
  const label = on.getAttribute('aria-label');
  return { name: (label || said.innerText || on.value || on.id || on.tagName).trim().split('\\n')[0], wrong };
})()`;

const tab = async (page: Page): Promise<string> => {
  await page.keyboard.press('Tab');
  const { name, wrong } = await page.evaluate<{ name: string; wrong: string }>(focus);
  expect({ name, wrong }).toEqual({ name, wrong: '' });
  return name;
};

const tabTo = async (page: Page, wanted: RegExp): Promise<readonly string[]> => {
  const passed: string[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    const name = await tab(page);
    passed.push(name);
    if (wanted.test(name)) return passed;
  }
  throw new Error(`no ${wanted} behind ${passed.join(' | ')}`);
};

test('a payer can pay with the keyboard alone and always sees the focus', patience, async () => {
  const id = await journey.create({ redirectUrl });
  const page = await open(id);
  const order = await tabTo(page, /Language/);
  const landmarks = ['Skip to', 'Outcome', 'Back to', 'Details', 'Approve', 'search', 'Mock'];
  const found = landmarks.map((each) => order.findIndex((name) => name.startsWith(each)));
  expect(found, order.join(' | ')).toEqual([...found].sort((one, other) => one - other));
  expect(found).not.toContain(-1);

  await page.locator('#search').focus();
  await page.keyboard.type('moock');
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Check your payment');
  await expect.poll(() => focusedTag(page)).toBe('H1');
  await tabTo(page, /^Continue to/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('form[data-step="login"]');
  await page.locator('#username').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('form[data-step="approve"]');
  await page.locator('form[data-step="approve"] button[value="approve"]').focus();
  await page.keyboard.press('Space');
  await waitForHeading(page, 'Payment complete');
  await expect.poll(() => focusedTag(page)).toBe('H1');
  await tabTo(page, /^Stay here/);
  await page.keyboard.press('Enter');
  expect(await focusedTag(page)).toBe('H1');
  await tabTo(page, /^Email/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#email');
  await page.locator('#email').focus();
  await page.keyboard.type('ana@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('It is in the test mailbox').waitFor();
});

test(
  'a payer without a script on a small screen can choose, search, fail, retry and get a receipt',
  patience,
  async () => {
    const id = await journey.create({ redirectUrl });
    const viewport = { width: 320, height: 256 };
    const page = await open(id, { javaScriptEnabled: false, viewport });
    await page.locator('.languages summary').click();
    await page.getByRole('link', { name: 'Cymraeg' }).click();
    await waitForHeading(page, 'Dewiswch eich banc');
    await page.locator('.scenarios summary').click();
    await page.getByRole('button', { name: 'insufficient-funds' }).click();
    await page.locator('.scenarios summary', { hasText: 'insufficient-funds' }).waitFor();
    await page.locator('#search').fill('moock');
    await page.locator('.search-field button').click();
    await page.locator('.counted', { hasText: '1' }).waitFor();
    await chooseBank(page);
    await continueToBank(page);
    expect(await page.locator('#username').inputValue()).toBe('insufficient-funds');
    await logInAtBank(page);
    await approveAtBank(page);
    await waitForHeading(page, 'Taliad heb ei gwblhau');
    expect(await page.getAttribute('html', 'lang')).toBe('cy');
    await page.locator('.scenarios summary').click();
    await page.locator('.scenarios button[value="approve"]').click();
    // With too little money another bank comes first.
    await page.locator('.actions .button').click();
    await chooseBank(page);
    await continueToBank(page);
    await logInAtBank(page);
    await approveAtBank(page);
    await waitForHeading(page, 'Taliad wedi’i gwblhau');
    await page.locator('.keep a[href$="#email"]').click();
    await page.locator('#email').fill('ana@example.com');
    await page.locator('.email-receipt button').click();
    await page.locator('.receipt-state').waitFor();
    expect(await page.locator('meta[http-equiv="refresh"]').count()).toBe(0);
  },
);

test.each(isLongRun ? [true, false] : [false])(
  'a payer gets more time, JavaScript %s',
  patience,
  async (javaScriptEnabled) => {
    const id = await journey.create({ expiresIn: 31_000 });
    const page = await open(id, { javaScriptEnabled });
    const before = await page.locator('.summary time').getAttribute('datetime');
    await page.locator('.more-time button').click();
    await expect
      .poll(() => page.locator('.summary time').getAttribute('datetime'))
      .not.toBe(before);
    const after = await page.locator('.summary time').getAttribute('datetime');
    expect(Date.parse(after ?? '') - Date.parse(before ?? '')).toBe(31_000);
  },
);

longTest('without a script a typo finds a bank', patience, async () => {
  const page = await open(await journey.create(), { javaScriptEnabled: false });
  const shown = page.locator('.bank:visible');
  await page.locator('#search').fill('coperleef');
  await page.locator('.search-field button').click();
  await page.locator('.counted', { hasText: '1 bank found for' }).waitFor();
  expect(await shown.allInnerTexts()).toEqual([expect.stringContaining('Copperleaf')]);
});
