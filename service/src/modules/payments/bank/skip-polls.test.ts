import { expect, test } from 'vitest';
import { nextPollAt } from './next-poll-at.ts';
import { pollAfter } from './skip-polls.ts';

const submitted_at = new Date('2026-05-04T12:00:00Z');
const after = (ms: number) => new Date(submitted_at.getTime() + ms);
const minute = 60_000;
const day = 24 * 60 * minute;

const pending = {
  at: after(700),
  submitted_at,
  iso_status_code: 'PDNG',
  status: 'PENDING',
  is_alerted: false,
} as const;

/** Question by question, as the clock would stop at each. */
const planOf = (isSettled: boolean): readonly Date[] => {
  const times = [after(700)];
  for (let at: Date | null = after(700); at; ) {
    at = nextPollAt(submitted_at, at, isSettled);
    if (at) times.push(at);
  }
  return times;
};

test('goes on to the first poll of the plan that is not before the change', () => {
  const plan = planOf(false);
  for (const ms of [0, 700, 5_000, 2 * minute, 14 * minute, 3 * 60 * minute]) {
    const at = plan.findIndex((each) => each >= after(ms));
    expect(pollAfter(pending, after(ms).getTime())).toEqual({ at: plan[at], passed: at });
  }
});

test('stops where the operator is told, once', () => {
  const shown = pollAfter(pending, Infinity);
  const first = planOf(false).find((each) => each >= after(day));
  expect(shown.at).toEqual(first);
  expect(pollAfter({ ...pending, at: shown.at }, Infinity)).toEqual({ at: shown.at, passed: 0 });
  const on = pollAfter({ ...pending, at: shown.at, is_alerted: true }, Infinity);
  expect(on.at.getTime()).toBeGreaterThan(shown.at.getTime());
});

test('keeps the last question, with which asking ends', () => {
  for (const isSettled of [true, false]) {
    const last = planOf(isSettled).at(-1);
    const iso_status_code = isSettled ? 'ACSC' : 'ACSP';
    const requested = { ...pending, status: 'COMPLETED', iso_status_code };
    expect(pollAfter(requested, Infinity).at).toEqual(last);
  }
});
