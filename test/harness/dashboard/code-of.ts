import { createHmac } from 'node:crypto';
import { systemClock } from '../../../service/src/platform/clock.ts';

/** What an authenticator app shows for the secret of its QR code (RFC 6238), now or `stepsAhead`. */
export const codeOf = (uri: string, stepsAhead = 0): string => {
  const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const text = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...text].map((sign) => base32.indexOf(sign).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  const step = Math.floor(systemClock.now().getTime() / 30_000) + stepsAhead;
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const start = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};
