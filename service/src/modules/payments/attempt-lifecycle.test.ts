import { describe, expect, test } from 'vitest';
import { pairsOf, statesInDatabase } from '../../../../test/harness/lifecycle-table.ts';
import { attemptLifecycle, isLive } from './attempt-lifecycle.ts';

/** Decision 15, written out once more by hand: a change of the table has to be meant. */
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
  },
  PENDING: { accepted: 'COMPLETED', rejected: 'FAILED' },
  COMPLETED: { rejectedLater: 'FAILED' },
};

describe('the lifecycle of an attempt', () => {
  test.each(pairsOf(attemptLifecycle))('%s on %s', (state, trigger) => {
    expect(attemptLifecycle.next(state, trigger)).toBe(listed[state]?.[trigger] ?? null);
  });

  test('FAILED and CANCELLED are the end; COMPLETED is left by a reversal only', () => {
    expect(attemptLifecycle.states.filter(attemptLifecycle.isFinal)).toEqual([
      'FAILED',
      'CANCELLED',
    ]);
    const leavingCompleted = attemptLifecycle.edges.filter(({ from }) => from === 'COMPLETED');
    expect(leavingCompleted.map(({ trigger }) => trigger)).toEqual(['rejectedLater']);
  });

  test('nothing that was submitted goes back to waiting, and nothing submitted is cancelled', () => {
    for (const { from, to } of attemptLifecycle.edges) {
      expect(to).not.toBe('AWAITING_AUTHORIZATION');
      if (from === 'PENDING' || from === 'COMPLETED') expect(to).not.toBe('CANCELLED');
    }
  });

  test('alive are the states in which a payer or a bank is at work', () => {
    expect(attemptLifecycle.states.filter(isLive)).toEqual(['AWAITING_AUTHORIZATION', 'PENDING']);
  });

  test('the database allows the same states', async () => {
    expect(await statesInDatabase('attempt', 'status')).toEqual(
      [...attemptLifecycle.states].sort(),
    );
    expect(await statesInDatabase('attempt', 'step')).toEqual(
      ['AT_BANK', 'CREATING_CONSENT', 'ENDED', 'EXCHANGING', 'SUBMITTED', 'SUBMITTING'].sort(),
    );
  });
});
