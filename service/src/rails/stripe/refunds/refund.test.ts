import { describe, expect, it } from 'vitest';
import { pence } from '#kernel/money.ts';
import { broken, createdAt, list, refused } from '../test/bodies.ts';
import { paidState, sessionState, useScriptedRail } from '../test/scripted-rail.ts';

const world = useScriptedRail();
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
  world.now = createdAt;
  const order = { refundId: 'refund-1', amountPence: pence(500) };
  const state = world.rail.prepareRefund(paidState(), order);
  world.now = createdAt + ageMs;
  return state;
};

describe('a refund', () => {
  it.each([
    ['succeeded', 'COMPLETED'],
    ['pending', 'PENDING'],
    ['requires_action', 'PENDING'],
    ['canceled', 'CANCELLED'],
    ['failed', 'FAILED'],
  ])('that is %s at the processor is %s', async (status, kind) => {
    world.processor.script(create, { body: refundBody(status) });
    expect(await world.rail.refund(prepared())).toMatchObject({ kind, reference: 're_1' });
    const [sent] = world.processor.requests;
    expect(sent?.headers['idempotency-key']).toBe('refund-1:refund');
    expect(Object.fromEntries(sent?.body ?? [])).toEqual({
      payment_intent: 'pi_1',
      amount: '500',
      'metadata[refundId]': 'refund-1',
    });
  });

  it('may fail later, which is read by its number', async () => {
    world.processor.script(create, { body: refundBody('succeeded') });
    const made = await world.rail.refund(prepared());
    const failure_reason = 'expired_or_canceled_card';
    world.processor.script('GET refunds/:id', { body: refundBody('failed', { failure_reason }) });
    const state = 'state' in made ? made.state : '';
    expect(await world.rail.readRefund(state)).toMatchObject({
      kind: 'FAILED',
      reference: 're_1',
      code: failure_reason,
      description: expect.stringMatching(/expired or was closed/),
    });
  });

  it('that is refused was never made', async () => {
    world.processor.script(create, refused(400, 'charge_already_refunded'));
    expect(await world.rail.refund(prepared())).toMatchObject({
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
    world.processor.script(create, answer, answer);
    expect((await world.rail.refund(prepared())).kind).toBe('UNKNOWN');
    expect(world.processor.sentTo(create)).toHaveLength(1);
  });

  it('whose answer was lost is found and not made twice', async () => {
    world.processor.script(find, list([refundBody('pending')]));
    expect((await world.rail.readRefund(prepared())).kind).toBe('PENDING');
    expect(world.processor.sentTo(create)).toEqual([]);
  });

  it('that is not there is sent again under its key, while the key lives', async () => {
    world.processor.script(find, list([]), list([]), list([]));
    world.processor.script(create, { body: refundBody('succeeded') });
    expect((await world.rail.readRefund(prepared())).kind).toBe('COMPLETED');
    expect((await world.rail.readRefund(prepared(23 * hourMs + 1))).kind).toBe('UNKNOWN');
    expect(await world.rail.readRefund(prepared(24 * hourMs))).toMatchObject({
      kind: 'FAILED',
      code: 'NOT_SENT',
    });
    expect(world.processor.sentTo(create)).toHaveLength(1);
  });

  it.each([
    ['refused so early', refused(400, 'charge_already_refunded'), 0, 'UNKNOWN'],
    ['refused for good', refused(400, 'charge_already_refunded'), hourMs, 'FAILED'],
    ['asked for with a wrong key', refused(401, 'api_key_expired'), hourMs, 'UNKNOWN'],
    ['answered with a failure', broken(true), hourMs, 'UNKNOWN'],
  ])('that was lost and is now %s', async (_, answer, ageMs, kind) => {
    world.processor.script(find, list([]));
    world.processor.script(create, answer);
    expect((await world.rail.readRefund(prepared(ageMs))).kind).toBe(kind);
  });

  it('of a payment that was never seen is a bug', () => {
    const order = { refundId: 'refund-1', amountPence: pence(500) };
    expect(() => world.rail.prepareRefund(sessionState, order)).toThrow(/never seen/);
  });
});
