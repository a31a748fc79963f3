import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from '../harness/browser/open-browser.ts';
import { type Journey, openJourney } from '../harness/open-journey.ts';

/** One product and one browser for all tests here: starting either costs more than a payment. */
export let journey: Journey;
export let browser: Browser;

beforeAll(async () => {
  [journey, browser] = await Promise.all([openJourney(), openBrowser()]);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await journey?.close();
});
