import { describe, expect, test } from 'vitest';
import { openBuckets, openRateLimit } from './open-rate-limit.ts';

let nowMs = 1_000_000;
const clock = { now: () => new Date(nowMs), sleep: async () => undefined };

describe('token buckets', () => {
  test('allow a second of requests at once, then the rate', () => {
    const take = openBuckets(clock, 10);
    const takeMany = (count: number) => Array.from({ length: count }, () => take('a'));
    expect(takeMany(10)).toEqual(Array(10).fill(null));
    expect(take('a')).toBe(1);
    expect(take('b')).toBeNull();
    nowMs += 500;
    expect(takeMany(6)).toEqual([null, null, null, null, null, 1]);
    nowMs += 3_600_000;
    expect(takeMany(11).filter((wait) => wait === null)).toHaveLength(10);
    nowMs -= 5_000;
    expect(take('a')).toBe(1);
  });

  test('count address and path, not the query, without a secret', () => {
    const limit = openRateLimit(clock, true);
    const call = (address: string, target: string) => limit(null, address, target);
    for (let at = 0; at < 20; at += 1) call('10.0.0.1', `/status/1?poll=${at}`);
    expect(() => call('10.0.0.1', '/status/1?poll=20')).toThrow(/Too many/);
    call('10.0.0.1', '/status/2');
    call('10.0.0.2', '/status/1');
  });
});
