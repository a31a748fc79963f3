import type { Locator, Page } from 'playwright-core';

const maxPresses = 80;

const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === element.ownerDocument.activeElement);

/** A person without a mouse: Tab until it has the focus. Throws where Tab never comes there. */
export const tabTo = async (page: Page, locator: Locator): Promise<void> => {
  await locator.waitFor();
  const passed: string[] = [];
  for (let press = 0; press < maxPresses; press += 1) {
    if (await hasFocus(locator)) return;
    await page.keyboard.press('Tab');
    passed.push(await focused(page));
  }
  throw new Error(`Tab never comes to ${locator}, but to ${passed.join(' | ')}`);
};

/** Over what is there. */
export const retype = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
};

/** What has the focus, in words. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const { activeElement: at, body } = document;
    if (!at || at === body) return 'nothing';
    const label = at.labels?.[0]?.textContent ?? at.getAttribute('aria-label');
    return label ?? (at.id === 'page' ? 'the page' : at.textContent);
  })()`);
