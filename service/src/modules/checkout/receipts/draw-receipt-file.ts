import type { ReceiptSheet, SheetLine } from '@florin/checkout';
import type PDFDocument from 'pdfkit';
import { drawnFonts } from '#platform/qr.ts';

const [plain = '', bold = ''] = drawnFonts.fontFiles;
const margin = 56;
const ink = '#121826';
const soft = '#4c5668';
const rule = '#dfe4ec';
const labelShare = 0.55;
const gap = 16;
const rowSpace = 6;

type Doc = InstanceType<typeof PDFDocument>;

/** On A4, with the letters that it uses of our fonts within it. */
export const drawReceiptFile = async (sheet: ReceiptSheet, paidAt: Date): Promise<Buffer> => {
  // Loaded by the first receipt: a program that draws none is 26 MB smaller.
  const { default: Document } = await import('pdfkit');
  const doc = new Document({
    size: 'A4',
    margin,
    lang: sheet.locale,
    tagged: true,
    displayTitle: true,
    info: { Title: `${sheet.title}: ${sheet.merchantName}`, CreationDate: paidAt, ModDate: paidAt },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const drawn = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  drawSheet(doc, sheet);
  doc.end();
  return drawn;
};

const drawSheet = (doc: Doc, sheet: ReceiptSheet): void => {
  if (sheet.sandbox) paragraph(doc, sheet.sandbox, { font: bold, size: 10, colour: ink, after: 1 });
  paragraph(doc, sheet.merchantName, { tag: 'H1', font: bold, size: 18, after: 0.2 });
  paragraph(doc, sheet.title, { size: 11, colour: soft, after: 0.5 });
  paragraph(doc, sheet.amount, { font: bold, size: 28, after: 0.4 });
  for (const line of sheet.facts) row(doc, line);
  if (sheet.items) {
    heading(doc, sheet.items.title);
    for (const line of sheet.items.lines) row(doc, line);
  }
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

/** A label, and its value at the end of the line; each in as many lines as it needs. */
const row = (doc: Doc, { label, value }: SheetLine): void => {
  const width = doc.page.width - 2 * margin;
  const labelWidth = width * labelShare - gap;
  const valueWidth = width - labelWidth - gap;
  doc.font(plain).fontSize(10);
  const height = Math.max(
    doc.heightOfString(composed(label), { width: labelWidth }),
    doc.heightOfString(composed(value), { width: valueWidth }),
  );
  if (doc.y + height + 2 * rowSpace > doc.page.height - margin) doc.addPage();
  const top = doc.y;
  doc.markContent('Artifact');
  doc
    .moveTo(margin, top)
    .lineTo(margin + width, top)
    .lineWidth(0.5)
    .stroke(rule);
  doc.endMarkedContent();
  const y = top + rowSpace;
  const right = margin + labelWidth + gap;
  tagged(doc, 'P', () => {
    doc.fillColor(soft).text(composed(label), margin, y, { width: labelWidth });
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
