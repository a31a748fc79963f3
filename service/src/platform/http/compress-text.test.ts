import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressText, encodingFor } from './compress-text.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['GZIP', 'gzip'],
  ['identity', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
] as const)('%s is answered with %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});

test('the compressed text is a tenth as long and unpacks to the same', () => {
  const text = 'Pay £12.50 to Corner Coffee. '.repeat(200);
  expect(brotliDecompressSync(compressText(text, 'br')).toString()).toBe(text);
  expect(gunzipSync(compressText(text, 'gzip')).toString()).toBe(text);
  expect(compressText(text, 'identity').toString()).toBe(text);
  expect(compressText(text, 'br').length).toBeLessThan(text.length / 10);
});
