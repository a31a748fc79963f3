import { expect, test } from 'vitest';
import { nextPollAt, pollAfter, pollUpTo } from './plan-polls.ts';

const submitted_at = new Date('2026-05-04T12:00:00Z');
const after = (ms: number) => new Date(submitted_at.getTime() + ms);
const minute = 60_000;
const day = 24 * 60 * minute;

const pending = {
  at: after(700),
  submitted_at,
  is_settled: false,
  status: 'PENDING',
  is_alerted: false,
} as const;

/** Poll by poll for forty days: unsettled payments are polled without end. */
const planOf = (isSettled: boolean): readonly Date[] => {
  const times = [after(700)];
  for (let at: Date | null = after(700); at && at < after(40 * day); ) {
    at = nextPollAt(submitted_at, at, isSettled);
    if (at) times.push(at);
  }
  return times;
};

test('continues with the first poll of the plan that is not before the change', () => {
  const plan = planOf(false);
  for (const ms of [0, 700, 5_000, 2 * minute, 14 * minute, 3 * 60 * minute]) {
    const at = plan.findIndex((each) => each >= after(ms));
    expect(pollAfter(pending, after(ms).getTime())).toEqual({ at: plan[at], passed: at });
  }
});

test('stops once at the poll that alerts the operator', () => {
  const shown = pollAfter(pending, Infinity);
  const first = planOf(false).find((each) => each >= after(day));
  expect(shown.at).toEqual(first);
  expect(pollAfter({ ...pending, at: shown.at }, Infinity)).toEqual({ at: shown.at, passed: 0 });
  const on = pollAfter({ ...pending, at: shown.at, is_alerted: true }, after(3 * day).getTime());
  expect(on.at.getTime()).toBeGreaterThan(shown.at.getTime());
});

test('keeps the final poll of a settled payment', () => {
  const settled = { ...pending, status: 'COMPLETED', is_settled: true };
  expect(pollAfter(settled, Infinity).at).toEqual(planOf(true).at(-1));
});

test('continues daily while a payment is not settled', () => {
  const unsettled = { ...pending, status: 'COMPLETED' };
  const from = after(30 * day);
  const next = planOf(false).find((each) => each >= from);
  expect(pollAfter(unsettled, from.getTime()).at).toEqual(next);
});

test.each([
  ['whose money arrived is polled right after it changes', true, true],
  ['of another account, or without its money, keeps to the plan', true, false],
  ['whose money has not arrived keeps to the plan', false, true],
])('a payment %s', (_what, is_settled, is_collected) => {
  const poll = { ...pending, status: 'COMPLETED', is_settled, is_collected };
  const [change, end] = [after(3 * minute).getTime(), after(30 * minute).getTime()];
  const { at } = pollUpTo(poll, change, end);
  const isShown = is_settled && is_collected;
  const next = planOf(is_settled).find((each) => each.getTime() >= change - 1_000);
  expect(at).toEqual(isShown ? new Date(change + 1_000) : next);
  // What changes after the end of the advance is no business of this one.
  expect(pollUpTo(poll, change, change - minute).at).toEqual(
    planOf(is_settled).find((each) => each.getTime() >= change - minute),
  );
});
