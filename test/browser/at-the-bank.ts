import type { Page } from 'playwright-core';

export const chooseBank = async (page: Page, name = 'Mock Sandbox Bank'): Promise<void> => {
  await page.locator('.bank a', { hasText: name }).first().click();
  await page.waitForSelector('[data-start]');
};

/** On the last page before the bank: goes on, to the bank's login. */
export const goOn = async (page: Page): Promise<void> => {
  await page.locator('[data-start] button').click();
  await page.waitForSelector('form[data-step="login"]');
};

export const logIn = async (page: Page, login?: string): Promise<void> => {
  if (login) await page.locator('#username').fill(login);
  await page.locator('form[data-step="login"] button').first().click();
};

export const approve = (page: Page): Promise<void> =>
  page.locator('form[data-step="approve"] button[value="approve"]').click();

export const headed = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();
