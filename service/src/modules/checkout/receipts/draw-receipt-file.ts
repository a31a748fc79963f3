import type { ReceiptSheet, SheetLine } from '@florin/checkout';
import type PDFDocument from 'pdfkit';
import { paperFonts } from '#platform/qr.ts';

const [plain = '', bold = ''] = paperFonts;
const margin = 56;
const ink = '#121826';
const soft = '#4c5668';
const rule = '#dfe4ec';
const totalRule = '#7d8797';
const good = '#0b6b3f';
/** The label of a fact is short and its value may be long; with a price it is the other way round. */
const labelWidths = { fact: 140, price: 380 } as const;
const gap = 16;
const rowSpace = 6;
const footSize = 9;
const logoBox = [128, 44] as const;
const shopRule = 4;

type Doc = InstanceType<typeof PDFDocument>;

/** On A4, with the letters that it uses of our fonts within it, and the shop's logo as a PNG. */
export const drawReceiptFile = async (
  sheet: ReceiptSheet,
  paidAt: Date,
  logo: Buffer | null = null,
): Promise<Buffer> => {
  // Loaded by the first receipt: a program that draws none is 26 MB smaller.
  const { default: Document } = await import('pdfkit');
  const doc = new Document({
    size: 'A4',
    margin,
    lang: sheet.locale,
    tagged: true,
    displayTitle: true,
    info: { Title: sheet.title, CreationDate: paidAt, ModDate: paidAt },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const drawn = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  drawShop(doc, sheet, logo);
  drawSheet(doc, sheet);
  doc.end();
  return drawn;
};

/** What the payer knows the shop by: its colour, and its logo, which its name below says. */
const drawShop = (doc: Doc, { accentColour }: ReceiptSheet, logo: Buffer | null): void => {
  doc.markContent('Artifact');
  if (accentColour) doc.rect(0, 0, doc.page.width, shopRule).fill(accentColour);
  if (logo) {
    doc.image(logo, margin, margin, { fit: [...logoBox] });
    doc.y = margin + logoBox[1] + gap;
  }
  doc.endMarkedContent();
};

const drawSheet = (doc: Doc, sheet: ReceiptSheet): void => {
  if (sheet.sandbox) paragraph(doc, sheet.sandbox, { font: bold, size: 10, colour: ink, after: 1 });
  paragraph(doc, sheet.title, { tag: 'H1', font: bold, size: 18, after: 0.2 });
  if (sheet.place) paragraph(doc, sheet.place, { size: 11, colour: soft, after: 0.5 });
  paragraph(doc, sheet.amount, { font: bold, size: 28, after: 0.1 });
  if (sheet.outcome)
    paragraph(doc, sheet.outcome, { font: bold, size: 11, colour: good, after: 1 });
  for (const line of sheet.facts) row(doc, line, 'fact');
  drawAmounts(doc, sheet);
  drawDetails(doc, sheet);
  drawFoot(doc, sheet.carrier);
};

/** At the foot of the last sheet, below a rule. */
const drawFoot = (doc: Doc, carrier: string): void => {
  doc.font(plain).fontSize(footSize);
  const height = doc.heightOfString(composed(carrier)) + 2 * rowSpace;
  const top = doc.page.height - margin - height;
  if (doc.y > top) doc.addPage();
  drawRule(doc, top, rule);
  doc.y = top + rowSpace;
  paragraph(doc, carrier, { size: footSize, colour: soft, after: 0 });
};

const drawRule = (doc: Doc, y: number, colour: string): void => {
  doc.markContent('Artifact');
  doc
    .moveTo(margin, y)
    .lineTo(doc.page.width - margin, y)
    .lineWidth(0.5)
    .stroke(colour);
  doc.endMarkedContent();
};

/** Below the facts: items, and what they come to. */
const drawAmounts = (doc: Doc, { items, amounts }: ReceiptSheet): void => {
  if (items) heading(doc, items.title);
  for (const line of [...(items?.lines ?? []), ...amounts]) row(doc, line, 'price');
};

/** The merchant's note and its contact. */
const drawDetails = (doc: Doc, sheet: ReceiptSheet): void => {
  if (sheet.note) {
    heading(doc, sheet.note.title);
    paragraph(doc, sheet.note.text, { after: 0 });
  }
  if (sheet.support) {
    heading(doc, sheet.support.title);
    for (const way of sheet.support.ways) paragraph(doc, way, { after: 0 });
  }
};

type Look = {
  readonly tag?: 'H1' | 'H2' | 'P';
  readonly font?: string;
  readonly size?: number;
  readonly colour?: string;
  /** In lines of it. */
  readonly after: number;
};

const paragraph = (doc: Doc, text: string, look: Look): void => {
  const { tag = 'P', font = plain, size = 10, colour = ink, after } = look;
  doc.font(font).fontSize(size).fillColor(colour);
  tagged(doc, tag, () => doc.text(composed(text), margin, doc.y));
  doc.moveDown(after);
};

const heading = (doc: Doc, text: string): void => {
  doc.fontSize(10).moveDown(1.5);
  paragraph(doc, text, { tag: 'H2', font: bold, size: 11, after: 0.3 });
};

/** A label and its value, each in as many lines as it needs. */
const row = (
  doc: Doc,
  { label, value, isTotal = false }: SheetLine,
  kind: keyof typeof labelWidths,
): void => {
  const font = isTotal ? bold : plain;
  const labelWidth = labelWidths[kind];
  const end = doc.page.width - margin;
  const right = margin + labelWidth + gap;
  const valueWidth = end - right;
  doc.font(font).fontSize(10);
  const height = Math.max(
    doc.heightOfString(composed(label), { width: labelWidth }),
    doc.heightOfString(composed(value), { width: valueWidth }),
  );
  if (doc.y + height + 2 * rowSpace > doc.page.height - margin) doc.addPage();
  const top = doc.y;
  drawRule(doc, top, isTotal ? totalRule : rule);
  const y = top + rowSpace;
  tagged(doc, 'P', () => {
    doc.fillColor(isTotal ? ink : soft).text(composed(label), margin, y, { width: labelWidth });
    doc.fillColor(ink).text(composed(value), right, y, { width: valueWidth, align: 'right' });
  });
  doc.x = margin;
  doc.y = y + height + rowSpace;
};

const tagged = (doc: Doc, tag: string, draw: () => void): void => {
  doc.addStructure(doc.struct(tag, {}, draw));
};

/** One letter with its mark is one letter of the font. */
const composed = (text: string): string => text.normalize('NFC');
