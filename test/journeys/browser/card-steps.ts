import type { FrameLocator, Page } from 'playwright-core';

export const chooseCard = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Pay by card' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Pay by card' }).waitFor();
};

/** The processor's page; with a script its fields, in a frame of our page. */
type CardPlace = Page | FrameLocator;

/** A page with a script shows them by itself. */
export const fieldsOf = async (page: Page): Promise<FrameLocator> => {
  const fields = page.frameLocator('iframe[title="Secure card payment"]');
  await fields.locator('#card-form').waitFor();
  return fields;
};

export const goToCard = async (page: Page, hasScript = true): Promise<CardPlace> => {
  if (hasScript) return fieldsOf(page);
  await page.getByRole('button', { name: /^Pay £.+ by card$/ }).click();
  await page.locator('#card-form').waitFor();
  return page;
};

export const typeCard = async (place: CardPlace, cardNumber: string): Promise<void> => {
  const typed = { number: cardNumber, expiry: '12/40', cvc: '123', name: 'Ada Payer' };
  for (const [name, value] of Object.entries(typed))
    await place.locator(`#card-form [name=${name}]`).fill(value);
  await place.locator('#pay-button').click();
};

export const paid = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Payment complete' }).waitFor();
