import { qrSvg } from '#platform/qr.ts';
import { breakLines, fitAmount, type PaymentImage, stateWords, svgText } from './payment-image.ts';

const width = 720;
const height = 1200;
const middle = width / 2;
const margin = 56;
const qrSize = 480;

/** For a screen on the counter: payee, amount and code, readable from two metres. */
export const drawDisplay = (image: PaymentImage): string => {
  const names = breakLines(image.merchantName, 46, width - 2 * margin, 2);
  const nameEnd = 110 + (names.length - 1) * 54;
  const storeLine = image.storeName ?? image.address;
  const words = stateWords[image.state];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans, system-ui, sans-serif" role="img">` +
    `<rect width="${width}" height="${height}" fill="#f4f6f9"/>` +
    `<rect width="${width}" height="14" fill="${image.accentColour}"/>` +
    names
      .map((name, at) => svgText(middle, 110 + at * 54, name, { size: 46, bold: true }))
      .join('') +
    smallLine(storeLine, nameEnd + 42) +
    amountLines(image, nameEnd + 150) +
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

const amountLines = ({ amount, amountNote }: PaymentImage, y: number): string => {
  const [amountY, noteY] = amountNote === null ? [y, y] : [y - 12, y + 26];
  const size = fitAmount(amount, 88, width - 2 * margin);
  return svgText(middle, amountY, amount, { size, bold: true }) + smallLine(amountNote, noteY);
};

const smallLine = (text: string | null, y: number): string =>
  text === null || text === ''
    ? ''
    : svgText(middle, y, breakLines(text, 26, width - 2 * margin, 1)[0] ?? '', {
        size: 26,
        colour: '#4b5563',
      });

/** The code while it can be paid; then a sign. */
const centre = (image: PaymentImage, y: number): string => {
  if (image.state === 'OPEN')
    return (
      `<svg x="${middle - qrSize / 2}" y="${y}" width="${qrSize}" height="${qrSize}">` +
      `${qrSvg(image.link)}</svg>`
    );
  const { fill, stroke, sign } = signs[image.state];
  const cy = y + qrSize / 2;
  return (
    `<circle cx="${middle}" cy="${cy}" r="150" fill="${fill}"/>` +
    `<path transform="translate(${middle} ${cy})" d="${sign}" fill="none" stroke="${stroke}" ` +
    'stroke-width="26" stroke-linecap="round" stroke-linejoin="round"/>'
  );
};

const stopped = { fill: '#eef1f6', stroke: '#6b7280', sign: 'M-60-60l120 120m0-120l-120 120' };

const signs = {
  UNDER_WAY: { fill: '#e3eafd', stroke: '#2447d6', sign: 'M0-80v84l56 36' },
  PAID: { fill: '#dcf5e6', stroke: '#0b6b3a', sign: 'M-74 4l52 54 98-112' },
  EXPIRED: stopped,
  CANCELLED: stopped,
} as const;

const testMark = (): string =>
  `<rect y="${height - 52}" width="${width}" height="52" fill="#ffc53d"/>` +
  svgText(middle, height - 17, 'Test mode: no real money moves', { size: 26, bold: true });
