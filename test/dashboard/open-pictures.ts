import type { Page } from 'playwright-core';
import type { DashboardPage } from './dashboard-pages.ts';
import type { Trade } from './trade-steps.ts';

/** A page in which something is open, typed, waited for or said. */
export type OpenPage = DashboardPage & { readonly act: (page: Page) => Promise<void> };

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();

const openDialog = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
};

const mistype = async (page: Page): Promise<void> => {
  await press('New link')(page);
  await page.getByLabel('Amount in pounds').fill('12,5x');
  await page.getByLabel('Order').fill('INV-1051');
  await page.getByText('Enter an amount such as 12.50.').waitFor();
};

/** On a phone all of them are in one sheet. */
const openFilters = async (page: Page): Promise<void> => {
  const all = page.getByRole('button', { name: 'Filters', exact: true });
  const isPhone = await all.isVisible();
  await (isPhone ? all : page.getByRole('button', { name: 'Status' })).click();
  const opened = isPhone
    ? page.getByRole('button', { name: /^Show [\d,]+ payments$/ })
    : page.getByText('Paid, and nothing since');
  await opened.waitFor();
};

const search = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.type('INV-104');
  await dialog.getByRole('link').first().waitFor();
};

/** The list is asked for again, and nobody answers. */
const wait = async (page: Page): Promise<void> => {
  await page.route('**/api/payouts?**', () => undefined);
  await page.reload();
  await page.locator('[data-visible=true]').first().waitFor();
};

/** Said where it was done: there are no toasts. */
const save = async (page: Page): Promise<void> => {
  await page.getByRole('checkbox', { name: 'A payout is paid' }).click();
  await press('Save')(page);
  await page.getByText('Saved.').first().waitFor();
};

const focusRow = async (page: Page): Promise<void> => {
  await page.locator('tbody a').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
};

const openPerson = async (page: Page): Promise<void> => {
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
};

/** Each loads anew what the one before left open. */
export const openPages = ({ paymentIds: [id], merchantId }: Trade): readonly OpenPage[] => [
  { name: 'open-refund', path: `payments/${id}`, act: openDialog('Refund') },
  { name: 'open-new-secret', path: 'developers/secrets', act: openDialog('New secret') },
  { name: 'open-new-link', path: 'links', act: press('New link') },
  { name: 'open-field-error', path: 'links', act: mistype },
  { name: 'open-suspend', path: `/operator/merchants/${merchantId}`, act: openDialog('Suspend') },
  { name: 'open-filter', path: 'payments', act: openFilters },
  { name: 'open-person', path: 'home', act: openPerson },
  { name: 'open-search', path: 'payments', act: search },
  { name: 'open-saved', path: 'settings/notifications', act: save },
  { name: 'open-focused-row', path: 'payments', act: focusRow },
  { name: 'open-loading', path: 'payouts', act: wait },
];
