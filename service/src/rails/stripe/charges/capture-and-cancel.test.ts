import { describe, expect, it } from 'vitest';
import type { CancelReason } from '#rails/card-rail.ts';
import { broken, charged, intent, refused } from '../fixtures/bodies.ts';
import { paidState, sessionState, useScriptedRail } from '../test/scripted-rail.ts';

const scripted = useScriptedRail();
const capture = 'POST payment_intents/:id/capture';
const cancel = 'POST payment_intents/:id/cancel';
const read = 'GET payment_intents/:id';
const held = { body: intent('requires_capture', { latest_charge: charged() }) };
const paid = { body: intent('succeeded', { latest_charge: charged() }) };
const released = { body: intent('canceled', { latest_charge: charged() }) };
const expired = {
  body: intent('canceled', { latest_charge: charged(), cancellation_reason: 'automatic' }),
};
const wrongState = refused(400, 'payment_intent_unexpected_state');

describe('a capture', () => {
  it('collects the whole amount', async () => {
    scripted.processor.script(capture, paid);
    expect(await scripted.rail.capture(paidState())).toMatchObject({
      kind: 'COMPLETED',
      payment: { amountPence: 1250n },
    });
    expect(scripted.processor.requests[0]?.body.has('amount_to_capture')).toBe(false);
  });

  it.each([
    ['captured before', paid, { kind: 'COMPLETED' }],
    ['cancelled before', released, { kind: 'CANCELLED', reason: 'CANCELLED' }],
    ['run out', expired, { kind: 'CANCELLED', reason: 'AUTHORISATION_EXPIRED' }],
    ['still held', held, { kind: 'REFUSED', code: 'payment_intent_unexpected_state' }],
  ])('of a payment that is %s reports that', async (_, truth, outcome) => {
    scripted.processor.script(capture, wrongState);
    scripted.processor.script(read, truth);
    expect(await scripted.rail.capture(paidState())).toMatchObject(outcome);
  });

  it('without an answer is UNKNOWN; the payment shows the outcome', async () => {
    scripted.processor.script(capture, { hangUp: true });
    expect((await scripted.rail.capture(paidState())).kind).toBe('UNKNOWN');
    scripted.processor.script(read, paid);
    expect((await scripted.rail.resolveCapture(paidState())).kind).toBe('COMPLETED');
    expect(scripted.processor.sentTo(capture)).toHaveLength(1);
  });

  it('that did not happen is sent again under a new key', async () => {
    scripted.processor.script(capture, broken(), paid);
    expect((await scripted.rail.capture(paidState())).kind).toBe('UNKNOWN');
    scripted.processor.script(read, held);
    expect((await scripted.rail.resolveCapture(paidState())).kind).toBe('COMPLETED');
    const keys = scripted.processor
      .sentTo(capture)
      .map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('of an unseen payment is UNKNOWN and sends nothing', async () => {
    expect((await scripted.rail.capture(sessionState)).kind).toBe('UNKNOWN');
    expect(scripted.processor.requests).toEqual([]);
  });
});

describe('a cancellation', () => {
  it.each<[CancelReason, string | null]>([
    ['Duplicate', 'duplicate'],
    ['Abandoned', 'abandoned'],
    ['Requested by customer', 'requested_by_customer'],
    ['Other', null],
    ['SUPERSEDED', 'abandoned'],
    ['EXPIRED', 'abandoned'],
  ])('for "%s" is told to the processor as %s', async (reason, word) => {
    scripted.processor.script(cancel, released);
    expect(await scripted.rail.cancel(paidState(), reason)).toMatchObject({
      kind: 'CANCELLED',
      reason: 'CANCELLED',
    });
    expect(scripted.processor.requests[0]?.body.get('cancellation_reason')).toBe(word);
  });

  it('after a capture answers with the payment', async () => {
    scripted.processor.script(cancel, wrongState);
    scripted.processor.script(read, paid);
    expect((await scripted.rail.cancel(paidState(), 'Other')).kind).toBe('COMPLETED');
  });

  it('without an answer is UNKNOWN, and releases on the second try', async () => {
    scripted.processor.script(cancel, { hangUp: true }, released);
    expect((await scripted.rail.cancel(paidState(), 'Other')).kind).toBe('UNKNOWN');
    scripted.processor.script(read, held);
    expect((await scripted.rail.resolveCancel(paidState(), 'Other')).kind).toBe('CANCELLED');
    scripted.processor.script(read, released);
    expect((await scripted.rail.resolveCancel(paidState(), 'Other')).kind).toBe('CANCELLED');
    expect(scripted.processor.sentTo(cancel)).toHaveLength(2);
  });
});

describe('a read of a payment', () => {
  it('is UNKNOWN when the processor does not know the payment or answers another', async () => {
    expect((await scripted.rail.readPayment(paidState())).kind).toBe('UNKNOWN');
    scripted.processor.script(read, { body: intent('succeeded', { id: 'pi_2' }) });
    expect((await scripted.rail.readPayment(paidState())).kind).toBe('UNKNOWN');
    scripted.processor.script(read, {
      body: intent('requires_capture', { latest_charge: 'ch_1' }),
    });
    expect((await scripted.rail.readPayment(paidState())).kind).toBe('UNKNOWN');
  });
});
