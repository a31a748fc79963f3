import { expect, test } from 'vitest';
import { remember } from './remember.ts';

const clockAt = (start: number) => {
  let nowMs = start;
  return {
    now: () => new Date(nowMs),
    sleep: async () => undefined,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

test('concurrent callers load once, and again after the value expired or was dropped', async () => {
  const clock = clockAt(0);
  let loads = 0;
  const token = remember(clock, async () => ({ value: `t${++loads}`, cacheForMs: 1000 }));
  const all = await Promise.all(Array.from({ length: 20 }, () => token.get()));
  expect(new Set(all)).toEqual(new Set(['t1']));
  clock.pass(999);
  expect(await token.get()).toBe('t1');
  clock.pass(1);
  expect(await token.get()).toBe('t2');
  token.drop('t1');
  expect(await token.get()).toBe('t2');
  token.drop('t2');
  expect(await token.get()).toBe('t3');
});

test('a failure is shared for a second, then the load is retried', async () => {
  const clock = clockAt(0);
  let loads = 0;
  const value = remember(clock, async () => {
    loads += 1;
    if (loads === 1) throw new Error('down');
    return { value: 'up', cacheForMs: 1000 };
  });
  await expect(value.get()).rejects.toThrow('down');
  await expect(value.get()).rejects.toThrow('down');
  expect(loads).toBe(1);
  clock.pass(1000);
  expect(await value.get()).toBe('up');
});
