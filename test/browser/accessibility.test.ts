import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings, visit } from '../../web/checkout/src/test/visit.ts';
import { openBrowser } from '../harness/browser/open-browser.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { type Journey, openJourney } from '../harness/open-journey.ts';
import { blockShop, createPageStates, type PageState, pageNames } from './create-page-states.ts';

let journey: Journey;
let browser: Browser;
let states: readonly PageState[];
let shown: readonly PageState[];

/** Of the states of a page the first, and those with a problem at a field or a bad end. */
const isRepresentative = ({ name, page }: PageState, at: number): boolean =>
  states.findIndex((state) => state.page === page) === at ||
  ['share-too-much', 'receipt-wrong-address', 'failed', 'reversed'].includes(name);

beforeAll(async () => {
  [journey, browser] = await Promise.all([openJourney(), openBrowser()]);
  states = await createPageStates(journey);
  shown = isLongRun ? states : states.filter(isRepresentative);
});

afterAll(async () => {
  await browser?.close();
  await journey?.close();
});

test('the states cover every page of the contract', () => {
  const pages = states.map(({ page }) => page);
  expect(pageNames.filter((page) => !pages.some((shown) => shown === page))).toEqual([]);
});

/** A theme changes only colours, so only these rules run again. */
const colourRules = ['color-contrast', 'link-in-text-block'];

const themes = [
  ['light', { colorScheme: 'light', forcedColors: 'none' }, null],
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }, colourRules],
  ['forced', { colorScheme: 'dark', forcedColors: 'active' }, colourRules],
] as const;

const onEveryPage = async (
  states: readonly PageState[],
  locale: string,
  options: BrowserContextOptions,
  check: (page: Page, name: string) => Promise<void>,
): Promise<void> => {
  const { page, close } = await visit(browser, options);
  await blockShop(page);
  for (const state of states) {
    await state.show(page, locale);
    const found = await page.locator('body').getAttribute('data-page');
    expect({ name: state.name, page: found }).toEqual({ name: state.name, page: state.page });
    await check(page, state.name);
  }
  await close();
};

/** 320 pixels are also what a screen of 1280 pixels has left at 400 %: then 256 in height. */
const small = { width: 320, height: 256 };

type Theme = (typeof themes)[number];
type Case = readonly [locale: string, caseThemes: readonly Theme[]];

const everyLocale: readonly Case[] = ['en', 'cy', 'ar'].map((locale) => [locale, themes]);
// A language that is read from the right is laid out below.
const representatives: readonly Case[] = [['en', themes.slice(0, 1)]];

test.concurrent.each(isLongRun ? everyLocale : representatives)(
  '%s: fits 320 by 256 pixels and passes axe in every theme',
  { timeout: 300_000 },
  async (locale, caseThemes) => {
    const wrong: string[] = [];
    await onEveryPage(shown, locale, { bypassCSP: true }, async (page, name) => {
      expect(await page.getAttribute('html', 'lang'), name).toBe(locale);
      for (const [theme, media, rules] of caseThemes) {
        await page.emulateMedia(media);
        const findings = await axeFindings(page, rules);
        wrong.push(...findings.map((finding) => `${name} ${theme}: ${finding}`));
      }
      const large = page.viewportSize();
      await page.setViewportSize(small);
      const cut = await page.evaluate<readonly string[]>(tooWide);
      wrong.push(...cut.map((each) => `${name}: ${each}`));
      if (large) await page.setViewportSize(large);
    });
    expect(wrong).toEqual([]);
  },
);

test.each(isLongRun ? ['pl', 'ar'] : ['ar'])(
  '%s: fits 320 by 256 pixels without a script',
  {
    timeout: 120_000,
  },
  async (locale) => {
    const wrong: string[] = [];
    const options = { viewport: small, javaScriptEnabled: false };
    // Of a layout that is read from the right the pages with most in a line.
    const widest = shown.filter(({ name }) => isLongRun || widestPages.includes(name));
    await onEveryPage(widest, locale, options, async (page, name) => {
      const found = await page.evaluate<readonly string[]>(tooWide);
      wrong.push(...found.map((each) => `${name}: ${each}`));
    });
    expect(wrong).toEqual([]);
  },
);

const widestPages = ['choose', 'review', 'share-too-much', 'paid'];

const tooWide = `(() => {
  const root = document.documentElement;
  const out = root.scrollWidth > 320 ? ['the page is ' + root.scrollWidth + ' wide'] : [];
  // What only a screen reader finds has no size.
  const unseen = '.unseen, .unseen *, .timer .unscripted, .timer .unscripted *';
  for (const element of document.querySelectorAll('body *:not(' + unseen + ', svg *, .skip)')) {
    if (!element.checkVisibility()) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const isOutside = width > 0 && (left < -1 || right > 321);
    const isCut = element.scrollWidth > element.clientWidth + 1 &&
      getComputedStyle(element).overflowX !== 'visible' && element.clientWidth > 0;
    if (isOutside || isCut) out.push(element.outerHTML.slice(0, 120));
  }
  for (const bar of document.querySelectorAll('body *')) {
    if (['fixed', 'sticky'].includes(getComputedStyle(bar).position) && bar.offsetHeight > 128)
      out.push('half of the screen is covered by ' + bar.className);
  }
  return out;
})()`;

test('the first view makes three requests and loads at most 16 KB', async () => {
  const { page, close } = await visit(browser);
  const session = await page.context().newCDPSession(page);
  const requests: string[] = [];
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) requests.push(request.url);
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await states.find(({ name }) => name === 'choose')?.show(page, 'en');
  await expect.poll(() => requests.length).toBe(3);
  await expect.poll(() => bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThan(16 * 1024);
  expect(requests.filter((url) => !url.startsWith(journey.sandbox.url))).toEqual([]);
  await close();
});
