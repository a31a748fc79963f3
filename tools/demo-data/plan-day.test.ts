import { describe, expect, test } from 'vitest';
import { openingHours, orderWeights, type PlannedDay, planDay } from './plan-day.ts';
import { readRequest } from './read-request.ts';
import { showProgress } from './show-progress.ts';

const datesFrom = (first: string, days: number): readonly string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  );
const year = (seed: string): readonly PlannedDay[] =>
  datesFrom('2027-01-01', 365).map((date) => planDay(seed, date, 20));
const ordersOn = (days: readonly PlannedDay[], isOne: (date: Date) => boolean): number => {
  const some = days.filter(({ date }) => isOne(new Date(date)));
  return some.reduce((sum, { orders }) => sum + orders.length, 0) / some.length;
};

describe('the plan of a day', () => {
  const days = year('one');
  const orders = days.flatMap((day) => day.orders);

  test('is the same for the same seed and another for another', () => {
    expect(planDay('one', '2027-03-02', 20)).toEqual(planDay('one', '2027-03-02', 20));
    expect(planDay('two', '2027-03-02', 20)).not.toEqual(planDay('one', '2027-03-02', 20));
  });

  test.each([
    ['Saturdays above Mondays', 6, 1],
    ['Fridays above Sundays', 5, 0],
  ])('has %s', (_, busy, quiet) => {
    const on = (weekday: number) => ordersOn(days, (date) => date.getUTCDay() === weekday);
    expect(on(busy)).toBeGreaterThan(1.3 * on(quiet));
  });

  test('has December above August and January', () => {
    const inMonth = (month: number) => ordersOn(days, (date) => date.getUTCMonth() === month);
    expect(inMonth(11)).toBeGreaterThan(1.5 * inMonth(7));
    expect(inMonth(11)).toBeGreaterThan(1.5 * inMonth(0));
  });

  test('has about as many orders as were asked for, over a year', () => {
    expect(orders.length / 365).toBeGreaterThan(18);
    expect(orders.length / 365).toBeLessThan(23);
  });

  test.each(Object.entries(orderWeights))('has %s about %i times in a thousand', (kind, weight) => {
    const found = (orders.filter((each) => each.kind === kind).length / orders.length) * 1_000;
    expect(found).toBeGreaterThan(0.4 * weight - 1);
    expect(found).toBeLessThan(1.6 * weight + 2);
  });

  test('has refunds of each kind, and days without a receiver of webhooks', () => {
    const refunds = days.flatMap((day) => day.refunds);
    expect(new Set(refunds.map(({ kind }) => kind))).toEqual(
      new Set(['PART', 'WHOLE', 'FAILS', 'WITHDRAWN']),
    );
    expect(days.filter(({ isReceiverDown }) => isReceiverDown)).toHaveLength(12);
  });

  test('takes no amount that the API refuses, and each order id once', () => {
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(orders.length);
    const wrong = orders.filter(({ pence, notes, hour, shares }) => {
      const sum = shares.reduce((total, each) => total + each, 0);
      return (
        pence < 100 ||
        notes.length > 30 ||
        !openingHours.some((open) => open === hour) ||
        (shares.length > 0 && sum !== pence) ||
        shares.some((each) => each < 100)
      );
    });
    expect(wrong).toEqual([]);
    expect(orders.filter(({ shares }) => shares.length > 1).length).toBeGreaterThan(50);
  });
});

describe('the command line', () => {
  const drawn = () => 'drawn';

  test.each([
    [[], { seed: 'drawn', days: 365, paymentsADay: 2 }],
    [['--seed', 'x-1', '--days', '2'], { seed: 'x-1', days: 2, paymentsADay: 2 }],
    [['--payments-a-day', '50'], { seed: 'drawn', days: 365, paymentsADay: 50 }],
  ])('%j', (words, request) => {
    expect(readRequest(words, drawn)).toEqual(request);
  });

  test.each([
    ['--days', '0'],
    ['--days', '401'],
    ['--days', '1.5'],
    ['--payments-a-day', 'many'],
    ['--seed', 'two words'],
  ])('refuses %s %s and says what is right', (name, value) => {
    expect(() => readRequest([name, value], drawn)).toThrow(`${name} must be`);
  });
});

describe('the progress', () => {
  const written = (isTTY: boolean): string => {
    let text = '';
    const progress = showProgress({ isTTY, columns: 80, write: (more) => (text += more) }, 365);
    for (let done = 1; done <= 365; done += 1) progress.at(done, '2027-01-01');
    progress.end();
    return text;
  };

  test('is a bar on a terminal', () => {
    expect(written(true)).toContain(`\r\u001b[K[${'#'.repeat(24)}] 365/365 days`);
  });

  test('is a few plain lines elsewhere', () => {
    const lines = written(false).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(13);
    expect(lines.at(-1)).toBe('365/365 days  2027-01-01');
  });
});
