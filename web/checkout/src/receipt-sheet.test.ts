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

test('items, tip and all that was paid stand in one order, in the file and on the page', () => {
  const view = sampleViews['paid-with-items'];
  const tipped = { ...view, summary: { ...view.summary, tipAmount: '4.25', totalAmount: '46.75' } };
  const file = receiptFile(tipped);
  const lines = [...(file?.facts ?? []), ...(file?.items?.lines ?? []), ...(file?.amounts ?? [])];
  expect(lines.slice(-6).map(({ label, value }) => `${label.slice(0, 12)} ${value}`)).toEqual([
    '2 × Fern in  £39.00',
    'Watering can £8.50',
    'Members’ dis −£5.00',
    'Bill £42.50',
    'Tip £4.25',
    'Amount paid £46.75',
  ]);
  const page = renderCheckout(tipped, assets).split('class="receipt"')[1] ?? '';
  const shown = [...page.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, label = '']) =>
    label.replaceAll(/<[^>]+>/g, '').trim(),
  );
  // On the page what was bought stands first.
  const facts = file?.facts.length ?? 0;
  const onPage = [...lines.slice(facts), ...lines.slice(0, facts)];
  expect(shown).toEqual(onPage.map(({ label }) => label.trim()));
});

test('a receipt names the payment first, of a split bill too', () => {
  const first = (splitsBill: boolean) =>
    receiptFile({ ...samplePaid, summary: { ...samplePaid.summary, splitsBill } })?.facts[0]?.label;
  expect([first(false), first(true)]).toEqual(['Payment ID', 'Payment ID']);
});

test('a receipt says in words with which card it was paid', () => {
  const card = { brand: 'Visa', lastFourDigits: '4242' };
  const attempt = { ...samplePaid.attempt, method: 'CARD', card } as const;
  const paidWith = receiptFile({ ...samplePaid, attempt })?.facts.at(-1);
  expect(paidWith).toMatchObject({ label: 'Paid with', value: 'Visa ending in 4242' });
});

test('a receipt names the bill where it tells a part of it', () => {
  const summary = { ...samplePaid.summary, taxAmount: '6.67' };
  expect(receiptFile({ ...samplePaid, summary })?.amounts).toMatchObject([
    { label: 'Bill', value: '£42.50' },
    { label: 'VAT included', value: '£6.67' },
    { label: 'Amount paid', value: '£42.50' },
  ]);
  expect(receiptFile(samplePaid)?.amounts).toHaveLength(1);
});

test.each(['咖啡', 'شاي', 'चाय', 'Tea 🫖'])('no file is offered with "%s" on it', (name) => {
  const summary = { ...samplePaid.summary, lineItems: [{ name, quantity: 1, amount: '42.50' }] };
  expect(receiptFile({ ...samplePaid, summary })).toBeNull();
});

test('a file ends with who carried the payment, as the foot of the page does', () => {
  const operatorStatus = 'Authorised by the Financial Conduct Authority (FRN 900001)';
  const frame = { ...samplePaid.frame, operatorStatus };
  expect(receiptFile({ ...samplePaid, frame })?.carrier).toBe(
    `Payments by Florin. ${operatorStatus}`,
  );
  expect(receiptFile(samplePaid)?.carrier).toBe('Payments by Florin');
});

test('only what is paid has a file', () => {
  expect(receiptFile(sampleViews.failed)).toBeNull();
  expect(receiptFile(sampleViews.waiting)).toBeNull();
  expect(receiptFile({ ...samplePaid, embed: { showsSteps: false } })).toBeNull();
});
