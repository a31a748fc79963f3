import type { Page } from 'playwright-core';

export const chooseBank = async (page: Page, name = 'Mock'): Promise<void> => {
  await page.locator('.bank a', { hasText: name }).first().click();
  await page.waitForSelector('[data-start]');
};

/** On the last page before the bank: continues to the bank's login. */
export const continueToBank = async (page: Page): Promise<void> => {
  await page.locator('[data-start] button').click();
  await page.waitForSelector('form[data-step="login"]');
};

export const logInAtBank = async (page: Page, login?: string): Promise<void> => {
  if (login) await page.locator('#username').fill(login);
  await page.locator('form[data-step="login"] button').first().click();
};

export const approveAtBank = (page: Page): Promise<void> =>
  page.locator('form[data-step="approve"] button[value="approve"]').click();

export const waitForHeading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();
