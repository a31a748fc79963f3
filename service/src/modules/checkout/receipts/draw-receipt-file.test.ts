import { fileLetters, receiptFile } from '@florin/checkout';
import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { drawPng, paperFonts } from '#platform/qr.ts';
import { samplePaid, sampleViews } from '../../../../../web/checkout/src/test/sample-views.ts';
import { drawReceiptFile } from './draw-receipt-file.ts';

/** As pdfkit holds it. */
type Opened = { readonly font: { readonly hasGlyphForCodePoint: (code: number) => boolean } };

const lastOfFile = 0x2fff;
const paidAt = new Date('2026-05-04T13:31:02.000Z');

test.each(paperFonts)('%s has every letter that a file may have', (file) => {
  const doc = new PDFDocument();
  doc.font(file);
  const { font } = (doc as unknown as { readonly _font: Opened })._font;
  const letters = Array.from({ length: lastOfFile }, (_, code) => code)
    .slice(' '.codePointAt(0))
    .filter((code) => fileLetters.test(String.fromCodePoint(code)));
  expect(letters.length).toBeGreaterThan(900);
  const missing = letters.filter((code) => !font.hasGlyphForCodePoint(code));
  expect(missing.map((code) => code.toString(16))).toEqual([]);
});

const sheetsOf = (file: Buffer) => file.toString('latin1').match(/\/Type \/Page\b/g);

test('a receipt is one sheet, and as many as its items need', async () => {
  const few = receiptFile(sampleViews['paid-with-items']);
  const lineItems = Array.from({ length: 48 }, () => ({
    name: 'Watering can '.repeat(8).slice(0, 100),
    quantity: 9_999,
    amount: '0.85',
  }));
  const many = receiptFile({ ...samplePaid, summary: { ...samplePaid.summary, lineItems } });
  if (!few || !many) throw new Error('no file');
  const [short, long] = await Promise.all([few, many].map((each) => drawReceiptFile(each, paidAt)));
  expect(sheetsOf(short ?? Buffer.of())).toHaveLength(1);
  expect(sheetsOf(long ?? Buffer.of())).toHaveLength(4);
  // The letters that are used, not the whole font.
  expect(short?.length).toBeLessThan(60_000);
});

test('a receipt has the logo and the colour of its shop, where there are any', async () => {
  const sheet = receiptFile({
    ...samplePaid,
    frame: { ...samplePaid.frame, accentColour: '#0B6B75' },
  });
  if (!sheet) throw new Error('no file');
  expect(sheet.accentColour).toBe('#0b6b75');
  const logo = await drawPng('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 44"/>', 64);
  const pictures = async (file: Promise<Buffer>) =>
    (await file).toString('latin1').match(/\/Subtype \/Image\b/g) ?? [];
  expect(await pictures(drawReceiptFile(sheet, paidAt))).toHaveLength(0);
  expect(await pictures(drawReceiptFile(sheet, paidAt, logo))).not.toHaveLength(0);
});
