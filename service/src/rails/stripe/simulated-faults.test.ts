import { describe, expect, it } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { useSimulatedAccount } from './test/simulated-account.ts';

const account = useSimulatedAccount();

const injectFault = (operation: string, kind: string, more: object = {}) =>
  account.simulator.control('POST', '/faults', { operation: `cards:${operation}`, kind, ...more });

const saved = () => account.save('4000000000000127');

/** Faults of one call, and whether its work was done. */
const everyFault = [
  ['cut-before', {}, false],
  ['cut-after', {}, true],
  ['down', {}, false],
  ['status', { status: 500 }, false],
  ['status', { status: 429 }, false],
  ['status-after', { status: 500 }, true],
  ['status-after', { status: 503 }, true],
] as const;
const kinds = everyFault.filter(
  ([kind], at) => at === everyFault.findIndex(([each]) => each === kind),
);
const faults = isLongRun ? everyFault : kinds;

describe('a charge with a fault', () => {
  it.each(faults)('%s %o is UNKNOWN, and resolved without a second payment', async (...row) => {
    const [kind, more, isDone] = row;
    const card = await saved();
    const order = account.chargeOf(card);
    const state = account.rail.prepareCharge(order);
    await injectFault('intent', kind, more);
    expect((await account.rail.charge(state)).kind).toBe('UNKNOWN');
    expect(await account.booked(card.customer, order.attemptId)).toEqual(
      isDone ? ['succeeded'] : [],
    );
    const isStuck = kind === 'status' && 'status' in more && more.status === 500;
    for (let round = 0; round < 2; round += 1)
      // A failure without work is played back under the key: nothing may be paid by going on.
      expect((await account.rail.resolveCharge(state)).kind).toBe(
        isStuck ? 'UNKNOWN' : 'COMPLETED',
      );
    expect(await account.booked(card.customer, order.attemptId)).toEqual(
      isStuck ? [] : ['succeeded'],
    );
  });

  it('fails after a processor error once every request has arrived', async () => {
    const card = await saved();
    const order = account.chargeOf(card);
    const state = account.rail.prepareCharge(order);
    await injectFault('intent', 'status', { status: 500 });
    expect((await account.rail.charge(state)).kind).toBe('UNKNOWN');
    account.aheadMs = 11 * 60_000;
    const outcome = await account.rail.resolveCharge(state).finally(() => {
      account.aheadMs = 0;
    });
    expect(outcome).toMatchObject({ kind: 'FAILED', decline: { code: 'NOT_CHARGED' } });
    expect(await account.booked(card.customer, order.attemptId)).toEqual([]);
  });

  it('is resolved step by step while the fault lasts', async () => {
    const card = await saved();
    const order = account.chargeOf(card);
    const state = account.rail.prepareCharge(order);
    await injectFault('intent', 'cut-before', { times: 2 });
    await injectFault('read', 'cut-before');
    const kinds = [(await account.rail.charge(state)).kind];
    for (let round = 0; round < 4; round += 1)
      kinds.push((await account.rail.resolveCharge(state)).kind);
    expect(kinds).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'COMPLETED', 'COMPLETED']);
    expect(await account.booked(card.customer, order.attemptId)).toEqual(['succeeded']);
  });
});

describe('a capture or cancellation with a fault', () => {
  const authorised = async () => {
    const order = account.chargeOf(await saved(), { captureMethod: 'MANUAL' });
    const outcome = await account.rail.charge(account.rail.prepareCharge(order));
    if (outcome.kind !== 'AUTHORIZED') throw new Error(outcome.kind);
    return outcome.state;
  };

  it.each(faults)('%s %o is UNKNOWN, then captured', async (kind, more, isDone) => {
    const state = await authorised();
    await injectFault('capture', kind, more);
    expect((await account.rail.capture(state)).kind).toBe('UNKNOWN');
    const truth = await account.rail.readPayment(state);
    expect(truth.kind).toBe(isDone ? 'COMPLETED' : 'AUTHORIZED');
    expect((await account.rail.resolveCapture(state)).kind).toBe('COMPLETED');
  });

  it.each(faults)('%s %o is UNKNOWN, then cancelled', async (kind, more, isDone) => {
    const state = await authorised();
    await injectFault('cancel', kind, more);
    expect((await account.rail.cancel(state, 'Duplicate')).kind).toBe('UNKNOWN');
    const truth = await account.rail.readPayment(state);
    expect(truth.kind).toBe(isDone ? 'CANCELLED' : 'AUTHORIZED');
    expect((await account.rail.resolveCancel(state, 'Duplicate')).kind).toBe('CANCELLED');
  });
});

describe('a refund with a fault', () => {
  it.each(faults)('%s %o is UNKNOWN, and never created twice', async (kind, more) => {
    const { outcome } = await account.pay({ cardNumber: '4242424242424242' });
    const paid = 'state' in outcome ? outcome.state : '';
    const order = { refundId: account.newId(), amountPence: pence(500) };
    const state = account.rail.prepareRefund(paid, order);
    await injectFault('refund', kind, more);
    expect((await account.rail.refund(state)).kind).toBe('UNKNOWN');
    const isStuck = kind === 'status' && 'status' in more && more.status === 500;
    for (let round = 0; round < 2; round += 1)
      expect((await account.rail.readRefund(state)).kind).toBe(isStuck ? 'UNKNOWN' : 'COMPLETED');
    const { refundId } = order;
    expect(await account.rail.readRefunds(paid)).toMatchObject({
      refunds: isStuck ? [] : [{ refundId, amountPence: 500n, status: 'COMPLETED' }],
    });
  });
});

describe('a page with a fault', () => {
  it('can be opened again after a failed try', async () => {
    const order = {
      attemptId: account.newId(),
      paymentRequestId: account.newId(),
      amountPence: pence(1250),
      description: 'Order 17',
      captureMethod: 'AUTOMATIC',
      returnUrl: 'http://127.0.0.1:9/back',
    } as const;
    await injectFault('session', 'cut-after');
    expect((await account.rail.openSession(order)).kind).toBe('UNKNOWN');
    expect((await account.rail.openSession(order)).kind).toBe('OPENED');
  });

  it('stays open when closing fails', async () => {
    const { state } = await account.openPage();
    await injectFault('session', 'down');
    expect((await account.rail.expireSession(state)).kind).toBe('UNKNOWN');
    expect((await account.rail.readSession(state)).kind).toBe('PENDING');
    expect((await account.rail.expireSession(state)).kind).toBe('CANCELLED');
  });
});
