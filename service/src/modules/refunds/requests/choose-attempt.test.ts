import { expect, test } from 'vitest';
import type { Attempt, Payment } from '#modules/payments/index.ts';
import { chooseAttempt } from './request-refund.ts';

const noShare = '00000000-0000-0000-0000-000000000000';
const at = new Date('2026-11-21T10:00:00.000Z');
const attempt = (attemptId: string, more: Partial<Attempt>): Attempt =>
  ({
    ...{ attemptId, paymentIdempotencyId: `P-${attemptId}`, shareId: noShare, card: null },
    ...{ applicationUserId: null, createdAt: at, updatedAt: at, submittedAt: null, ...more },
  }) as unknown as Attempt;

const superseded = attempt('first', { status: 'CANCELLED', endedReason: 'SUPERSEDED' });
const of = (...attempts: readonly Attempt[]) => ({ attempts }) as unknown as Payment;

test('a refund by the id of a superseded start is of the payment that superseded it', () => {
  const winner = attempt('second', { status: 'COMPLETED' });
  expect(chooseAttempt(of(superseded, winner), 'P-first')).toBe(winner);
  expect(chooseAttempt(of(superseded, winner), 'P-second')).toBe(winner);
});

test('where the one that superseded it is not paid, nothing can be refunded', () => {
  const failed = attempt('second', { status: 'FAILED' });
  expect(() => chooseAttempt(of(superseded, failed), 'P-first')).toThrow('Only a completed');
});
