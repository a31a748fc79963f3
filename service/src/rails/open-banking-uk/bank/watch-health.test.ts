import { expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { watchHealth } from './watch-health.ts';

const openWatch = () => {
  let nowMs = Date.parse('2026-11-02T12:00:00Z');
  const clock = { ...systemClock, now: () => new Date(nowMs) };
  const watch = watchHealth(clock, { bank: 'blue', api: 'payments' });
  return {
    /** F: no answer, A: answered in 100 ms, L: in 9 s. Two seconds pass after each. */
    calls: (text: string) => {
      for (const call of text) {
        watch.record(call !== 'F', call === 'L' ? 9_000 : 100);
        nowMs += 2_000;
      }
    },
    pass: (seconds: number) => {
      nowMs += seconds * 1_000;
    },
    record: watch.record,
    report: watch.report,
  };
};

test.each([
  ['', 'WORKING'],
  ['FFFF', 'WORKING'],
  ['FFFFF', 'UNAVAILABLE'],
  ['FFFFAF', 'WORKING'],
  ['FFFFFFA', 'WORKING'],
  ['LL', 'WORKING'],
  ['LLL', 'SLOW'],
  ['LAAA', 'WORKING'],
])('after the calls "%s" a bank is %s', (text, state) => {
  const watch = openWatch();
  watch.calls(text);
  expect(watch.report().state).toBe(state);
});

test('after 30 seconds it may be tried: one more failure hides it again, an answer ends it', () => {
  const watch = openWatch();
  watch.calls('FFFFF');
  expect(watch.report().retryAt).toEqual(new Date('2026-11-02T12:00:38Z'));
  watch.pass(28);
  expect(watch.report()).toMatchObject({ state: 'WORKING', retryAt: null });
  watch.calls('F');
  expect(watch.report().state).toBe('UNAVAILABLE');
  watch.calls('A');
  expect(watch.report().state).toBe('WORKING');
});

test('payers who wait for the same failure count once', () => {
  const watch = openWatch();
  for (let payer = 0; payer < 20; payer += 1) watch.record(false, 15_000);
  expect(watch.report()).toMatchObject({ state: 'WORKING', calls: 20, failedCalls: 20 });
});

test('calls older than two minutes are left out', () => {
  const watch = openWatch();
  watch.calls('ALF');
  expect(watch.report()).toMatchObject({ calls: 3, failedCalls: 1, averageMs: 4550 });
  watch.pass(121);
  expect(watch.report()).toMatchObject({ calls: 0, failedCalls: 0, averageMs: null });
});
