import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/harness/browser/open-browser.ts';
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

test('who carries the payment stands once, at the foot', async () => {
  expect(await boxesAt('review', 390, '.carrier')).toHaveLength(1);
  expect(await boxesAt('choose-bank', 390, '.carrier')).toHaveLength(1);
});
