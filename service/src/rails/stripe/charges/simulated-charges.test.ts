import { describe, expect, it } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { nameByLastFour } from '../../../../../test/harness/name-by-last-four.ts';
import { payByCard } from '../../simulated-payer.ts';
import { returnUrl, useSimulatedAccount } from '../test/simulated-account.ts';

const account = useSimulatedAccount();
const saving = { recurrenceType: 'unscheduled' } as const;

describe('saving a card', () => {
  it.each(
    nameByLastFour([
      ['4000000000000127', true],
      ['5555555555550127', true],
      ['4000002500003155', true],
      ['4000002760003184', true],
      ['4000003800000446', true],
      ['4000000000000341', true],
      ['4000000000003055', true],
      ['4000000000002701', true],
      ['4242424242424242', false],
      ['5555555555554444', false],
      ['4000056655665556', false],
      ['378282246310005', false],
      ['4000000000002719', false],
      ['4000000000002313', false],
    ]),
  )('%s has a proof of authentication: %s', async (_, hasHappened, cardNumber) => {
    const customerReference = await account.newCustomer();
    const { outcome } = await account.pay({ cardNumber }, { customerReference, saveCard: saving });
    expect(outcome).toMatchObject({
      kind: 'COMPLETED',
      payment: {
        savedCardReference: expect.stringMatching(/^pm_/),
        authentication: { hasHappened },
      },
    });
  });

  it('saves none unless requested', async () => {
    const customerReference = await account.newCustomer();
    const { outcome } = await account.pay(
      { cardNumber: '4000000000000127' },
      { customerReference },
    );
    expect(outcome).toMatchObject({ payment: { savedCardReference: null } });
  });

  it('can be undone: a detached card cannot be charged, and detaching twice is fine', async () => {
    const saved = await account.save('4000000000000127');
    expect(await account.rail.detachCard(saved.card)).toEqual({ kind: 'DETACHED' });
    expect(await account.rail.detachCard(saved.card)).toEqual({ kind: 'DETACHED' });
    const outcome = await account.rail.charge(account.rail.prepareCharge(account.chargeOf(saved)));
    expect(outcome).toMatchObject({ kind: 'FAILED', payment: null });
  });

  it('gives the same fingerprint for the same card, and offers it on the page', async () => {
    const { customer, card } = await account.save('4000000000000127');
    const { outcome, visit } = await account.pay(
      { savedCard: card },
      { customerReference: customer, showsSavedCards: true },
    );
    expect(visit.kind).toBe('RETURNED');
    expect(outcome).toMatchObject({ kind: 'COMPLETED', payment: { card: { reference: card } } });
    const other = await account.pay({ cardNumber: '4000000000000127' });
    const prints = [outcome, other.outcome].map((each) =>
      each.kind === 'COMPLETED' ? each.payment.card?.fingerprint : null,
    );
    expect(prints[0]).toBe(prints[1]);
  });
});

describe('charging a saved card without the payer', () => {
  it.each(
    nameByLastFour<[code: string | null]>([
      ['4000000000000127', null],
      ['5555555555550127', null],
      ['4000002500003155', null],
      ['4000003800000446', null],
      ['4000000000000341', 'generic_decline'],
      ['4000002760003184', 'authentication_required'],
      ['4000000000003220', 'authentication_required'],
    ]),
  )('%s ends with %s', async (_, code, cardNumber) => {
    const saved = await account.save(cardNumber);
    const order = account.chargeOf(saved);
    const outcome = await account.rail.charge(account.rail.prepareCharge(order));
    const books = await account.booked(saved.customer, order.attemptId);
    if (code === null) {
      expect(outcome).toMatchObject({
        kind: 'COMPLETED',
        payment: { amountPence: 1250n, card: { reference: saved.card } },
      });
      expect(books).toEqual(['succeeded']);
    } else {
      expect(outcome).toMatchObject({ kind: 'FAILED', decline: { code } });
      expect(books).toEqual(['requires_payment_method']);
    }
  });

  it('is authorised, for four days and 18 hours with Visa and seven days with Mastercard', async () => {
    for (const [cardNumber, hours] of [
      ['4000000000000127', 4 * 24 + 18],
      ['5555555555550127', 7 * 24],
    ] as const) {
      const order = account.chargeOf(await account.save(cardNumber), { captureMethod: 'MANUAL' });
      const outcome = await account.rail.charge(account.rail.prepareCharge(order));
      if (outcome.kind !== 'AUTHORIZED') throw new Error(outcome.kind);
      const lifetimeMs = outcome.expiresAt.getTime() - Date.now();
      expect(Math.round(lifetimeMs / 3_600_000)).toBe(hours);
      expect(outcome.expirySource).toBe('PROCESSOR');
    }
  });

  it('is one payment when requested a hundred times concurrently', async () => {
    const saved = await account.save('4000000000000127');
    const order = account.chargeOf(saved);
    const state = account.rail.prepareCharge(order);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 ? account.rail.charge(state) : account.rail.resolveCharge(state),
      ),
    );
    expect(new Set(outcomes.map(({ kind }) => kind)).has('COMPLETED')).toBe(true);
    expect(outcomes.every(({ kind }) => ['COMPLETED', 'UNKNOWN'].includes(kind))).toBe(true);
    expect((await account.rail.resolveCharge(state)).kind).toBe('COMPLETED');
    expect(await account.booked(saved.customer, order.attemptId)).toEqual(['succeeded']);
  });
});

describe('charging a saved card in front of the payer', () => {
  const order = { initiator: 'CUSTOMER', returnUrl } as const;

  it.each([
    ['APPROVE', 'COMPLETED'],
    ['DECLINE', 'FAILED'],
  ] as const)('challenges by redirect: %s ends as %s', async (challenge, kind) => {
    const saved = await account.save('4000002760003184');
    const charged = await account.rail.charge(
      account.rail.prepareCharge(account.chargeOf(saved, order)),
    );
    if (charged.kind !== 'ACTION_REQUIRED') throw new Error(charged.kind);
    const visit = await payByCard(charged.url, { challenge });
    expect(visit).toMatchObject({ kind: 'RETURNED', url: expect.stringContaining(returnUrl) });
    expect((await account.rail.readPayment(charged.state)).kind).toBe(kind);
  });

  it('can be cancelled during the challenge before another method is offered', async () => {
    const saved = await account.save('4000002760003184');
    const charged = await account.rail.charge(
      account.rail.prepareCharge(account.chargeOf(saved, order)),
    );
    if (charged.kind !== 'ACTION_REQUIRED') throw new Error(charged.kind);
    const cancelled = await account.rail.cancel(charged.state, 'SUPERSEDED');
    expect(cancelled).toMatchObject({ kind: 'CANCELLED', reason: 'CANCELLED' });
  });
});

describe('an authorisation', () => {
  const authorise = async () => {
    const saved = await account.save('4000000000000127');
    const order = account.chargeOf(saved, { captureMethod: 'MANUAL' });
    const outcome = await account.rail.charge(account.rail.prepareCharge(order));
    if (outcome.kind !== 'AUTHORIZED') throw new Error(outcome.kind);
    return { state: outcome.state, ...saved, attemptId: order.attemptId };
  };

  it('is captured once, and cannot be cancelled after that', async () => {
    const { state } = await authorise();
    expect((await account.rail.capture(state)).kind).toBe('COMPLETED');
    expect((await account.rail.capture(state)).kind).toBe('COMPLETED');
    expect((await account.rail.cancel(state, 'Duplicate')).kind).toBe('COMPLETED');
  });

  it('is cancelled, and cannot be captured after that', async () => {
    const { state } = await authorise();
    const cancelled = { kind: 'CANCELLED', reason: 'CANCELLED' };
    expect(await account.rail.cancel(state, 'Requested by customer')).toMatchObject(cancelled);
    expect(await account.rail.capture(state)).toMatchObject(cancelled);
    expect(await account.rail.resolveCapture(state)).toMatchObject(cancelled);
  });

  it('captured and cancelled concurrently has one outcome', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { state, customer, attemptId } = await authorise();
      const [captured, cancelled] = await Promise.all([
        account.rail.capture(state),
        account.rail.cancel(state, 'Other'),
      ]);
      expect(captured.kind).toBe(cancelled.kind);
      const [status] = await account.booked(customer, attemptId);
      expect(captured.kind).toBe(status === 'succeeded' ? 'COMPLETED' : 'CANCELLED');
    }
  });
});

describe('a refund', () => {
  const paid = async (cardNumber = '4242424242424242') => {
    const { outcome } = await account.pay({ cardNumber });
    if (outcome.kind !== 'COMPLETED') throw new Error(outcome.kind);
    return outcome.state;
  };
  const refund = (state: string, amount: number) =>
    account.rail.prepareRefund(state, { refundId: account.newId(), amountPence: pence(amount) });

  it('is made in parts up to the whole, and no more', async () => {
    const state = await paid();
    expect((await account.rail.refund(refund(state, 500))).kind).toBe('COMPLETED');
    expect((await account.rail.refund(refund(state, 750))).kind).toBe('COMPLETED');
    expect(await account.rail.refund(refund(state, 100))).toMatchObject({
      kind: 'FAILED',
      reference: null,
      code: 'charge_already_refunded',
    });
    expect(await account.rail.readRefunds(state)).toMatchObject({
      kind: 'REFUNDS',
      refunds: [
        { amountPence: 500n, status: 'COMPLETED' },
        { amountPence: 750n, status: 'COMPLETED' },
      ],
    });
  });

  it('created, read and sent again is one refund', async () => {
    const state = await paid();
    const prepared = refund(state, 500);
    const outcomes = await Promise.all([
      account.rail.refund(prepared),
      account.rail.refund(prepared),
      account.rail.readRefund(prepared),
    ]);
    expect(outcomes.some(({ kind }) => kind === 'COMPLETED')).toBe(true);
    expect((await account.rail.readRefund(prepared)).kind).toBe('COMPLETED');
    expect(await account.rail.readRefunds(state)).toMatchObject({
      refunds: [{ amountPence: 500n, refundId: expect.any(String) }],
    });
  });

  it('of a slow card is pending at first', async () => {
    const state = await paid('4000000000007726');
    expect((await account.rail.refund(refund(state, 500))).kind).toBe('PENDING');
  });
});
