import { expect, test } from 'vitest';
import { locales } from './language/locales.ts';
import { receiptFile } from './receipt-sheet.ts';
import { renderCheckout } from './render-checkout.ts';
import { inLocale, samplePaid, sampleViews } from './test/sample-views.ts';

const printedOnly = ['ar', 'bn', 'gu', 'pa', 'ur', 'zh'];
const assets = { scriptUrl: null };

test.each(locales)('%s: the receipt is a file where its letters can be drawn right', (locale) => {
  const view = inLocale(sampleViews['paid-with-items'], locale);
  const isFile = !printedOnly.includes(locale);
  expect(receiptFile(view) !== null).toBe(isFile);
  expect(renderCheckout(view, assets).includes('/pay/receipt.pdf?')).toBe(isFile);
  expect(renderCheckout(view, assets)).toContain('data-print');
});

test.each(['咖啡', 'شاي', 'चाय', 'Tea 🫖'])('no file is offered with "%s" on it', (name) => {
  const summary = { ...samplePaid.summary, lineItems: [{ name, quantity: 1, amount: '42.50' }] };
  expect(receiptFile({ ...samplePaid, summary })).toBeNull();
});

test('only what is paid has a file', () => {
  expect(receiptFile(sampleViews.failed)).toBeNull();
  expect(receiptFile(sampleViews.waiting)).toBeNull();
  expect(receiptFile({ ...samplePaid, embed: { showsSteps: false } })).toBeNull();
});
