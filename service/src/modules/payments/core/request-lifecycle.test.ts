import { describe, expect, test } from 'vitest';
import {
  pairsOf,
  statesInDatabase,
} from '../../../../../test/harness/invariants/lifecycle-table.ts';
import { requestLifecycle } from './request-lifecycle.ts';

const listed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OPEN: {
    paid: 'PAID',
    expired: 'EXPIRED',
    cancelledByMerchant: 'CANCELLED',
    chargeEnded: 'CLOSED',
  },
  PAID: { paymentTakenBack: 'OPEN' },
};

describe('the lifecycle of a payment request', () => {
  test.each(pairsOf(requestLifecycle))('%s on %s', (state, trigger) => {
    expect(requestLifecycle.next(state, trigger)).toBe(listed[state]?.[trigger] ?? null);
  });

  test('what has expired, was cancelled or closed stays so', () => {
    expect(requestLifecycle.states.filter(requestLifecycle.isFinal)).toEqual([
      'EXPIRED',
      'CANCELLED',
      'CLOSED',
    ]);
  });

  test('the database allows the same states', async () => {
    const states = await statesInDatabase('payment_request', 'status');
    expect(states).toEqual([...requestLifecycle.states].sort());
  });
});
