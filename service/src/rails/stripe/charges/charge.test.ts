import { describe, expect, it } from 'vitest';
import {
  attemptId,
  broken,
  card,
  charged,
  createdAt,
  declinedAnswer,
  intent,
  refused,
  threeDs,
} from '../fixtures/bodies.ts';
import type { ScriptedAnswer } from '../test/scripted-processor.ts';
import { chargeOrder, useScriptedRail } from '../test/scripted-rail.ts';

const scripted = useScriptedRail();
const create = 'POST payment_intents';

const charge = (answer: ScriptedAnswer, order: object = {}) => {
  scripted.processor.script(create, answer, answer);
  return scripted.rail.charge(scripted.rail.prepareCharge({ ...chargeOrder, ...order }));
};

describe('a charge of a saved card', () => {
  it('is sent once, off session, under the key of its attempt', async () => {
    const outcome = await charge({ body: intent('succeeded', { latest_charge: charged() }) });
    expect(outcome).toMatchObject({
      kind: 'COMPLETED',
      payment: {
        reference: 'pi_1',
        amountPence: 1250n,
        networkTransactionId: '123456789012345',
        savedCardReference: null,
        at: new Date(createdAt),
        card: {
          reference: 'pm_1',
          brand: 'VISA',
          funding: 'CREDIT',
          category: null,
          country: 'GB',
          lastFourDigits: '0127',
          expiryDate: '04/2031',
          fingerprint: 'print1',
          cardholderName: 'Ada Payer',
        },
        authentication: { hasHappened: false, result: null },
      },
    });
    const [sent, ...more] = scripted.processor.requests;
    expect(more).toEqual([]);
    expect(sent?.headers).toMatchObject({
      'idempotency-key': `${attemptId}:charge`,
      authorization: 'Bearer sk_test_scripted',
    });
    expect(sent?.headers['x-stripe-client-telemetry']).toBeUndefined();
    expect(Object.fromEntries(sent?.body ?? [])).toMatchObject({
      amount: '1250',
      currency: 'gbp',
      customer: 'cus_1',
      payment_method: 'pm_1',
      confirm: 'true',
      off_session: 'true',
      capture_method: 'automatic_async',
      'metadata[attemptId]': attemptId,
      'payment_method_options[card][stored_credential_usage]': 'unscheduled',
    });
  });

  it.each([
    ['endless', 'x'.repeat(2_900), 'x'.repeat(100)],
    ['with NUL', 'Ada\u0000 Payer', 'Ada Payer'],
    ['of half a character', '\ud83d', null],
    ['with a card number', 'Ada 4242424242424242', 'Ada ****4242'],
  ])('takes a name %s as text that can be stored', async (_, name, cardholderName) => {
    const latest_charge = charged({}, { billing_details: { name } });
    const outcome = await charge({ body: intent('succeeded', { latest_charge }) });
    expect(outcome).toMatchObject({ kind: 'COMPLETED', payment: { card: { cardholderName } } });
  });

  it("sends a present payer to the bank's challenge", async () => {
    const redirect = { url: 'https://acs.example/1', return_url: 'https://pay.example/back' };
    const outcome = await charge(
      {
        body: intent('requires_action', {
          next_action: { type: 'redirect_to_url', redirect_to_url: redirect },
        }),
      },
      { initiator: 'CUSTOMER', returnUrl: 'https://pay.example/back' },
    );
    expect(outcome).toMatchObject({ kind: 'ACTION_REQUIRED', url: 'https://acs.example/1' });
    const [sent] = scripted.processor.requests;
    expect(sent?.body.get('return_url')).toBe('https://pay.example/back');
    expect(sent?.body.has('off_session')).toBe(false);
  });

  it('is authorised until the time that the processor gives', async () => {
    const latest_charge = charged({ capture_before: createdAt / 1000 + 410_400 });
    const answer = { body: intent('requires_capture', { latest_charge }) };
    expect(await charge(answer, { captureMethod: 'MANUAL' })).toMatchObject({
      kind: 'AUTHORIZED',
      expiresAt: new Date(createdAt + 410_400_000),
      expirySource: 'PROCESSOR',
    });
    expect(scripted.processor.requests[0]?.body.get('capture_method')).toBe('manual');
  });

  it.each([
    ['visa', 'MERCHANT', 4.75],
    ['visa', 'CUSTOMER', 7],
    ['mastercard', 'MERCHANT', 7],
    ['amex', 'CUSTOMER', 7],
  ])('of %s by %s is authorised for %s days when the processor gives no time', async (...row) => {
    const [brand, initiator, days] = row;
    const answer = { body: intent('requires_capture', { latest_charge: charged({ brand }) }) };
    const expiresAt = new Date(createdAt + days * 86_400_000);
    const order = { captureMethod: 'MANUAL', initiator, returnUrl: 'https://pay.example/back' };
    expect(await charge(answer, order)).toMatchObject({
      kind: 'AUTHORIZED',
      expiresAt,
      expirySource: 'TABLE',
    });
    const estimate = scripted.rail.estimateExpiry(
      brand.toUpperCase(),
      initiator as 'MERCHANT',
      new Date(createdAt),
    );
    expect(estimate).toEqual(expiresAt);
  });

  it('declined by the network fails with our text', async () => {
    const error = {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      network_decline_code: '51',
      payment_method: { id: 'pm_1', card: card(), billing_details: { name: 'Ada' } },
    };
    const outcome = await charge(declinedAnswer(error));
    expect(outcome).toMatchObject({
      kind: 'FAILED',
      decline: {
        code: 'insufficient_funds',
        description: expect.stringMatching(/not enough money/),
        retry: 'TRY_AGAIN_LATER',
        networkCode: '51',
      },
      payment: { reference: 'pi_1', card: { lastFourDigits: '0127' } },
    });
    expect(JSON.stringify(outcome, (_, value) => String(value))).not.toContain('a text of');
  });

  it('that needs the cardholder fails and asks for the customer', async () => {
    const answer = declinedAnswer({
      code: 'authentication_required',
      decline_code: 'authentication_required',
      advice_code: 'try_again_later',
    });
    expect(await charge(answer)).toMatchObject({
      kind: 'FAILED',
      decline: { code: 'authentication_required', retry: 'BRING_CUSTOMER_BACK' },
    });
  });

  it.each([
    [400, 'resource_missing', /no longer at the card processor/],
    [400, 'parameter_unknown', /did not accept the payment/],
    [401, 'api_key_expired', /does not accept the connection/],
    [403, 'nothing_we_know', /did not accept the payment/],
  ])('rejected with %s %s fails: nothing was charged', async (status, code, words) => {
    expect(await charge(refused(status, code))).toMatchObject({
      kind: 'FAILED',
      decline: { code, description: expect.stringMatching(words) },
      payment: null,
    });
  });
});

describe('a charge with an uncertain outcome', () => {
  const html = { status: 502, text: '<html>bad gateway</html>' };
  it.each<[string, ScriptedAnswer]>([
    ['a failure of the processor', broken()],
    ['a failure in a foreign shape', { status: 503, body: { sorry: true } }],
    ['a gateway page', html],
    ['a page instead of JSON', { text: '<html>' }],
    ['a closed connection', { hangUp: true }],
    ['silence', { hang: true }],
    ['a key in use', refused(409, 'idempotency_key_in_use')],
    ['a key of another body', refused(400, 'idempotency', 'idempotency_error')],
    ['too many requests', refused(429, 'rate_limit')],
    ['a redirect', { status: 302, body: intent('succeeded') }],
    ['another attempt', { body: intent('succeeded', { metadata: { attemptId: 'other' } }) }],
    ['another amount', { body: intent('succeeded', { amount: 9 }) }],
    ['another currency', { body: intent('succeeded', { currency: 'eur' }) }],
    ['nothing of a payment', { body: {} }],
  ])('is UNKNOWN after %s, and sent once', async (_, answer) => {
    const outcome = await charge(answer);
    expect(outcome.kind).toBe('UNKNOWN');
    expect(scripted.processor.sentTo(create)).toHaveLength(1);
  });

  it("is not derived from another payment's state", async () => {
    expect(await scripted.rail.charge('{"v":1,"kind":"CHARGE"}')).toMatchObject({
      kind: 'UNKNOWN',
    });
    expect(await scripted.rail.charge('not JSON')).toMatchObject({ kind: 'UNKNOWN' });
    expect(scripted.processor.requests).toEqual([]);
  });
});

describe('the proof of authentication', () => {
  it.each([
    ['authenticated', true],
    ['attempt_acknowledged', false],
    ['exempted', false],
    ['failed', false],
    ['not_supported', false],
    ['processing_error', false],
  ])('"%s" means that it happened: %s', async (result, hasHappened) => {
    const latest_charge = charged({ three_d_secure: threeDs(result) });
    expect(await charge({ body: intent('succeeded', { latest_charge }) })).toMatchObject({
      payment: {
        authentication: {
          hasHappened,
          result,
          flow: 'challenge',
          version: '2.2.0',
          eci: '05',
          dsTransId: '6d2a6c0e-0000-4000-8000-000000000001',
          at: new Date(createdAt),
        },
      },
    });
  });
});
