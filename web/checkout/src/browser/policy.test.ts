import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/harness/browser/open-browser.ts';
import { checkoutAssets } from '../assets/checkout-assets.ts';
import { contentSecurityPolicy } from '../assets/content-security-policy.ts';
import { renderCheckout } from '../render-checkout.ts';
import { sampleChooseBank, sampleFrame, sampleReview } from '../test/sample-views.ts';
import { assetUrls, type PageServer, page, servePages } from '../test/serve-pages.ts';
import { isShown, openAddress, serveSamples, visit } from '../test/visit.ts';

let browser: Browser;
let server: PageServer;
let bank: PageServer;

beforeAll(async () => {
  [browser, server, bank] = await Promise.all([openBrowser(), servePages(), servePages()]);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([server?.close(), bank?.close()]);
});

test('no page breaks the policy or loads from other servers', async () => {
  const paths = serveSamples(server, 'en').filter(isShown);
  const { page: tab, complaints, requests, close } = await visit(browser);
  for (const path of paths) await openAddress(tab, server.origin + path);
  expect(complaints).toEqual([]);
  expect(
    requests.filter((url) => !url.startsWith(server.origin) && !url.startsWith('data:')),
  ).toEqual([]);
  await close();
});

test('allows the styles and the accent colour by their hash', async () => {
  const view = { ...sampleReview, frame: { ...sampleFrame, accentColour: '#ffd400' } };
  server.answers.set('GET /accent', page(renderCheckout(view, assetUrls()), '#ffd400'));
  const { page: tab, complaints, close } = await visit(browser);
  await openAddress(tab, `${server.origin}/accent`);
  await tab.waitForLoadState();
  const colour = await tab.evaluate<string>(
    'getComputedStyle(document.querySelector("[data-start] button")).backgroundColor',
  );
  expect(colour).toBe('rgb(255, 212, 0)');
  expect(complaints).toEqual([]);
  await close();
});

/** Leads from our form over the bank's first host to another one, as banks do. */
const serveLongWay = (): void => {
  server.answers.set('POST /pay/start', (_, response) => {
    response.writeHead(303, { location: `${bank.origin}/authorise` }).end();
  });
  const login = bank.origin.replace('127.0.0.1', 'localhost');
  bank.answers.set('GET /authorise', (_, response) => {
    response.writeHead(303, { location: `${login}/login` }).end();
  });
  bank.answers.set('GET /login', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
  });
};

const serveReview = (formTargets?: readonly string[]): void => {
  server.answers.set('GET /review', (_, response) => {
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy({ formTargets }),
      })
      .end(renderCheckout(sampleReview, assetUrls()));
  });
};

test('the form reaches the bank through redirects, with and without a script', async () => {
  serveLongWay();
  serveReview();
  for (const javaScriptEnabled of [true, false]) {
    const { page: tab, complaints, close } = await visit(browser, { javaScriptEnabled });
    await tab.goto(`${server.origin}/review`);
    await tab.click('text=Continue to Harbour');
    await tab.waitForURL('**/login');
    expect(complaints).toEqual([]);
    await close();
  }
});

test('Chromium applies form-action to redirects, so the bank must be allowed', async () => {
  serveLongWay();
  serveReview([bank.origin]);
  const { page: tab, complaints, close } = await visit(browser);
  await tab.goto(`${server.origin}/review`);
  await tab.click('text=Continue to Harbour');
  await expect.poll(() => complaints.join()).toContain('form-action');
  expect(tab.url()).toBe(`${server.origin}/review`);
  await close();
});

test('an origin that would change the policy is refused', () => {
  expect(() =>
    contentSecurityPolicy({ formTargets: ["https://x.example; script-src 'x'"] }),
  ).toThrow();
  expect(contentSecurityPolicy({ formTargets: [] })).toContain("form-action 'self';");
});

test('the first view is small', () => {
  const { script } = checkoutAssets();
  const banks = Array.from({ length: 4 }, (_, at) =>
    sampleChooseBank.banks.map((each) => ({
      ...each,
      id: `${each.id}${at}`,
      name: `${each.name} ${at}`,
    })),
  ).flat();
  const sizes = [renderCheckout({ ...sampleChooseBank, banks }, assetUrls()), script.body].map(
    (text) => gzipSync(text).length,
  );
  expect(sizes[1]).toBeLessThan(10 * 1024);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30 * 1024);
});

test('a payer who waits longer than most learns so without a reload', async () => {
  serveSamples(server, 'en');
  const { page: tab, close } = await visit(browser);
  // Paused: what it takes to load the page does not count.
  await tab.clock.install({ time: 0 });
  await tab.clock.pauseAt(1_000);
  await openAddress(tab, `${server.origin}/en/waiting`);
  const said = tab.getByText('This is taking longer than usual');
  await tab.clock.runFor(19_000);
  expect(await said.isVisible()).toBe(false);
  await tab.clock.runFor(2_000);
  expect(await said.isVisible()).toBe(true);
  await close();
});

test('shows each share, the pounds of each tip and the sum as one types, on one screen', async () => {
  serveSamples(server, 'en');
  const { page: tab, close } = await visit(browser);
  await openAddress(tab, `${server.origin}/en/share-and-tip`);
  const texts = async () => [
    await tab.locator('.each').textContent(),
    ...(await tab.locator('[data-pounds]').allTextContents()),
  ];
  expect(await texts()).toEqual(['Each pays £24.00', '£2.40', '£4.80', '£7.20']);
  const people = tab.locator('#people').locator('..');
  await people.getByLabel('One more').click();
  await tab.fill('#paysFor', '1');
  expect(await texts()).toEqual(['Each pays £19.20', '£0.96', '£1.92', '£2.88']);
  await tab.check('[name=tip][value="1"]');
  expect(await tab.locator('.sum').textContent()).toBe('You pay £21.12');
  // Of a share that nobody can pay there is no tip.
  await tab.check('[name=share][value=custom]');
  await tab.fill('#shareAmount', '500');
  expect((await texts()).slice(1)).toEqual(['', '', '']);
  const button = await tab.locator('.amounts .button').boundingBox();
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(844);
  await close();
});

test('a bill is shared by a code and a link, which a button copies', async () => {
  serveSamples(server, 'en');
  const { page: tab, close } = await visit(browser, { permissions: ['clipboard-write'] });
  await openAddress(tab, `${server.origin}/en/paid-share`);
  const box = tab.locator('.share-bill');
  expect(await box.locator('img').isVisible()).toBe(true);
  expect(await box.locator('code').textContent()).toBe('pay.example/p/Pw_IXhpSTF');
  await box.getByRole('button', { name: 'Copy link' }).click();
  await box.getByRole('button', { name: 'Link copied' }).waitFor();
  expect(await box.getByRole('status').textContent()).toBe('Link copied');
  await close();
});

test('what is paid for is folded before a payment, and open on its receipt and on paper', async () => {
  const { page: tab, close } = await visit(browser, { viewport: { width: 320, height: 568 } });
  serveSamples(server, 'en');
  const shown = () => tab.locator('.facts:visible, .message:visible').allTextContents();
  await openAddress(tab, `${server.origin}/en/choose-with-items`);
  expect((await shown()).join()).not.toContain('Fern');
  await tab.locator('.summary > .narrow summary').click();
  expect((await shown()).join()).toMatch(/Fern.*£39\.00.*Friday/s);
  expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await openAddress(tab, `${server.origin}/en/paid-with-items`);
  expect((await shown()).join()).toMatch(/Friday.*Fern/s);
  await tab.emulateMedia({ media: 'print' });
  const { height = 0 } = (await tab.locator('.message').boundingBox()) ?? {};
  expect(height).toBeGreaterThan(40);
  await close();
});

test('the answer to a search stays as the server sent it, with a script too', async () => {
  const { page: tab, close } = await visit(browser);
  serveSamples(server, 'en');
  await openAddress(tab, `${server.origin}/en/search`);
  await tab.waitForLoadState('load');
  expect(await tab.locator('.counted').textContent()).toContain('1 bank found for');
  expect(await tab.locator('.empty').isVisible()).toBe(false);
  await close();
});

test('a script that arrives late takes no focus from a payer who types already', async () => {
  const { page, close } = await visit(browser);
  serveSamples(server, 'en');
  let sendScript = (): void => undefined;
  const isTyped = new Promise<void>((resolve) => {
    sendScript = resolve;
  });
  await page.route(`**${assetUrls().scriptUrl}`, async (route) => {
    await isTyped;
    await route.continue();
  });
  await openAddress(page, `${server.origin}/en/paid`);
  await page.locator('.keep a[href="#email"]').click();
  expect(await page.locator(':focus').getAttribute('id')).toBe('email');
  await page.keyboard.type('ana@');
  sendScript();
  await page.waitForLoadState('load');
  await page.keyboard.type('example.com');
  expect(await page.inputValue('#email')).toBe('ana@example.com');
  await close();
});
