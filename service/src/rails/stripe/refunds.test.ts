import { describe, expect, it } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { broken, createdAt, list, refused } from './fixtures/bodies.ts';
import { paidState, sessionState, useScriptedRail } from './test/scripted-rail.ts';

const scripted = useScriptedRail();
const create = 'POST refunds';
const find = 'GET refunds';
const hourMs = 3_600_000;

const refundBody = (status: string, change: object = {}) => ({
  id: 're_1',
  object: 'refund',
  amount: 500,
  status,
  metadata: { refundId: 'refund-1' },
  payment_intent: 'pi_1',
  ...change,
});

const prepared = (ageMs = 0): string => {
  scripted.now = createdAt;
  const order = { refundId: 'refund-1', amountPence: pence(500) };
  const state = scripted.rail.prepareRefund(paidState(), order);
  scripted.now = createdAt + ageMs;
  return state;
};

/** A full page of refunds made elsewhere, and there are more. */
const strangers = (page: number) =>
  list(
    Array.from({ length: 100 }, (_, index) =>
      refundBody('succeeded', { id: `re_${page}_${index + 1}`, metadata: {} }),
    ),
    true,
  );

describe('the refunds of a payment', () => {
  it('are read page after page', async () => {
    scripted.processor.script(find, strangers(1), list([refundBody('succeeded', { id: 're_0' })]));
    const read = await scripted.rail.readRefunds(paidState());
    const refunds = read.kind === 'REFUNDS' ? read.refunds : [];
    expect(refunds).toHaveLength(101);
    expect(refunds[0]?.reference).toBe('re_0');
  });

  it('beyond a thousand are too many', async () => {
    const pages = Array.from({ length: 10 }, (_, page) => strangers(page));
    scripted.processor.script(find, ...pages);
    const read = await scripted.rail.readRefunds(paidState());
    expect(read).toMatchObject({ kind: 'TOO_MANY', readPerPayment: 1000 });
    const refunds = read.kind === 'TOO_MANY' ? read.refunds : [];
    expect(refunds).toHaveLength(1000);
    expect([refunds[0]?.reference, refunds[999]?.reference]).toEqual(['re_9_100', 're_0_1']);
    expect(scripted.processor.sentTo(find)).toHaveLength(10);
  });
});

describe('a refund', () => {
  it.each([
    ['succeeded', 'COMPLETED'],
    ['pending', 'PENDING'],
    ['requires_action', 'PENDING'],
    ['canceled', 'CANCELLED'],
    ['failed', 'FAILED'],
  ])('that is %s at the processor is %s', async (status, kind) => {
    scripted.processor.script(create, { body: refundBody(status) });
    expect(await scripted.rail.refund(prepared())).toMatchObject({ kind, reference: 're_1' });
    const [sent] = scripted.processor.requests;
    expect(sent?.headers['idempotency-key']).toBe('refund-1:refund');
    expect(Object.fromEntries(sent?.body ?? [])).toEqual({
      payment_intent: 'pi_1',
      amount: '500',
      'metadata[refundId]': 'refund-1',
    });
  });

  it('may fail later, which is read by its id', async () => {
    scripted.processor.script(create, { body: refundBody('succeeded') });
    const made = await scripted.rail.refund(prepared());
    const failure_reason = 'expired_or_canceled_card';
    scripted.processor.script('GET refunds/:id', {
      body: refundBody('failed', { failure_reason }),
    });
    const state = 'state' in made ? made.state : '';
    expect(await scripted.rail.readRefund(state)).toMatchObject({
      kind: 'FAILED',
      reference: 're_1',
      code: failure_reason,
      description: expect.stringMatching(/expired or was closed/),
    });
  });

  it('that is rejected was never created', async () => {
    scripted.processor.script(create, refused(400, 'charge_already_refunded'));
    expect(await scripted.rail.refund(prepared())).toMatchObject({
      kind: 'FAILED',
      reference: null,
      code: 'charge_already_refunded',
    });
  });

  it.each([
    ['a failure', broken()],
    ['a closed connection', { hangUp: true }],
    ['another refund', { body: refundBody('succeeded', { metadata: {} }) }],
    ['another amount', { body: refundBody('succeeded', { amount: 501 }) }],
  ])('is UNKNOWN after %s, and sent once', async (_, answer) => {
    scripted.processor.script(create, answer, answer);
    expect((await scripted.rail.refund(prepared())).kind).toBe('UNKNOWN');
    expect(scripted.processor.sentTo(create)).toHaveLength(1);
  });

  it('with a lost answer is found and not created twice', async () => {
    scripted.processor.script(find, list([refundBody('pending')]));
    expect((await scripted.rail.readRefund(prepared())).kind).toBe('PENDING');
    expect(scripted.processor.sentTo(create)).toEqual([]);
  });

  it('that is missing is sent again under its key while the key is valid', async () => {
    scripted.processor.script(find, list([]), list([]), list([]));
    scripted.processor.script(create, { body: refundBody('succeeded') });
    expect((await scripted.rail.readRefund(prepared())).kind).toBe('COMPLETED');
    expect((await scripted.rail.readRefund(prepared(23 * hourMs + 1))).kind).toBe('UNKNOWN');
    expect(await scripted.rail.readRefund(prepared(24 * hourMs))).toMatchObject({
      kind: 'FAILED',
      code: 'NOT_SENT',
    });
    expect(scripted.processor.sentTo(create)).toHaveLength(1);
  });

  it.each([
    ['refused so early', refused(400, 'charge_already_refunded'), 0, 'UNKNOWN'],
    ['refused for good', refused(400, 'charge_already_refunded'), hourMs, 'FAILED'],
    ['asked for with a wrong key', refused(401, 'api_key_expired'), hourMs, 'UNKNOWN'],
    ['answered with a failure', broken(true), hourMs, 'UNKNOWN'],
  ])('with a lost answer is now %s', async (_, answer, ageMs, kind) => {
    scripted.processor.script(find, list([]));
    scripted.processor.script(create, answer);
    expect((await scripted.rail.readRefund(prepared(ageMs))).kind).toBe(kind);
  });

  it('is found behind a hundred others', async () => {
    scripted.processor.script(find, strangers(1), list([refundBody('succeeded')]));
    expect((await scripted.rail.readRefund(prepared())).kind).toBe('COMPLETED');
    const [, second] = scripted.processor.sentTo(find);
    expect(second?.query.get('starting_after')).toBe('re_1_100');
    expect(scripted.processor.sentTo(create)).toEqual([]);
  });

  it('of an unseen payment is a bug', () => {
    const order = { refundId: 'refund-1', amountPence: pence(500) };
    expect(() => scripted.rail.prepareRefund(sessionState, order)).toThrow(
      /needs the id of the payment/,
    );
  });
});
