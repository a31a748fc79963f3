import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import jsqr from 'jsqr';
import { describe, expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { samplePayment } from '#modules/payments/test/sample-payment.ts';
import { drawnFonts, drawPng } from '#platform/qr.ts';
import { isLongRun } from '../../../../../test/harness/is-long-run.ts';
import { drawDisplay } from './draw-display.ts';
import { drawSlip } from './draw-slip.ts';
import { type PaymentImage, paymentImage } from './payment-image.ts';

const decode = jsqr as unknown as (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { readonly data: string } | null;

const image: PaymentImage = {
  merchantName: 'Corner Coffee & Sons',
  storeName: 'Brick Lane',
  address: '12 Brick Lane, London, E1 6RF',
  amount: '£12.50',
  amountNote: null,
  orderId: 'order-1',
  notes: 'Table 7',
  items: [],
  link: 'https://pay.example/pay?paymentRequestId=7bc32e2f-87a2-4fc5-8690-06e375ca9ecb',
  state: 'OPEN',
  isTest: true,
  accentColour: '#7a3e1d',
};

const draws = { display: drawDisplay, receipt: drawSlip };

describe.each(Object.entries(draws))('the %s', (_, draw) => {
  test.each(isLongRun ? [360, 384, 576, 720] : [384, 576])(
    'has a code that scans at %i pixels',
    (width) => {
      const drawn = new Resvg(draw(image), { fitTo: { mode: 'width', value: width } }).render();
      const pixels = new Uint8ClampedArray(drawn.pixels);
      expect(decode(pixels, drawn.width, drawn.height)?.data).toBe(image.link);
    },
  );

  test.each([
    ['UNDER_WAY', 'Being paid'],
    ['PAID', 'Paid'],
    ['EXPIRED', 'Expired'],
    ['CANCELLED', 'Cancelled'],
  ] as const)('shows %s without a code', (state, title) => {
    const svg = draw({ ...image, state, amountNote: 'Tip £1.50' });
    expect(svg).toContain(title);
    expect(svg).toContain('Tip £1.50');
    const drawn = new Resvg(svg).render();
    expect(decode(new Uint8ClampedArray(drawn.pixels), drawn.width, drawn.height)).toBeNull();
  });

  test('shows what the till asks for with its tip, before and after it is paid', () => {
    const sale = { amountPence: pence(1_250), fixedTipPence: pence(200) };
    const { amount, amountNote } = paymentImage(samplePayment(sale), 'https://pay.example');
    expect([amount, amountNote]).toEqual(['£14.50', 'Tip £2.00']);
  });

  test.each([
    [99_999n, '£999.99'],
    [123_450n, '£1,234.50'],
    [12_345_678n, '£123,456.78'],
  ])('%i pence are read as %s', (amountPence, amount) => {
    const payment = samplePayment({ amountPence: pence(amountPence) });
    expect(draw(paymentImage(payment, 'https://pay.example'))).toContain(`>${amount}<`);
  });

  test.each(
    (isLongRun ? [384, 576, 720] : [384]).flatMap((dots) =>
      [
        ['£999.99', 'Tip £1.50'],
        ['£123,456.78', 'left of £999,999.99'],
        ['£1,000,000.00', 'left of £1,234,567.89'],
        ['£12,345,678.90', 'Tip £1,234,567.89'],
        ['£999,999,999.99', 'left of £88,888,888,888.88'],
      ].map(([amount = '', amountNote = '']) => ({ dots, amount, amountNote })),
    ),
  )('at $dots dots $amount, $amountNote stand whole', ({ dots, amount, amountNote }) => {
    const svg = draw({ ...image, amount, amountNote });
    const [opening = ''] = /^<svg [^>]*>/.exec(svg) ?? [];
    for (const text of [amount, amountNote]) {
      const [element = ''] = new RegExp(`<text [^>]*>${text}</text>`).exec(svg) ?? [];
      const fitTo = { mode: 'width', value: dots } as const;
      const { pixels } = new Resvg(`${opening}${element}</svg>`, {
        fitTo,
        font: drawnFonts,
      }).render();
      const inked = new Set<number>();
      for (let at = 3; at < pixels.length; at += 4)
        if (pixels[at] !== 0) inked.add(Math.floor(at / 4) % dots);
      expect(inked.size).toBeGreaterThan(dots / 10);
      expect(Math.min(...inked)).toBeGreaterThan(dots / 50);
      expect(Math.max(...inked)).toBeLessThan(dots - dots / 50);
    }
  });

  test('merchant text cannot break out of the image', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (merchantName, notes) => {
        const svg = draw({ ...image, merchantName: `${merchantName}</text><script>`, notes });
        expect(svg).not.toContain('<script');
        new Resvg(svg, { font: { loadSystemFonts: false } });
      }),
      { numRuns: 200 },
    );
  });

  test('the PNG contains the text', async () => {
    const withText = await drawPng(draw(image), 384);
    const without = await drawPng(draw({ ...image, merchantName: ' ', amount: ' ' }), 384);
    expect(withText.length).toBeGreaterThan(without.length + 500);
  });
});

test('a receipt names what is paid for, with every amount whole', () => {
  const lineItems = [
    { name: 'Flat white, oat milk', quantity: 2, amountPence: 780 },
    { name: 'Loyalty discount', quantity: 1, amountPence: -123_456 },
  ];
  const { items } = paymentImage(samplePayment({ lineItems }), 'https://pay.example');
  expect(items).toEqual([
    { name: '2 × Flat white, oat milk', amount: '£7.80' },
    { name: 'Loyalty discount', amount: '−£1,234.56' },
  ]);
  const svg = drawSlip({ ...image, items });
  for (const text of ['2 × Flat white,', 'oat milk', '£7.80', '−£1,234.56'])
    expect(svg).toContain(`>${text}</text>`);
});

// A till's printer has eight dots to the millimetre and no grey; it prints 48 mm of 58, or 72 mm of
// 80.
describe.each([
  ['58 mm', 384],
  ['80 mm', 576],
])('a receipt on %s paper', (_, dots) => {
  const long = {
    ...image,
    merchantName: 'The Old Market Square Coffee House',
    orderId: 'x'.repeat(50),
    items: [{ name: 'Cheese toastie with a side salad and chutney', amount: '−£1,234,567.89' }],
  };
  const printed = new Resvg(drawSlip(long), { fitTo: { mode: 'width', value: dots } }).render();
  const pixels = Uint8ClampedArray.from(printed.pixels, (value) => (value < 128 ? 0 : 255));

  test('scans in black and white', () => {
    expect(decode(pixels, printed.width, printed.height)?.data).toBe(image.link);
  });

  test('has letters of at least 2.5 millimetres that stay on the paper', () => {
    const sizes = [...drawSlip(long).matchAll(/font-size="([\d.]+)"/g)].map(([, size]) =>
      Number(size),
    );
    expect(sizes.length).toBeGreaterThan(5);
    expect((Math.min(...sizes) * dots) / 384 / 8).toBeGreaterThan(2.5);
    const isDark = (x: number, y: number) => pixels[(y * dots + x) * 4] === 0;
    for (let y = 0; y < printed.height; y += 1)
      for (const x of [0, 1, dots - 2, dots - 1]) expect(isDark(x, y)).toBe(false);
  });
});
