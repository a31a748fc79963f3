import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { begin } from '../test/submit.ts';
import { type Change, changeLoaded, noteAttempt } from './change-payment.ts';
import type { Payment } from './payment.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const hour = 3_600_000;

/** Notes an attempt, and what it was decided on in each round. */
const noting = (attemptId: string, tracingId: string) => {
  const rounds: Payment[] = [];
  const decide = (payment: Payment, change: Change): boolean => {
    rounds.push(payment);
    noteAttempt(change, attemptId, { tracingId });
    return true;
  };
  return { rounds, decide };
};

test('a payment is changed as it was read, at the present time, and can be changed again', async () => {
  const { payment, attemptId } = await begin(payments);
  const first = noting(attemptId, 'first');
  const after = await changeLoaded(payments.tools, payment, first.decide);
  const second = noting(attemptId, 'second');
  await changeLoaded(payments.tools, after, second.decide);
  expect([first.rounds.length, second.rounds.length]).toEqual([1, 1]);
  expect(first.rounds[0]?.now.getTime()).toBeGreaterThanOrEqual(payment.now.getTime());
});

test('what was changed meanwhile is decided on anew', async () => {
  const { payment, attemptId } = await begin(payments);
  await changeLoaded(payments.tools, payment, noting(attemptId, 'other').decide);
  const { rounds, decide } = noting(attemptId, 'mine');
  const after = await changeLoaded(payments.tools, payment, decide);
  expect(rounds.map(({ attempts }) => attempts[0]?.tracingId)).toEqual([attemptId, 'other']);
  expect(after.attempts[0]?.tracingId).toBe('mine');
});

test('a clock that was moved meanwhile is the time of the change', async () => {
  const { payment, attemptId } = await begin(payments);
  await payments.advance(hour / 4);
  const { rounds, decide } = noting(attemptId, 'later');
  await changeLoaded(payments.tools, payment, decide);
  const [, anew] = rounds;
  expect(anew?.now.getTime()).toBeGreaterThanOrEqual(payment.now.getTime() + hour / 4);
});

test('where nothing is to be written, what is true now decides', async () => {
  const { payment } = await begin(payments);
  let rounds = 0;
  const after = await changeLoaded(payments.tools, payment, () => {
    rounds += 1;
    return false;
  });
  expect(rounds).toBe(2);
  expect(after.version).toBe(payment.version);
});
