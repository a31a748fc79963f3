import { describe, expect, test } from 'vitest';
import { listAllowedValues } from '../../../../../test/harness/database/list-allowed-values.ts';
import { listLifecyclePairs } from '../../../../../test/harness/list-lifecycle-pairs.ts';
import { attemptLifecycle, cardTriggers, isLive, isSubmitted } from './payment-lifecycles.ts';

/** BANK-1 and CARD-5, written out by hand: a change of the table must be intended. */
const listed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AWAITING_AUTHORIZATION: {
    submitted: 'PENDING',
    declinedByPayer: 'CANCELLED',
    superseded: 'CANCELLED',
    abandoned: 'CANCELLED',
    requestExpired: 'CANCELLED',
    requestCancelled: 'CANCELLED',
    refusedByBank: 'FAILED',
    exchangeLost: 'FAILED',
    paidAtProcessor: 'COMPLETED',
    declinedAtProcessor: 'FAILED',
    cancelledAtProcessor: 'CANCELLED',
  },
  PENDING: {
    accepted: 'COMPLETED',
    rejected: 'FAILED',
    paidAtProcessor: 'COMPLETED',
    declinedAtProcessor: 'FAILED',
    cancelledAtProcessor: 'CANCELLED',
    authorised: 'AUTHORIZED',
  },
  AUTHORIZED: {
    captured: 'COMPLETED',
    cancelledByMerchant: 'CANCELLED',
    authorisationExpired: 'CANCELLED',
  },
  COMPLETED: { reversed: 'FAILED' },
};

describe('the lifecycle of an attempt', () => {
  test.each(listLifecyclePairs(attemptLifecycle))('%s on %s', (state, trigger) => {
    expect(attemptLifecycle.next(state, trigger)).toBe(listed[state]?.[trigger] ?? null);
  });

  test('FAILED and CANCELLED are final; COMPLETED changes only by a reversal', () => {
    expect(attemptLifecycle.states.filter(attemptLifecycle.isFinal)).toEqual([
      'FAILED',
      'CANCELLED',
    ]);
    const leavingCompleted = attemptLifecycle.edges.filter(({ from }) => from === 'COMPLETED');
    expect(leavingCompleted.map(({ trigger }) => trigger)).toEqual(['reversed']);
  });

  test('a submitted attempt never waits again, and only a card processor cancels it', () => {
    for (const { from, trigger, to } of attemptLifecycle.edges) {
      expect(to).not.toBe('AWAITING_AUTHORIZATION');
      expect(from === 'COMPLETED' && to === 'CANCELLED').toBe(false);
      if (isSubmitted(from) && to === 'CANCELLED') expect(cardTriggers).toContain(trigger);
    }
  });

  test('live states are those in which a payer, bank or processor still acts', () => {
    const live = ['AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED'];
    expect(attemptLifecycle.states.filter(isLive)).toEqual(live);
    expect(attemptLifecycle.states.filter(isSubmitted)).toEqual(['PENDING', 'AUTHORIZED']);
  });

  test('an attempt starts by waiting for its payer; a charge of a saved card is sent at once', () => {
    const { initial, alsoStartsAt } = attemptLifecycle;
    expect([initial, ...alsoStartsAt]).toEqual(['AWAITING_AUTHORIZATION', 'PENDING']);
  });

  test('the database allows the same states', async () => {
    expect(await listAllowedValues('attempt', 'status')).toEqual(
      [...attemptLifecycle.states].sort(),
    );
    expect(await listAllowedValues('attempt', 'step')).toEqual(
      [
        ...['AT_BANK', 'ENDED', 'EXCHANGING', 'SUBMITTED', 'SUBMITTING'],
        ...['OPENING_PAGE', 'AT_PROCESSOR', 'CHARGING', 'STEP_UP', 'AUTHORISED', 'CAPTURING'],
        ...['CANCELLING', 'PAID_TOO_LATE', 'REFUNDING_LATE'],
      ].sort(),
    );
  });
});
