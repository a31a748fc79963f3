import { crc32 } from 'node:zlib';
import type { Environment } from '#kernel/environment.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomByteCount = 24;
const randomLength = 33;
const checksumLength = 6;
const pattern = /^florin_(sandbox|production)_[0-9A-Za-z]{39}$/;

/** Recognisable in a leak, 192 random bits, and a checksum that tells a typo without a look-up. */
export const mintAccessSecret = (
  environment: Environment,
  bytes: (count: number) => Buffer,
): string => {
  const random = BigInt(`0x${bytes(randomByteCount).toString('hex')}`);
  const body = `florin_${environment.toLowerCase()}_${base62(random, randomLength)}`;
  return body + checksum(body);
};

export const isAccessSecret = (text: string): boolean =>
  pattern.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)));

const checksum = (body: string): string => base62(BigInt(crc32(body)), checksumLength);

const base62 = (value: bigint, length: number): string => {
  let rest = value;
  let written = '';
  while (written.length < length) {
    written = digits[Number(rest % 62n)] + written;
    rest /= 62n;
  }
  return written;
};
