import { isIPv6 } from 'node:net';
import { setBounded } from '#kernel/set-bounded.ts';
import type { Clock } from '../../clock.ts';

const groups = 8;
const networkGroups = 4;

/** Whom an address stands for: an IPv4 address, or an IPv6 network of 64 bits, which is one customer's. */
export const addressKey = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::');
  const written = (text: string | undefined) => (text ? text.split(':') : []);
  const [first, last] = [written(head), written(tail)];
  const zeros = Array.from({ length: groups - first.length - last.length }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, networkGroups).join(':')}::/64`;
};

type Bucket = { tokens: number; filledMs: number };

const bucketsMax = 50_000;

/** Token buckets in memory, a second's worth each. Null: go on; else seconds to wait. */
export const openBuckets = (clock: Pick<Clock, 'now'>, perSecond: number) => {
  const buckets = new Map<string, Bucket>();
  return (key: string): number | null => {
    const nowMs = clock.now().getTime();
    const bucket = buckets.get(key) ?? { tokens: perSecond, filledMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.filledMs) * perSecond) / 1000;
    bucket.tokens = Math.min(perSecond, bucket.tokens + gained);
    bucket.filledMs = nowMs;
    // Moved to the end, so that the one left out for room is the one unused for longest.
    setBounded(buckets, key, bucket, bucketsMax);
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perSecond);
    bucket.tokens -= 1;
    return null;
  };
};
