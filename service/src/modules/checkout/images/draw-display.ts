import { qrSvg } from '#platform/qr.ts';
import { type PaymentImage, stateWords } from './payment-image.ts';
import { breakLines, svgText } from './svg-text.ts';

const width = 720;
const height = 1200;
const middle = width / 2;
const margin = 56;
const qrSize = 480;

/** For a screen on the counter: who is paid, how much, and the code, readable from two metres. */
export const drawDisplay = (image: PaymentImage): string => {
  const names = breakLines(image.merchantName, 46, width - 2 * margin, 2);
  const nameEnd = 110 + (names.length - 1) * 54;
  const place = image.storeName ?? image.address;
  const words = stateWords[image.state];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans, system-ui, sans-serif" role="img">` +
    `<rect width="${width}" height="${height}" fill="#f4f6f9"/>` +
    `<rect width="${width}" height="14" fill="${image.accentColour}"/>` +
    names
      .map((name, at) => svgText(middle, 110 + at * 54, name, { size: 46, bold: true }))
      .join('') +
    smallLine(place, nameEnd + 42) +
    svgText(middle, nameEnd + 150, image.amount, { size: 88, bold: true }) +
    `<rect x="${middle - qrSize / 2 - 24}" y="${nameEnd + 190}" width="${qrSize + 48}" ` +
    `height="${qrSize + 48}" rx="28" fill="#ffffff" stroke="#dfe3ea" stroke-width="2"/>` +
    centre(image, nameEnd + 214) +
    svgText(middle, nameEnd + 800, words.title, { size: 44, bold: true }) +
    breakLines(words.more, 26, width - 2 * margin, 2)
      .map((line, at) =>
        svgText(middle, nameEnd + 848 + at * 36, line, { size: 26, colour: '#4b5563' }),
      )
      .join('') +
    (image.isTest ? testMark() : '') +
    '</svg>'
  );
};

const smallLine = (text: string, y: number): string =>
  text === ''
    ? ''
    : svgText(middle, y, breakLines(text, 26, width - 2 * margin, 1)[0] ?? '', {
        size: 26,
        colour: '#4b5563',
      });

/** The code while it can be paid; afterwards a sign, so that nobody scans it for nothing. */
const centre = (image: PaymentImage, y: number): string => {
  if (image.state === 'OPEN')
    return (
      `<svg x="${middle - qrSize / 2}" y="${y}" width="${qrSize}" height="${qrSize}">` +
      `${qrSvg(image.link)}</svg>`
    );
  const isPaid = image.state === 'PAID';
  const cy = y + qrSize / 2;
  const sign = isPaid
    ? `M${middle - 74} ${cy + 4}l52 54 98-112`
    : `M${middle - 60} ${cy - 60}l120 120m0-120l-120 120`;
  return (
    `<circle cx="${middle}" cy="${cy}" r="150" fill="${isPaid ? '#dcf5e6' : '#eef1f6'}"/>` +
    `<path d="${sign}" fill="none" stroke="${isPaid ? '#0b6b3a' : '#6b7280'}" stroke-width="26" ` +
    'stroke-linecap="round" stroke-linejoin="round"/>'
  );
};

const testMark = (): string =>
  `<rect y="${height - 52}" width="${width}" height="52" fill="#ffc53d"/>` +
  svgText(middle, height - 17, 'Test mode: no real money moves', { size: 26, bold: true });
