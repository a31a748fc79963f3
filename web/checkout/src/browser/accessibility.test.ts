import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/harness/browser/open-browser.ts';
import { type PageServer, servePages } from '../test/serve-pages.ts';
import { focusedTag, openAddress, serveSamples, visit } from '../test/visit.ts';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), servePages()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

// test/browser checks axe and small screens on the running service.
test('every control is at least 44 pixels high', async () => {
  const { page, close } = await visit(browser);
  for (const path of serveSamples(server, 'en')) {
    await openAddress(page, server.origin + path);
    const small = await page
      .locator(
        'a:not(.skip), button, summary, label:has(input), input:not([type=hidden], label input)',
      )
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .map((element) => ({ box: element.getBoundingClientRect(), html: element.outerHTML }))
          .filter(({ box }) => box.width > 1 && box.height < 44)
          .map(({ html }) => html),
      );
    expect(small, path).toEqual([]);
  }
  await close();
});

test('shows the choice in forced colours', async () => {
  const { page, close } = await visit(browser, { forcedColors: 'active', colorScheme: 'dark' });
  serveSamples(server, 'en');
  const look = (selector: string): Promise<string> =>
    page.evaluate<string>(`(() => {
      const { backgroundColor, outlineStyle } = getComputedStyle(
        document.querySelector(${JSON.stringify(selector)}));
      return backgroundColor + ' ' + outlineStyle;
    })()`);
  for (const [name, chosen, other] of [
    ['choose-bank-or-card', '.ways [aria-current]', '.ways a:not([aria-current])'],
    ['choose-bank', '.kinds input:checked + span', '.kinds input:not(:checked) + span'],
    ['choose-bank', '.scenarios [aria-current]', '.scenarios button:not([aria-current])'],
  ] as const) {
    await openAddress(page, `${server.origin}/en/${name}`);
    expect(await look(chosen), chosen).not.toBe(await look(other));
  }
  await close();
});

test('focuses the heading when the payment changes', async () => {
  const { page, close } = await visit(browser);
  serveSamples(server, 'en');
  for (const name of ['review', 'waiting', 'paid', 'failed', 'expired']) {
    await openAddress(page, `${server.origin}/en/${name}`);
    await expect.poll(() => focusedTag(page)).toBe('H1');
  }
  await openAddress(page, `${server.origin}/en/choose-bank`);
  expect(await focusedTag(page)).toBe('BODY');
  await close();
});

test('a payer can pay with the keyboard alone', async () => {
  serveSamples(server, 'en');
  const { page, close } = await visit(browser);
  await openAddress(page, `${server.origin}/en/choose-bank`);
  const focused = async () => (await page.locator(':focus').textContent())?.trim();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to main content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('What happens next');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('id')).toBe('search');
  await page.keyboard.type('harbor');
  await page.keyboard.press('Enter');
  expect(await focused()).toContain('Harbour & Quay');
  const address = await page.locator(':focus').getAttribute('href');
  expect(address).toContain('institutionId=harbour');
  await openAddress(page, `${server.origin}/en/review`);
  await expect.poll(() => focusedTag(page)).toBe('H1');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Change bank');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('name')).toBe('remember');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Continue to Harbour & Quay');
  await close();
});
