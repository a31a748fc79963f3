import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import type { Caller } from '../route.ts';
import { addressKey, openBuckets } from './open-buckets.ts';
import { openRateLimit } from './open-rate-limit.ts';

let nowMs = 1_800_000_000_000;
const clock = { now: () => new Date(nowMs), sleep: async () => undefined };

test('token buckets give a second of requests at once, then as many as time brings', () => {
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

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the address %s stands for %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

describe('a limit', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service.close());

  const openProcess = (behindMs = 0) =>
    openRateLimit(
      { database: service.database, clock: { ...clock, now: () => new Date(nowMs - behindMs) } },
      true,
    );
  const isTaken = (call: Promise<void>): Promise<boolean> =>
    call.then(
      () => true,
      () => false,
    );
  const callerOf = (): Caller => ({
    tenant: service.production,
    secretId: service.tools.ids.uuid(),
    redirectUrl: null,
    isReadOnly: false,
    by: { kind: 'secret' },
  });

  test('without a secret counts address and operation, whatever the path', async () => {
    const { limitRate } = openProcess();
    const call = (address: string, operation: string) =>
      isTaken(limitRate(null, address, operation));
    const calls = await Promise.all(
      Array.from({ length: 25 }, (_, at) => call(`2001:db8::${at + 1}`, 'getTransaction')),
    );
    expect(calls.filter(Boolean)).toHaveLength(20);
    expect(await call('2001:db8:0:1::1', 'getTransaction')).toBe(true);
    expect(await call('2001:db8::1', 'getTransactionV2')).toBe(true);
  });

  test.each([
    ['the same time', 0],
    ['clocks that differ by 400 ms', 400],
  ])('of a secret holds for all processes together: %s', async (_, behindMs) => {
    const processes = [openProcess(), openProcess(behindMs), openProcess()];
    const caller = callerOf();
    let taken = 0;
    const seconds = 5;
    nowMs = Math.ceil(nowMs / 1000) * 1000;
    for (let step = 0; step < seconds * 5; step += 1) {
      const calls = processes.flatMap(({ limitRate }) =>
        Array.from({ length: 20 }, () => isTaken(limitRate(caller, '203.0.113.9', 'any'))),
      );
      taken += (await Promise.all(calls)).filter(Boolean).length;
      nowMs += 200;
    }
    expect(taken / seconds).toBeGreaterThanOrEqual(80);
    expect(taken / seconds).toBeLessThanOrEqual(120);
  });

  test('of a process with little to do leaves the others nearly all', async () => {
    const [busy, idle] = [openProcess(), openProcess()];
    const caller = callerOf();
    nowMs += 1_000;
    expect(await isTaken(idle.limitRate(caller, '203.0.113.9', 'any'))).toBe(true);
    const calls = Array.from({ length: 150 }, () =>
      isTaken(busy.limitRate(caller, '203.0.113.9', 'any')),
    );
    const taken = (await Promise.all(calls)).filter(Boolean).length;
    expect(taken).toBeGreaterThanOrEqual(80);
    expect(taken).toBeLessThanOrEqual(100);
  });
});
