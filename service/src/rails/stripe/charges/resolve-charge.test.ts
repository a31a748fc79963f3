import { describe, expect, it } from 'vitest';
import {
  attemptId,
  broken,
  charged,
  createdAt,
  declinedAnswer,
  intent,
  list,
  refused,
} from '../fixtures/bodies.ts';
import { chargeOrder, useScriptedRail } from '../test/scripted-rail.ts';

const scripted = useScriptedRail();
const create = 'POST payment_intents';
const find = 'GET payment_intents';
const paid = intent('succeeded', { latest_charge: charged() });
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A charge that was sent this long ago and whose answer was lost. */
const lostCharge = (ageMs = 0): string => {
  scripted.now = createdAt;
  const state = scripted.rail.prepareCharge(chargeOrder);
  scripted.now = createdAt + ageMs;
  return state;
};

const stranger = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    intent('succeeded', { id: `pi_${index}`, metadata: { attemptId: `other-${index}` } }),
  );

describe('a charge with a lost answer', () => {
  it('is found by its attempt and not sent again', async () => {
    scripted.processor.script(find, list([...stranger(3), paid]));
    const outcome = await scripted.rail.resolveCharge(lostCharge());
    expect(outcome).toMatchObject({ kind: 'COMPLETED', payment: { reference: 'pi_1' } });
    expect(scripted.processor.sentTo(create)).toEqual([]);
    expect(Object.fromEntries(scripted.processor.requests[0]?.query ?? [])).toMatchObject({
      customer: 'cus_1',
      'created[gte]': String((createdAt - hourMs) / 1000),
    });
  });

  it('is searched on every page', async () => {
    scripted.processor.script(find, list(stranger(100), true), list([paid]));
    const outcome = await scripted.rail.resolveCharge(lostCharge());
    expect(outcome.kind).toBe('COMPLETED');
    expect(scripted.processor.sentTo(find)[1]?.query.get('starting_after')).toBe('pi_99');
  });

  it('stays UNKNOWN when there are too many payments to search', async () => {
    scripted.processor.script(find, ...Array.from({ length: 10 }, () => list(stranger(100), true)));
    expect((await scripted.rail.resolveCharge(lostCharge(30 * hourMs))).kind).toBe('UNKNOWN');
    expect(scripted.processor.sentTo(create)).toEqual([]);
  });

  it('is sent again unchanged under its key when there is none', async () => {
    const state = lostCharge(minuteMs);
    scripted.processor.script(create, { hangUp: true }, { body: paid });
    expect((await scripted.rail.charge(state)).kind).toBe('UNKNOWN');
    scripted.processor.script(find, list([]));
    expect((await scripted.rail.resolveCharge(state)).kind).toBe('COMPLETED');
    const [first, second, ...more] = scripted.processor.sentTo(create);
    expect(more).toEqual([]);
    expect(second?.body.toString()).toBe(first?.body.toString());
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it('is searched first when it is charged again later', async () => {
    const state = lostCharge(11 * minuteMs);
    scripted.processor.script(find, list([paid]));
    expect((await scripted.rail.charge(state)).kind).toBe('COMPLETED');
    expect(scripted.processor.sentTo(create)).toEqual([]);
  });

  it('fails when the network declined it', async () => {
    scripted.processor.script(find, list([]));
    scripted.processor.script(create, declinedAnswer({ code: 'expired_card' }));
    const outcome = await scripted.rail.resolveCharge(lostCharge());
    expect(outcome).toMatchObject({ kind: 'FAILED', decline: { code: 'expired_card' } });
  });

  it.each([
    ['it cannot be looked for', broken()],
    ['the list hangs up', { hangUp: true }],
    ['the list is refused', refused(401, 'api_key_expired')],
  ])('stays UNKNOWN when %s', async (_, answer) => {
    scripted.processor.script(find, answer);
    expect((await scripted.rail.resolveCharge(lostCharge(30 * hourMs))).kind).toBe('UNKNOWN');
    expect(scripted.processor.sentTo(create)).toEqual([]);
  });

  it.each([
    ['our key is refused', refused(401, 'api_key_expired'), 20 * minuteMs],
    ['the key is in use', refused(409, 'idempotency_key_in_use'), 20 * minuteMs],
    ['it is refused so early', refused(400, 'resource_missing'), minuteMs],
    ['the failure is a fresh one', broken(), 20 * minuteMs],
    ['the failure is played back so early', broken(true), minuteMs],
  ])('stays UNKNOWN when %s', async (_, answer, ageMs) => {
    scripted.processor.script(find, list([]), list([]));
    scripted.processor.script(create, answer);
    expect((await scripted.rail.resolveCharge(lostCharge(ageMs))).kind).toBe('UNKNOWN');
  });

  it('fails when it is rejected after everything sent has arrived', async () => {
    scripted.processor.script(find, list([]));
    scripted.processor.script(create, refused(400, 'resource_missing'));
    const outcome = await scripted.rail.resolveCharge(lostCharge(20 * minuteMs));
    expect(outcome).toMatchObject({ kind: 'FAILED', decline: { code: 'resource_missing' } });
  });

  it('fails after repeated processor errors only when nothing was created', async () => {
    scripted.processor.script(find, list([]), list([paid]));
    scripted.processor.script(create, broken(true));
    expect((await scripted.rail.resolveCharge(lostCharge(20 * minuteMs))).kind).toBe('COMPLETED');
    scripted.processor.script(find, list([]), list([]));
    scripted.processor.script(create, broken(true));
    expect(await scripted.rail.resolveCharge(lostCharge(20 * minuteMs))).toMatchObject({
      kind: 'FAILED',
      decline: { code: 'NOT_CHARGED', retry: 'TRY_AGAIN_LATER' },
    });
  });

  it('is not sent again when the key may have expired', async () => {
    scripted.processor.script(find, list([]), list([]));
    expect((await scripted.rail.resolveCharge(lostCharge(23 * hourMs + 1))).kind).toBe('UNKNOWN');
    const late = await scripted.rail.resolveCharge(lostCharge(23 * hourMs + 11 * minuteMs));
    expect(late).toMatchObject({ kind: 'FAILED', decline: { code: 'NOT_CHARGED' } });
    expect(scripted.processor.sentTo(create)).toEqual([]);
  });
});

describe('a charge that the processor left incomplete', () => {
  const unasked = intent('requires_confirmation');

  it('is left alone while it may still run', async () => {
    scripted.processor.script(find, list([unasked]));
    expect((await scripted.rail.resolveCharge(lostCharge(minuteMs))).kind).toBe('PENDING');
    expect(scripted.processor.requests).toHaveLength(1);
  });

  it('is cancelled, so that it cannot charge any more, and fails', async () => {
    scripted.processor.script(find, list([unasked]));
    scripted.processor.script('POST payment_intents/:id/cancel', { body: intent('canceled') });
    const outcome = await scripted.rail.resolveCharge(lostCharge(11 * minuteMs));
    expect(outcome).toMatchObject({ kind: 'FAILED', decline: { code: 'NOT_CHARGED' } });
  });

  it('stays UNKNOWN when it cannot be cancelled', async () => {
    scripted.processor.script(find, list([unasked]));
    scripted.processor.script(
      'POST payment_intents/:id/cancel',
      refused(400, 'payment_intent_unexpected_state'),
    );
    expect((await scripted.rail.resolveCharge(lostCharge(11 * minuteMs))).kind).toBe('UNKNOWN');
  });
});

describe('a read of a charge', () => {
  it('searches by attempt before its id is known, and sends nothing', async () => {
    scripted.processor.script(find, list([]), list([paid]));
    expect((await scripted.rail.readPayment(lostCharge())).kind).toBe('UNKNOWN');
    expect((await scripted.rail.readPayment(lostCharge())).kind).toBe('COMPLETED');
    expect(scripted.processor.sentTo(create)).toEqual([]);
    expect(attemptId).toBe(chargeOrder.attemptId);
  });
});
