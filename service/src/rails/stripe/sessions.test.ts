import { describe, expect, it } from 'vitest';
import {
  attemptId,
  broken,
  charged,
  createdAt,
  intent,
  refused,
  session,
  threeDs,
} from './fixtures/bodies.ts';
import type { ScriptedAnswer } from './test/scripted-processor.ts';
import { sessionOrder, sessionState, useScriptedRail } from './test/scripted-rail.ts';

const scripted = useScriptedRail();
const open = 'POST checkout/sessions';
const read = 'GET checkout/sessions/:id';
const expire = 'POST checkout/sessions/:id/expire';
const paid = intent('succeeded', { latest_charge: charged() });
const declined = intent('requires_payment_method', {
  last_payment_error: { code: 'card_declined', decline_code: 'do_not_honor' },
});

const openPage = (answer: ScriptedAnswer, order: object = {}) => {
  scripted.processor.script(open, answer);
  return scripted.rail.openSession({ ...sessionOrder, ...order });
};

const readPage = (body: object) => {
  scripted.processor.script(read, { body });
  return scripted.rail.readSession(sessionState);
};

describe('a page for one attempt', () => {
  it('has its fields in our page where that is ordered, with the account named by its key', async () => {
    const body = { ...session('open'), url: null, client_secret: 'cs_1_secret_2' };
    const colours = { ground: '#171b22', button: '#93a8ff' };
    const outcome = await openPage({ body }, { isInOurPage: true, colours });
    expect(outcome).toMatchObject({ kind: 'FIELDS_OPENED', reference: 'cs_1' });
    const sent = scripted.processor.requests[0]?.body;
    expect(sent?.get('ui_mode')).toBe('embedded_page');
    expect(sent?.get('return_url')).toBe(sessionOrder.returnUrl);
    expect([sent?.has('success_url'), sent?.has('cancel_url')]).toEqual([false, false]);
    expect(sent?.get('branding_settings[background_color]')).toBe('#171b22');
    expect(sent?.get('branding_settings[button_color]')).toBe('#93a8ff');
    const state = outcome.kind === 'FIELDS_OPENED' ? outcome.state : '';
    expect(scripted.rail.fieldsOf?.(state)).toMatchObject({
      scriptUrl: 'https://js.stripe.com/endive/stripe.js',
      publicKey: 'pk_test_scripted',
      clientSecret: 'cs_1_secret_2',
    });
    expect(scripted.rail.fieldsOf?.(sessionState)).toBeNull();
    const withoutSecret = await openPage({ body: session('open') }, { isInOurPage: true });
    expect(withoutSecret.kind).toBe('UNKNOWN');
  });

  it('is opened with the amount, the return addresses and our attempt id', async () => {
    const outcome = await openPage({ body: session('open') });
    expect(outcome).toMatchObject({
      kind: 'OPENED',
      url: 'https://pages.example/cs_1',
      reference: 'cs_1',
    });
    const [sent] = scripted.processor.requests;
    expect(sent?.headers['idempotency-key']).toBe(`${attemptId}:session`);
    expect(Object.fromEntries(sent?.body ?? [])).toEqual({
      mode: 'payment',
      'allowed_payment_method_types[0]': 'card',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'gbp',
      'line_items[0][price_data][unit_amount]': '1250',
      'line_items[0][price_data][product_data][name]': 'Order 17',
      client_reference_id: attemptId,
      success_url: sessionOrder.returnUrl,
      cancel_url: sessionOrder.returnUrl,
      'metadata[attemptId]': attemptId,
      'metadata[paymentRequestId]': 'request-1',
      'payment_intent_data[metadata][attemptId]': attemptId,
      'payment_intent_data[metadata][paymentRequestId]': 'request-1',
      'payment_intent_data[description]': 'Order 17',
      'payment_intent_data[capture_method]': 'automatic_async',
    });
  });

  it('requests a challenge to save the card', async () => {
    await openPage(
      { body: session('open') },
      { customerReference: 'cus_1', saveCard: { recurrenceType: 'recurring' } },
    );
    expect(Object.fromEntries(scripted.processor.requests[0]?.body ?? [])).toMatchObject({
      customer: 'cus_1',
      'payment_intent_data[setup_future_usage]': 'off_session',
      'payment_intent_data[metadata][recurrenceType]': 'recurring',
      'payment_method_options[card][request_three_d_secure]': 'challenge',
    });
    const hidden = 'consent_collection[payment_method_reuse_agreement][position]';
    expect(scripted.processor.requests[0]?.body.has(hidden)).toBe(false);
    const inOurPage = { isInOurPage: true, saveCard: { recurrenceType: 'unscheduled' } };
    await openPage({ body: session('open') }, inOurPage);
    expect(scripted.processor.requests[1]?.body.get(hidden)).toBe('hidden');
  });

  it('may show saved cards and only authorise', async () => {
    const order = { customerReference: 'cus_1', showsSavedCards: true, captureMethod: 'MANUAL' };
    await openPage({ body: session('open') }, order);
    const sent = scripted.processor.requests[0]?.body;
    expect(sent?.get('saved_payment_method_options[allow_redisplay_filters][1]')).toBe('limited');
    expect(sent?.get('payment_intent_data[capture_method]')).toBe('manual');
    expect(sent?.has('payment_intent_data[setup_future_usage]')).toBe(false);
  });

  it.each([
    ['no answer', { hangUp: true }, 'UNKNOWN'],
    ['a failure', broken(), 'UNKNOWN'],
    ['no address', { body: session('complete') }, 'UNKNOWN'],
    ['a page of another', { body: session('open', { metadata: {} }) }, 'UNKNOWN'],
    ['a refusal', refused(400, 'url_invalid'), 'REFUSED'],
    ['a wrong key', refused(401, 'api_key_expired'), 'REFUSED'],
  ])('with %s is %s', async (_, answer, kind) => {
    expect((await openPage(answer)).kind).toBe(kind);
  });
});

describe('the outcome of a page', () => {
  it('is open at first, or a declined card with another try', async () => {
    expect(await readPage(session('open'))).toMatchObject({ kind: 'PENDING', lastDecline: null });
    expect(await readPage(session('open', { payment_intent: declined }))).toMatchObject({
      kind: 'PENDING',
      lastDecline: { code: 'do_not_honor', retry: 'USE_ANOTHER_CARD' },
    });
    const challenged = intent('requires_action', {
      next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://acs.example' } },
    });
    const outcome = await readPage(session('open', { payment_intent: challenged }));
    expect(outcome.kind).toBe('PENDING');
  });

  it('is a payment, with the saved card and its proof', async () => {
    const latest_charge = charged({ three_d_secure: threeDs('authenticated') });
    const savedIntent = intent('succeeded', { latest_charge, setup_future_usage: 'off_session' });
    expect(await readPage(session('complete', { payment_intent: savedIntent }))).toMatchObject({
      kind: 'COMPLETED',
      payment: { savedCardReference: 'pm_1', authentication: { hasHappened: true } },
    });
  });

  it.each(['../pm_1', 'a\u0000b', 'x'.repeat(256), ''])(
    'saves no card whose id at the processor is %j',
    async (payment_method) => {
      const latest_charge = charged(
        { three_d_secure: threeDs('authenticated') },
        { payment_method },
      );
      const odd = intent('succeeded', { latest_charge, setup_future_usage: 'off_session' });
      expect(await readPage(session('complete', { payment_intent: odd }))).toMatchObject({
        kind: 'COMPLETED',
        payment: { savedCardReference: null, card: { reference: '' } },
      });
    },
  );

  it('is an authorisation', async () => {
    const held = intent('requires_capture', { latest_charge: charged() });
    expect(await readPage(session('complete', { payment_intent: held }))).toMatchObject({
      kind: 'AUTHORIZED',
      expiresAt: new Date(createdAt + 7 * 86_400_000),
    });
  });

  it('is an end without payment, with the last decline', async () => {
    const ended = intent('canceled', {
      ...declined,
      status: 'canceled',
      cancellation_reason: null,
    });
    for (const payment_intent of [null, declined])
      expect(await readPage(session('expired', { payment_intent }))).toMatchObject({
        kind: 'CANCELLED',
        reason: 'SESSION_EXPIRED',
        lastDecline: payment_intent ? { code: 'do_not_honor' } : null,
      });
    expect(await readPage(session('expired', { payment_intent: ended }))).toMatchObject({
      kind: 'CANCELLED',
      reason: 'CANCELLED',
      lastDecline: { code: 'do_not_honor' },
    });
  });

  it('is open while a payment is in progress, expired or not', async () => {
    const atWork = intent('processing');
    expect((await readPage(session('expired', { payment_intent: atWork }))).kind).toBe('PENDING');
  });

  it('is UNKNOWN for another page, another payment and no answer', async () => {
    expect((await readPage(session('open', { id: 'cs_2' }))).kind).toBe('UNKNOWN');
    const other = intent('succeeded', { amount: 1 });
    expect((await readPage(session('complete', { payment_intent: other }))).kind).toBe('UNKNOWN');
    scripted.processor.script(read, { hangUp: true });
    expect((await scripted.rail.readSession(sessionState)).kind).toBe('UNKNOWN');
  });
});

describe('closing a page before another method is offered', () => {
  it('ends it', async () => {
    scripted.processor.script(expire, { body: session('expired') });
    expect(await scripted.rail.expireSession(sessionState)).toMatchObject({
      kind: 'CANCELLED',
      reason: 'SESSION_EXPIRED',
    });
  });

  it('answers with the payment if it was paid meanwhile', async () => {
    scripted.processor.script(expire, refused(400, 'session_not_open'));
    scripted.processor.script(read, { body: session('complete', { payment_intent: paid }) });
    expect((await scripted.rail.expireSession(sessionState)).kind).toBe('COMPLETED');
  });

  it('is UNKNOWN without an answer, and may be tried again under a new key', async () => {
    scripted.processor.script(expire, broken(), { body: session('expired') });
    expect((await scripted.rail.expireSession(sessionState)).kind).toBe('UNKNOWN');
    expect((await scripted.rail.expireSession(sessionState)).kind).toBe('CANCELLED');
    const keys = scripted.processor.sentTo(expire).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });
});
