import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import jsqr from 'jsqr';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../../test/harness/is-long-run.ts';
import { qrPng, qrSvg } from './qr.ts';

const decode = jsqr as unknown as (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { readonly data: string } | null;

const count = isLongRun ? 250 : 25;
const links = Array.from({ length: count }, (_, number) => {
  const hex = createHash('sha256').update(String(number)).digest('hex');
  const id = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
  return `https://pay.example/pay?paymentRequestId=${id}&source=EXTERNAL_MERCHANT`;
});

/** Our PNG has one bit a pixel: a set bit is dark, anything else lets the paper through. */
const pixelsOnPaper = (
  png: Buffer,
): { readonly rgba: Uint8ClampedArray; readonly size: number } => {
  const size = png.readUInt32BE(16);
  const at = png.indexOf('IDAT') + 4;
  const rows = inflateSync(png.subarray(at, at + png.readUInt32BE(at - 8)));
  const rowBytes = Math.ceil(size / 8) + 1;
  const rgba = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const byte = rows[y * rowBytes + 1 + (x >> 3)] ?? 0;
      if (byte & (0x80 >> (x & 7))) rgba.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  return { rgba, size };
};

describe('an independent decoder reads every code', () => {
  test(`${count} as PNG with no ground`, () => {
    for (const link of links) {
      const png = qrPng(link);
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(png.includes('tRNS')).toBe(true);
      const { rgba, size } = pixelsOnPaper(png);
      expect(decode(rgba, size, size)?.data).toBe(link);
    }
  });

  test(`${count} as SVG`, () => {
    for (const link of links) {
      const image = new Resvg(qrSvg(link), { fitTo: { mode: 'width', value: 300 } }).render();
      const pixels = new Uint8ClampedArray(image.pixels);
      expect(decode(pixels, image.width, image.height)?.data).toBe(link);
    }
  });

  test('another PNG reader opens it', () => {
    const png = qrPng(links[0] ?? '');
    const size = 'width="400" height="400"';
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="#fff"/>` +
      `<image ${size} href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
    const image = new Resvg(svg).render();
    const pixels = new Uint8ClampedArray(image.pixels);
    expect(decode(pixels, image.width, image.height)?.data).toBe(links[0]);
  });
});
