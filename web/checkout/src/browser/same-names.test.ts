import type { CheckoutBank } from '@florin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/harness/browser/open-browser.ts';
import { renderCheckout } from '../render-checkout.ts';
import { tellBanksApart } from '../tell-banks-apart.ts';
import { sampleChooseBank, sampleReview } from '../test/sample-views.ts';
import { assetUrls, type PageServer, servePages, page as shown } from '../test/serve-pages.ts';
import { openAddress, visit } from '../test/visit.ts';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), servePages()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const [first] = sampleChooseBank.banks;
const twin = (id: string, more: Partial<CheckoutBank>): CheckoutBank => {
  if (!first) throw new Error('no bank');
  return { ...first, id, name: 'Tern', fullName: 'Tern', ...more };
};
const banks = tellBanksApart([
  twin('own', { kind: 'personal' }),
  twin('works', { kind: 'business' }),
  twin('quay', { name: 'Quay', fullName: 'Quay Bank plc' }),
  twin('quay-private', { name: 'Quay', fullName: 'Quay Private Banking', isSlow: true }),
  twin('off', { isAvailable: false, unavailableReason: 'DOWN', fullName: 'Tern of Jersey' }),
]);

const textsAt = async (body: string, width: number, selector: string) => {
  server.answers.set('GET /', shown(body));
  const { page, close } = await visit(browser, { viewport: { width, height: 568 } });
  await openAddress(page, `${server.origin}/`);
  const found = await page.locator(selector).allInnerTexts();
  await close();
  return found.map((text) => text.replaceAll(/\s+/g, ' '));
};

test.each([320, 1280])('banks of one name can be told apart at %i pixels', async (width) => {
  const body = renderCheckout({ ...sampleChooseBank, banks, lastUsedBankId: 'own' }, assetUrls());
  expect(await textsAt(body, width, '.last-used .bank-name')).toEqual(['Tern Personal Last used']);
  expect(await textsAt(body, width, '.bank .bank-name')).toEqual([
    'Tern Personal Last used',
    'Tern Business',
    'Quay Quay Bank plc',
    'Quay Quay Private Banking Slow right now',
    'Tern Tern of Jersey Not available right now',
  ]);
});

test('the bank that was chosen has what tells it apart', async () => {
  const [, bank = sampleReview.bank] = banks;
  const body = renderCheckout({ ...sampleReview, bank }, assetUrls());
  expect(await textsAt(body, 390, '.chosen .bank-name')).toEqual(['Tern Business']);
});
