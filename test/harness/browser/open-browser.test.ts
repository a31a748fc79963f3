import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from './open-browser.ts';

let browser: Awaited<ReturnType<typeof openBrowser>>;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

test('a page shows text, and closing it leaves the browser open', async () => {
  for (const word of ['first', 'second']) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.setContent(`<p style="font-family: 'Open Sans'">${word}</p>`);
    expect(await page.textContent('p')).toBe(word);
    expect(await page.evaluate("document.querySelector('p').offsetHeight")).toBeGreaterThan(5);
    await context.close();
  }
});
