import { qrSvg } from '#platform/qr.ts';
import { breakLines, fitAmount, type PaymentImage, stateWords, svgText } from './payment-image.ts';

// 384 dots are the printable width of 58 mm paper; on 80 mm it is printed half as large again.
const width = 384;
const middle = width / 2;
const margin = 16;
const qrSize = 300;
const priceWidth = 130;
const itemGap = 8;
const maxItemLines = 5;
const black = '#000000';

/** The name in as many lines as it needs, the amount at the end of the first, or below where it is long. */
const itemRow = ({ name, amount }: PaymentImage['items'][number], top: number) => {
  const size = 22;
  const step = Math.round(size * 1.25);
  const paper = width - 2 * margin;
  const isShort = fitAmount(amount, size, priceWidth) === size;
  const lines = breakLines(
    name,
    size,
    isShort ? paper - priceWidth - itemGap : paper,
    maxItemLines,
  );
  const priced = isShort ? 1 : lines.length + 1;
  const price = svgText(width - margin, top + step * priced, amount, {
    size: fitAmount(amount, size, paper),
    colour: black,
    anchor: 'end',
  });
  const named = lines.map((line, at) =>
    svgText(margin, top + step * (at + 1), line, { size, colour: black, anchor: 'start' }),
  );
  return { text: price + named.join(''), end: top + step * Math.max(priced, lines.length) };
};

/** For the till's printer: black only, no line thinner than it can print. */
export const drawSlip = (image: PaymentImage): string => {
  const parts: string[] = [];
  let y = 12;
  const lines = (text: string, size: number, bold: boolean, max: number) => {
    for (const line of breakLines(text, size, width - 2 * margin, max)) {
      y += Math.round(size * 1.25);
      parts.push(svgText(middle, y, line, { size, bold, colour: black }));
    }
  };
  /** An amount is made smaller, never cut. */
  const whole = (text: string, maxSize: number, bold: boolean) => {
    const size = fitAmount(text, maxSize, width - 2 * margin);
    y += Math.round(size * 1.25);
    parts.push(svgText(middle, y, text, { size, bold, colour: black }));
  };
  const rule = () => {
    y += 18;
    parts.push(`<path d="M${margin} ${y}h${width - 2 * margin}" stroke="#000" stroke-width="2"/>`);
    y += 6;
  };
  lines(image.merchantName, 32, true, 3);
  if (image.storeName) lines(image.storeName, 24, false, 2);
  if (image.address) lines(image.address, 22, false, 3);
  rule();
  lines(`Order ${image.orderId}`, 24, false, 2);
  if (image.notes) lines(image.notes, 24, false, 2);
  for (const item of image.items) {
    const row = itemRow(item, y + 8);
    parts.push(row.text);
    y = row.end;
  }
  y += 10;
  whole(image.amount, 52, true);
  if (image.amountNote) whole(image.amountNote, 24, false);
  rule();
  lines(stateWords[image.state].title, 34, true, 1);
  if (image.state === 'OPEN') {
    y += 12;
    parts.push(
      `<svg x="${(width - qrSize) / 2}" y="${y}" width="${qrSize}" height="${qrSize}">` +
        `${qrSvg(image.link)}</svg>`,
    );
    y += qrSize;
  }
  lines(stateWords[image.state].more, 22, false, 3);
  if (image.isTest) lines('TEST: no real money', 24, true, 1);
  const height = y + 24;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans, system-ui, sans-serif" role="img">` +
    `<rect width="${width}" height="${height}" fill="#ffffff"/>${parts.join('')}</svg>`
  );
};
