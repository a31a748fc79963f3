import { crc32 } from 'node:zlib';
import type { Environment } from '#kernel/environment.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomByteCount = 24;
const randomLength = 33;
const checksumLength = 6;
const pattern = /^florin_(sandbox|production|operator)_[0-9A-Za-z]{39}$/;

/**
 * Recognisable in a leak, 192 random bits, and a checksum that detects a typo without a look-up.
 */
export const mintAccessSecret = (
  owner: Environment | 'OPERATOR',
  bytes: (count: number) => Buffer,
): string => {
  const random = BigInt(`0x${bytes(randomByteCount).toString('hex')}`);
  const body = `florin_${owner.toLowerCase()}_${base62(random, randomLength)}`;
  return body + checksum(body);
};

/** Of a merchant, or of an operator; the two are never taken for each other. */
export const isAccessSecret = (text: string, ofOperator = false): boolean => {
  const [, owner] = pattern.exec(text) ?? [];
  if (owner === undefined || (owner === 'operator') !== ofOperator) return false;
  return text.endsWith(checksum(text.slice(0, -checksumLength)));
};

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
