import { describe, expect, test } from 'vitest';
import { listAllowedValues } from '../../../../../test/harness/database/list-allowed-values.ts';
import { listLifecyclePairs } from '../../../../../test/harness/list-lifecycle-pairs.ts';
import { requestLifecycle } from './payment-lifecycles.ts';

const listed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OPEN: {
    paid: 'PAID',
    expired: 'EXPIRED',
    cancelledByMerchant: 'CANCELLED',
    chargeEnded: 'CLOSED',
  },
  PAID: { paymentReversed: 'OPEN' },
};

describe('the lifecycle of a payment request', () => {
  test.each(listLifecyclePairs(requestLifecycle))('%s on %s', (state, trigger) => {
    expect(requestLifecycle.next(state, trigger)).toBe(listed[state]?.[trigger] ?? null);
  });

  test('expired, cancelled and closed are final', () => {
    expect(requestLifecycle.states.filter(requestLifecycle.isFinal)).toEqual([
      'EXPIRED',
      'CANCELLED',
      'CLOSED',
    ]);
  });

  test('the database allows the same states', async () => {
    const states = await listAllowedValues('payment_request', 'status');
    expect(states).toEqual([...requestLifecycle.states].sort());
  });
});
