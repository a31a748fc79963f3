import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/harness/browser/open-browser.ts';
import { longTest } from '../../../../test/harness/long-test.ts';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../../../test/harness/simulator/open-test-simulator.ts';
import { cancelUrl, errorOf, numberOf, openShop, type Shop } from '../../testing/card-shop.ts';

let simulator: TestSimulator;
let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [simulator, browser] = await Promise.all([openTestSimulator(), openBrowser()]);
  shop = await openShop(simulator);
});
afterAll(async () => {
  await browser?.close();
  await simulator?.close();
});

const openPage = async (url: string, more: object = { javaScriptEnabled: false }) => {
  const page = await browser.newPage(more);
  await page.goto(url);
  return page;
};
const typeCard = async (page: Page, key: string) => {
  await page.fill('#number', numberOf(key));
  await page.fill('#expiry', '12/40');
  await page.fill('#cvc', '123');
  await page.fill('#name', 'Ada');
};
const inShopsPage = {
  ui_mode: 'embedded_page',
  return_url: `${cancelUrl}?session={CHECKOUT_SESSION_ID}`,
  success_url: undefined,
  cancel_url: undefined,
} as const;
const saved = async () => {
  const { customer } = await shop.saveCard('mastercard_debit');
  return shop.openSession({
    customer,
    saved_payment_method_options: {
      payment_method_save: 'enabled',
      allow_redisplay_filters: ['always', 'limited', 'unspecified'],
    },
  });
};

longTest('pays by keyboard alone, without JavaScript', async () => {
  const session = await shop.openSession();
  const page = await openPage(session.url ?? '');
  await typeCard(page, 'visa_challenge');
  await page.press('#name', 'Enter');
  await page.waitForSelector('#challenge-form');
  await page.fill('#password', 'password');
  await Promise.all([
    page.waitForRequest((request) => request.url().includes('/paid?session=')),
    page.press('#password', 'Enter'),
  ]);
  expect((await shop.readIntent(session.id)).session.status).toBe('complete');
  await page.close();
});

test('shows errors at their fields and never the number again', async () => {
  const page = await openPage((await shop.openSession()).url ?? '');
  await typeCard(page, 'visa');
  await page.fill('#number', '4012888888881881');
  await page.fill('#expiry', '01/20');
  await page.click('#pay-button');
  expect(await page.getAttribute('#number', 'aria-describedby')).toBe('number-mistake');
  expect(await page.textContent('#number-mistake')).toContain(
    'Card number: use one of the test numbers',
  );
  expect(await page.textContent('#expiry-mistake')).toContain('month and a year');
  expect(await page.inputValue('#number')).toBe('');
  expect(await page.inputValue('#name')).toBe('Ada');
  await page.close();
});

test('links back to the shop, and escapes markup in item names', async () => {
  const session = await shop.openSession({
    line_items: [
      {
        quantity: 2,
        price_data: { currency: 'gbp', unit_amount: 99950, product_data: { name: '<b>Tea</b>' } },
      },
    ],
  });
  const page = await openPage(session.url ?? '');
  expect(await page.getAttribute('#cancel-link', 'href')).toBe(cancelUrl);
  expect(await page.textContent('#payment-amount')).toBe('£1,999.00');
  expect(await page.textContent('.lines')).toContain('<b>Tea</b>');
  await page.close();
});

test('a double click pays once', async () => {
  const session = await shop.openSession();
  const body = new URLSearchParams({
    ...{ number: numberOf('visa'), expiry: '12/40', cvc: '123', name: 'Ada' },
  });
  const click = () => fetch(session.url ?? '', { method: 'POST', redirect: 'manual', body });
  const replies = await Promise.all([click(), click(), click()]);
  const locations = new Set(replies.map(({ headers }) => headers.get('location')));
  expect([...locations]).toEqual([`http://127.0.0.1:9/paid?session=${session.id}`]);
  const { intent } = await shop.readIntent(session.id);
  const { data } = await shop.stripe.charges.list({ payment_intent: intent?.id });
  expect(data).toHaveLength(1);
});

const shopPage = (secret: string) => `<!doctype html><title>Shop</title><main id="fields"></main>
  <script src="${shop.registration.cards.fieldsUrl}"></script>
  <script>Stripe('${shop.registration.cards.publishableKey}')
    .createEmbeddedCheckoutPage({ fetchClientSecret: async () => '${secret}' })
    .then((page) => page.mount(document.querySelector('#fields')))</script>`;

test('its fields stand in the page of the shop, which is led on once they are paid', async () => {
  const session = await shop.openSession(inShopsPage);
  expect(session).toMatchObject({ ui_mode: 'embedded_page', url: null, cancel_url: null });
  const page = await browser.newPage();
  // Loopback, as the simulator is: browsers load nothing local into a page from elsewhere.
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html').end(shopPage(session.client_secret ?? ''));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const fields = page.frameLocator('iframe[title="Secure card payment"]');
  const payBy = async (number: string) => {
    await fields.locator('#number').fill(number);
    await fields.locator('#expiry').fill('12/40');
    await fields.locator('#cvc').fill('123');
    await fields.locator('#name').fill('Ada');
    await fields.locator('#pay-button').click();
  };
  const pay = (key: string) => payBy(numberOf(key));
  // What is wrong is said in place, and what was typed stays in the frame.
  await payBy('4012888888881881');
  await fields.locator('#number-mistake').waitFor();
  expect(await fields.locator('#number').inputValue()).toBe('4012 8888 8888 1881');
  expect(await fields.locator('.number svg:visible').count()).toBe(1);
  await pay('chargeDeclined');
  await fields.locator('#problem').waitFor();
  // The message stands between what pays at once and the fields, none of which is known to be wrong.
  expect(await fields.locator('#problem + #card-form').count()).toBe(1);
  expect(await fields.locator('[aria-invalid]').count()).toBe(0);
  // The code alone is to be typed again, or another card over the refused one.
  await fields.locator('#number:focus[aria-describedby="problem"]').waitFor();
  const typed = ['#number', '#expiry', '#cvc', '#name'].map((at) =>
    fields.locator(at).inputValue(),
  );
  expect(await Promise.all(typed)).toEqual([expect.stringMatching(/^\d{4} /), '12/40', '', 'Ada']);
  await pay('visa_challenge');
  await Promise.all([
    page.waitForRequest(`${cancelUrl}?session=${session.id}`),
    fields.locator('#approve-button').click(),
  ]);
  server.close();
  expect((await shop.readIntent(session.id)).session).toMatchObject({ client_secret: null });
  await page.close();
});

test('its fields take the colours of the page of the shop', async () => {
  const { origin } = new URL(shop.registration.cards.fieldsUrl);
  const shown = async (ground: string) => {
    const { id } = await shop.openSession({
      ...inShopsPage,
      branding_settings: { background_color: ground, button_color: '#93a8ff' },
    });
    const page = await (await fetch(`${origin}/cards/pay/${id}`)).text();
    const [, style = ''] = /href="([^"]*cards\.css[^"]*)"/.exec(page) ?? [];
    const styles = await (await fetch(`${origin}${style}`)).text();
    return [page.includes('framed dark'), styles.includes('background: #93a8ff; color: #000')];
  };
  expect(await shown('#171b22')).toEqual([true, true]);
  expect(await shown('#ffffff')).toEqual([false, true]);
  const wrong = shop.openSession({
    ...inShopsPage,
    branding_settings: { background_color: 'night', button_color: '#93a8ff' },
  });
  expect((await errorOf(wrong)).param).toBe('branding_settings.background_color');
});

test('a wrong secret or key opens no fields, and a page of its own is in no frame', async () => {
  const { client_secret: secret } = await shop.openSession(inShopsPage);
  const { fieldsUrl, publishableKey: key } = shop.registration.cards;
  const wrong = [
    { key: 'pk_test_1', secret: secret ?? '' },
    { key, secret: `${secret}1` },
  ];
  for (const each of wrong) {
    const reply = await fetch(fieldsUrl.replace('.js', `?${new URLSearchParams(each)}`));
    expect(reply.status).toBe(404);
  }
  const own = await fetch((await shop.openSession()).url ?? '');
  expect(own.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const mixed = shop.openSession({ ...inShopsPage, success_url: cancelUrl });
  expect((await errorOf(mixed)).param).toBe('success_url');
});

longTest('every page is accessible', async () => {
  const page = await openPage((await saved()).url ?? '', { bypassCSP: true });
  expect(await violations(page)).toEqual([]);
  await page.click('#magic-cards summary');
  expect(await violations(page)).toEqual([]);
  await typeCard(page, 'chargeDeclined');
  await page.click('#pay-button');
  await page.waitForSelector('#problem');
  expect(await violations(page)).toEqual([]);
  await typeCard(page, 'visa_challenge');
  await page.click('#pay-button');
  await page.waitForSelector('#challenge-form');
  expect(await violations(page)).toEqual([]);
  await page.close();
});

test('pages load nothing from elsewhere and run no script', async () => {
  const reply = await fetch((await saved()).url ?? '');
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
  const text = await reply.text();
  expect(text).not.toContain('<script');
  expect(text).not.toMatch(/src="https?:|<link[^>]+href="https?:/);
});

const violations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const result = (await page.evaluate('axe.run()')) as {
    readonly violations: readonly { readonly id: string }[];
  };
  return result.violations.map(({ id }) => id);
};
