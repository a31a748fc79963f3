import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/harness/browser/open-browser.ts';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { locales } from '../language/locales.ts';
import { type PageServer, servePages } from '../test/serve-pages.ts';
import { openAddress, serveSamples, visit } from '../test/visit.ts';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), servePages()]);
  serveSamples(server, 'en');
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

type Box = { readonly x: number; readonly y: number; readonly width: number };

const boxesAt = async (name: string, width: number, selector: string) => {
  const { page, close } = await visit(browser, { viewport: { width, height: 844 } });
  await openAddress(page, `${server.origin}/en/${name}`);
  const boxes: Box[] = [];
  for (const each of await page.locator(selector).all()) {
    const box = (await each.isVisible()) && (await each.boundingBox());
    if (box) boxes.push(box);
  }
  await close();
  return boxes;
};

test.each([320, 360, 390, 1280])('no row of tips ends in a hole at %i pixels', async (width) => {
  const boxes = await boxesAt('tip', width, '.chip');
  const ends = new Map<number, number>();
  for (const { x, y, width: own } of boxes) ends.set(y, Math.round(x + own));
  expect(new Set(ends.values()).size).toBe(1);
});

/** Texts of the header of which one lies on another. */
const overlaps = `(() => {
  const names = ['h2', '.amount', '.timer > span', '.below', '.change a', 'details > summary'];
  const boxes = names
    .flatMap((name) => [...document.querySelectorAll('.summary ' + name)])
    .filter((element) => getComputedStyle(element).position !== 'absolute')
    .flatMap((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [...range.getClientRects()].map((box) => ({ element, box }));
    });
  const isOn = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 &&
    one.top < other.bottom - 3 && other.top < one.bottom - 3;
  return boxes.flatMap(({ element, box }) =>
    boxes.filter((each) => each.element !== element && isOn(box, each.box))
      .map((each) => element.textContent.trim() + ' / ' + each.element.textContent.trim()));
})()`;

// One of each script and direction; all sixteen are in the long run.
const shownLocales = isLongRun ? locales : (['en', 'pl', 'ar', 'gu'] as const);

test.each(shownLocales)(
  'no text of the header lies on another at 320 pixels, in %s',
  async (locale) => {
    serveSamples(server, locale);
    const { page, close } = await visit(browser, { viewport: { width: 320, height: 568 } });
    for (const name of ['choose-with-items', 'tip', 'share', 'review-tip']) {
      await openAddress(page, `${server.origin}/${locale}/${name}`);
      expect(await page.evaluate(overlaps), name).toEqual([]);
      // More than ten minutes are left: the time of day is shown.
      await page.evaluate(`document.querySelector('[data-timer]').dataset.calm = ''`);
      expect(await page.evaluate(overlaps), name).toEqual([]);
    }
    await close();
  },
);

test('who carries the payment stands once, at the foot', async () => {
  expect(await boxesAt('review', 390, '.carrier')).toHaveLength(1);
  expect(await boxesAt('choose-bank', 390, '.carrier')).toHaveLength(1);
});
