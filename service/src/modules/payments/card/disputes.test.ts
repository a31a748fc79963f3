import { describe, expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { randomIds } from '#platform/clock.ts';
import { draftChange } from '../core/change-payment.ts';
import type { Attempt, Payment } from '../core/payment.ts';
import { newCardAttempt } from './attempts.ts';
import { applyDispute } from './disputes.ts';

const ids = randomIds();
const now = new Date('2026-11-21T10:00:00.000Z');

const paidByCard = () => {
  const payment = {
    ...{ paymentRequestId: ids.uuid(), attempts: [], now, amountPence: pence(1250) },
    ...{ splitsBill: false, strictExpiry: false, expiresBusinessAt: now, clockOffsetMs: 0 },
    merchant: { name: 'Corner Coffee' },
    store: { id: ids.uuid() },
  } as unknown as Payment;
  const attempt: Attempt = {
    ...newCardAttempt(ids, payment, {
      accountKey: 'acct_1',
      ...{ status: 'PENDING', step: 'CHARGING', amountPence: pence(1250), tipPence: pence(0) },
      ...{ captureType: 'AUTO_CAPTURE', initiator: 'MERCHANT', cardId: null, facts: null },
      ...{ railStateEncrypted: null, openForMs: 0, firstPollMs: null, consumerName: null },
      ...{ applicationUserId: null, paymentDevice: null },
    }),
    status: 'COMPLETED',
    step: 'ENDED',
  };
  return draftChange({ ...payment, attempts: [attempt] });
};

type Report = readonly [reference: string, status: 'OPEN' | 'WON' | 'LOST', amount?: number];

/** The books and the history after these reports, and which of them were visible. */
const after = (...reports: readonly Report[]) => {
  const change = paidByCard();
  const visible = reports.map(([reference, status, amount = 1250]) => {
    const [attempt] = change.payment.attempts;
    if (!attempt) throw new Error('no attempt');
    return applyDispute({ ids }, change, attempt, reference, {
      ...{ kind: 'DISPUTE', status, amountPence: pence(amount), paymentReference: 'pi_1' },
      ...{ attemptId: attempt.attemptId, reason: 'fraudulent', respondBy: null },
      submissions: 0,
    });
  });
  const booked = (account: string) =>
    change.postings
      .filter((posting) => posting.account === account)
      .reduce((sum, { amountPence }) => sum + amountPence, 0n);
  expect(booked('MERCHANT_PAID_DIRECTLY')).toBe(-booked('SETTLED_BY_PROCESSOR'));
  expect(change.events).toEqual([]);
  expect(change.payment.attempts[0]?.status).toBe('COMPLETED');
  return {
    pence: booked('SETTLED_BY_PROCESSOR'),
    history: change.history.map(({ trigger }) => trigger),
    visible,
    cases: change.cases.map(({ kind, subject }) => `${kind} ${subject}`),
    resolved: change.resolvedCases.map(({ kind, resolution }) => `${kind} ${resolution}`),
  };
};

describe('a dispute', () => {
  test('takes nothing while it is an inquiry, so that refunds go on, and its amount once it is none', () => {
    expect(after(['dp_1', 'OPEN', 0], ['dp_1', 'OPEN', 0])).toMatchObject({
      pence: 0n,
      visible: [true, false],
      cases: ['DISPUTE_OPENED dp_1'],
    });
    expect(after(['dp_1', 'OPEN', 0], ['dp_1', 'OPEN']).pence).toBe(-1250n);
    expect(after(['dp_1', 'OPEN', 0], ['dp_1', 'WON', 0]).pence).toBe(0n);
  });

  test('debits the merchant once', () => {
    expect(after(['dp_1', 'OPEN'], ['dp_1', 'OPEN'])).toMatchObject({
      pence: -1250n,
      history: ['disputed'],
      visible: [true, false],
    });
  });

  test.each([
    ['WON', 0n, 'disputeWon'],
    ['LOST', -1250n, 'disputeLost'],
  ] as const)('%s ends with %s in the books', (status, pence, ending) => {
    const end = { pence, history: ['disputed', ending] };
    expect(after(['dp_1', 'OPEN'], ['dp_1', status], ['dp_1', status])).toMatchObject(end);
    // The opening was never reported, or comes late and reads the current state.
    expect(after(['dp_1', status])).toMatchObject(end);
  });

  test('ignores a late read of an older state', () => {
    for (const [status, pence] of [
      ['WON', 0n],
      ['LOST', -1250n],
    ] as const) {
      const late = after(['dp_1', 'OPEN'], ['dp_1', status], ['dp_1', 'OPEN']);
      expect(late).toMatchObject({ pence, visible: [true, true, false] });
    }
    expect(after(['dp_1', 'WON'], ['dp_1', 'LOST']).pence).toBe(0n);
  });

  test('of a closed inquiry takes the money, and no late read of the inquiry gives it back', () => {
    const escalated = after(['dp_1', 'OPEN', 0], ['dp_1', 'WON', 0], ['dp_1', 'OPEN']);
    expect(escalated).toMatchObject({
      pence: -1250n,
      visible: [true, true, true],
      cases: ['DISPUTE_OPENED dp_1', 'DISPUTE_OPENED dp_1'],
      resolved: ['DISPUTE_OPENED The dispute was won.'],
    });
    for (const status of ['OPEN', 'LOST'] as const) {
      const late = after(['dp_1', 'OPEN', 0], ['dp_1', status], ['dp_1', 'WON', 0]);
      expect(late).toMatchObject({ pence: -1250n, visible: [true, true, false] });
    }
  });

  test('opens an operator case that its end resolves, and another when it is lost', () => {
    const lost = after(['dp_1', 'OPEN'], ['dp_1', 'LOST'], ['dp_1', 'LOST']);
    expect(lost.cases).toEqual(['DISPUTE_OPENED dp_1', 'DISPUTE_LOST dp_1']);
    expect(lost.resolved).toEqual(['DISPUTE_OPENED The dispute was lost.']);
    const won = after(['dp_1', 'OPEN'], ['dp_1', 'WON']);
    expect(won.cases).toEqual(['DISPUTE_OPENED dp_1']);
    expect(won.resolved).toEqual(['DISPUTE_OPENED The dispute was won.']);
    const afterAll = after(['dp_1', 'LOST'], ['dp_1', 'WON']);
    expect(afterAll.resolved).toEqual(['DISPUTE_LOST The dispute was won.']);
  });

  test('of a part debits that part, and two disputes debit both parts', () => {
    expect(after(['dp_1', 'OPEN', 500]).pence).toBe(-500n);
    const two = after(['dp_1', 'LOST', 500], ['dp_2', 'OPEN', 750], ['dp_2', 'WON', 750]);
    expect(two).toMatchObject({
      pence: -500n,
      history: ['disputed', 'disputeLost', 'disputed', 'disputeWon'],
    });
  });

  test('that was lost and then won credits the money again', () => {
    expect(after(['dp_1', 'LOST'], ['dp_1', 'WON'])).toMatchObject({
      pence: 0n,
      history: ['disputed', 'disputeLost', 'disputeWon'],
    });
  });
});
