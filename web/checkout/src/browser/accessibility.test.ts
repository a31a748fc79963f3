import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/harness/browser/open-browser.ts';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { renderCheckout } from '../render-checkout.ts';
import { renderReceiptMail } from '../render-receipt-mail.ts';
import { sampleChooseBank, sampleFrame, samplePaid, sampleReview } from '../test/sample-views.ts';
import { assetUrls, type PageServer, page as pageOf, servePages } from '../test/serve-pages.ts';
import { focusedTag, isShown, openAddress, serveSamples, visit } from '../test/visit.ts';

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
  for (const path of serveSamples(server, 'en').filter(isShown)) {
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

// The first three are the tightest. The second row of tiles has a bank with five lines.
const phones = [
  ['choose-bank', 640, 360, 6],
  ['choose-with-items', 360, 560, 6],
  ['choose-bank-or-card', 320, 568, 3],
  ['choose-bank', 320, 568, 6],
  ['choose-bank-or-card', 360, 560, 3],
] as const;
test.each(isLongRun ? phones : phones.slice(0, 3))(
  '%s: a phone of %i by %i pixels shows payee, amount, time, a search, a saved card and %i banks at once',
  async (name, width, height, banks) => {
    const { page, close } = await visit(browser, { viewport: { width, height } });
    serveSamples(server, 'en');
    await openAddress(page, `${server.origin}/en/${name}`);
    const wanted = `#summary, .amount, .timer, #search, .express > form .saved-card,
      .tiles li:nth-child(-n + ${banks}) a`;
    const bottoms = await page.evaluate<
      readonly number[]
    >(`[...document.querySelectorAll(\`${wanted}\`)]
      .map((each) => each.getBoundingClientRect().bottom)`);
    expect(bottoms).toHaveLength(banks + (name === 'choose-bank-or-card' ? 5 : 4));
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(height);
    // One slim line each, not two.
    for (const [line, most] of Object.entries({ '.sandbox': 44, '.summary': 80 }))
      expect((await page.locator(line).boundingBox())?.height, line).toBeLessThanOrEqual(most);
    await close();
  },
);

const small = [
  [640, 360],
  [320, 568],
  [360, 560],
] as const;
test.each(['review', 'share-and-tip', 'card-new'])('%s: the action is in sight', async (name) => {
  for (const [width, height] of isLongRun ? small : small.slice(0, 1)) {
    const { page, close } = await visit(browser, { viewport: { width, height } });
    serveSamples(server, 'en');
    await openAddress(page, `${server.origin}/en/${name}`);
    const box = await page.locator('.bar .button').boundingBox();
    expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    await close();
  }
});

test.each(isLongRun ? ['en', 'pl'] : ['pl'])(
  '%s: the smallest phone shows the outcome, the way back and how to stay at once',
  async (locale) => {
    const { page, close } = await visit(browser, { viewport: { width: 320, height: 568 } });
    serveSamples(server, locale);
    await openAddress(page, `${server.origin}/${locale}/paid-returning`);
    for (const wanted of ['h1', 'h1 + .lead', '[data-return]', '.returning p', '[data-stay]']) {
      const box = await page.locator(wanted).boundingBox();
      expect((box?.y ?? 9_999) + (box?.height ?? 0), wanted).toBeLessThanOrEqual(568);
    }
    await close();
  },
);

test('outcome, way back and receipt are in one screen of a phone, and one sheet of paper', async () => {
  const { page, close } = await visit(browser);
  serveSamples(server, 'en');
  await openAddress(page, `${server.origin}/en/paid-returning`);
  for (const wanted of ['h1', '[data-return]', '[data-stay]', '.receipt']) {
    const box = await page.locator(wanted).boundingBox();
    expect((box?.y ?? 9_999) + (box?.height ?? 0), wanted).toBeLessThanOrEqual(844);
  }
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  expect(sheets).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('a:visible, button:visible').count()).toBe(0);
  await close();
});

const wideLogo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><path d="M0 0h240v60H0z"/></svg>';

test('a wide logo moves nothing when it arrives, and leaves the payee two lines at most', async () => {
  const { page, close } = await visit(browser, { viewport: { width: 360, height: 560 } });
  serveSamples(server, 'en');
  const frame = { ...sampleFrame, avatarUrl: '/logo.svg' };
  server.answers.set(
    'GET /pay',
    pageOf(renderCheckout({ ...sampleChooseBank, frame }, assetUrls())),
  );
  let sendLogo = (): void => undefined;
  server.answers.set('GET /logo.svg', (_, response) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml' });
    sendLogo = () => response.end(wideLogo);
  });
  await page.goto(`${server.origin}/pay`, { waitUntil: 'commit' });
  await page.waitForSelector('.foot');
  const boxes = () =>
    page.evaluate(`[...document.querySelectorAll('.summary :not(img), h1, .bank')].map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return [x, y, width, height].join();
    }).join(' ')`);
  const before = await boxes();
  sendLogo();
  const isDrawn = () => page.evaluate('document.querySelector(".avatar img").naturalWidth');
  await expect.poll(isDrawn).toBe(240);
  expect(await boxes()).toBe(before);
  expect((await page.locator('#summary').boundingBox())?.height).toBeLessThan(50);
  await close();
});

test('a receipt by mail fits a phone', async () => {
  const { page, close } = await visit(browser, { viewport: { width: 320, height: 568 } });
  const summary = { ...samplePaid.summary, reference: 'R'.repeat(60), notes: 'N'.repeat(60) };
  const addresses = { publicUrl: server.origin, shortUrl: `${server.origin}/p/7Q2M4K9T1` };
  await page.setContent(renderReceiptMail({ ...samplePaid, summary }, addresses).html);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await close();
});

test('the time to pay is read aloud from the start, the running clock is not', async () => {
  const { page, close } = await visit(browser);
  serveSamples(server, 'en');
  await openAddress(page, `${server.origin}/en/choose-bank`);
  const read = await page.locator('.timer').ariaSnapshot();
  expect(read.replaceAll(/\s+/g, ' ')).toMatch(/Due by .*14:35.* today/);
  expect(read).not.toContain(await page.locator('[data-timer] [data-clock]').textContent());
  await close();
});

/** Words that stand on two lines, a timer that does, and a page that scrolls sideways. */
const broken = `(() => {
  const root = document.documentElement;
  const found = root.scrollWidth > root.clientWidth ? ['scrolls sideways: ' + root.scrollWidth] : [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (parentElement.closest('code, svg, .unseen, .skip')) continue;
    if (!parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of data.matchAll(/[\\p{L}\\p{N}.,:£’@]{2,}/gu)) {
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      // A reference of a shop has no end.
      if (lines.size > 1 && word.length < 16) found.push('broken: ' + word);
    }
  }
  const clock = document.querySelector('[data-clock]');
  if (clock && clock.getClientRects().length > 1) found.push('the timer');
  return found;
})()`;

// At 400 % test/browser sees to it that nothing is cut off.
const enlarged = [
  ['200 % text', 390, 844, '200%'],
  ['400 % zoom', 320, 256, '100%'],
] as const;
test.each(isLongRun ? enlarged : enlarged.slice(0, 1))(
  '%s breaks no word and no timer, and scrolls in one direction',
  async (_, width, height, size) => {
    const { page, close } = await visit(browser, { viewport: { width, height } });
    const wrong: string[] = [];
    for (const path of serveSamples(server, 'en').filter(isShown)) {
      await openAddress(page, server.origin + path);
      await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
      const found = await page.evaluate<readonly string[]>(broken);
      wrong.push(...found.map((each) => `${path} ${each}`));
    }
    expect(wrong).toEqual([]);
    await close();
  },
);

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
    ['card-new', '.ways [aria-current]', '.ways a:not([aria-current])'],
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
  // The arrow back to the shop has a name, and no text.
  for (const line of ['', 'Details', 'Approve in your bank’s app or website.']) {
    expect(await focused()).toBe(line);
    await page.keyboard.press('Tab');
  }
  for (const name of ['Mock Sandbox Bank', 'Harbour & Quay']) {
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain(name);
  }
  for (const key of ['ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
  expect(await page.locator(':focus').getAttribute('id')).toBe('search');
  await page.keyboard.type('a');
  await page.keyboard.press('Enter');
  expect(await page.locator(':focus').getAttribute('href')).toContain('institutionId=');
  await page.fill('#search', 'harbor');
  await page.focus('#search');
  server.answers.set('GET /pay', pageOf(renderCheckout(sampleReview, assetUrls())));
  await page.keyboard.press('Enter');
  await page.waitForURL(/institutionId=harbour/);
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
