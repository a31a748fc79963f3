import Stripe from 'stripe';
import { describe, expect, it, test } from 'vitest';
import { outsideValues } from '../../../../test/harness/outside-values.ts';
import { attemptId, createdAt } from './fixtures/bodies.ts';
import { useScriptedRail, webhookSecret } from './test/scripted-rail.ts';

const scripted = useScriptedRail();

const notice = (type: string, object: object, change: object = {}): string =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type,
    livemode: false,
    data: { object },
    ...change,
  });

/** Signed by the SDK's own helper, which its makers test. */
const signed = (payload: string, { secret = webhookSecret, at = createdAt } = {}): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at / 1000 });

const read = (payload: string, signature = signed(payload)) =>
  scripted.rail.readEvent(Buffer.from(payload), signature);

const intentObject = { id: 'pi_1', object: 'payment_intent', metadata: { attemptId } };

describe('a signed event', () => {
  it.each([
    ['payment_intent.succeeded', intentObject, 'PAYMENT', 'pi_1', 'pi_1'],
    ['payment_intent.canceled', intentObject, 'PAYMENT', 'pi_1', 'pi_1'],
    ['payment_intent.amount_capturable_updated', intentObject, 'PAYMENT', 'pi_1', 'pi_1'],
    [
      'charge.refunded',
      { id: 'ch_1', object: 'charge', payment_intent: 'pi_1', metadata: { attemptId } },
      'PAYMENT',
      'pi_1',
      'pi_1',
    ],
    [
      'checkout.session.completed',
      { id: 'cs_1', object: 'checkout.session', payment_intent: 'pi_1', metadata: { attemptId } },
      'SESSION',
      'cs_1',
      'pi_1',
    ],
    [
      'checkout.session.expired',
      { id: 'cs_1', object: 'checkout.session', payment_intent: null, metadata: { attemptId } },
      'SESSION',
      'cs_1',
      null,
    ],
  ])('%s names what to read', async (type, object, kind, reference, paymentReference) => {
    expect(await read(notice(type, object))).toEqual({
      kind,
      eventId: 'evt_1',
      reference,
      paymentReference,
      attemptId,
      refundId: null,
    });
  });

  it('of a refund or a dispute names the payment too', async () => {
    const refund = { id: 're_1', payment_intent: 'pi_1', metadata: { refundId: 'refund-1' } };
    expect(await read(notice('refund.updated', refund))).toMatchObject({
      kind: 'REFUND',
      reference: 're_1',
      refundId: 'refund-1',
      paymentReference: 'pi_1',
    });
    const dispute = { id: 'dp_1', payment_intent: 'pi_1', metadata: {} };
    expect(await read(notice('charge.dispute.closed', dispute))).toMatchObject({
      kind: 'DISPUTE',
      reference: 'dp_1',
      attemptId: null,
      paymentReference: 'pi_1',
    });
  });

  it('that changes nothing here is UNUSED', async () => {
    expect(await read(notice('customer.created', { id: 'cus_1' }))).toEqual({
      kind: 'UNUSED',
      eventId: 'evt_1',
    });
    expect((await read(notice('constructor', { id: 'cus_1' }))).kind).toBe('UNUSED');
    expect(
      (await read(notice('payment_intent.succeeded', { object: 'payment_intent' }))).kind,
    ).toBe('UNUSED');
  });
});

test.each(outsideValues.map((odd) => ({ odd })))('takes no unfit id: value %#', ({ odd }) => {
  const subject = { id: odd, object: 'refund', payment_intent: odd, metadata: { refundId: odd } };
  const found = read(notice('refund.updated', subject, { id: odd }));
  const stored = Object.values(found).filter((each) => typeof each === 'string');
  expect(stored.filter((each) => /[^A-Za-z0-9_ .-]|^.{256}/u.test(each))).toEqual([]);
});

describe('an event is rejected', () => {
  const payload = notice('payment_intent.succeeded', intentObject);

  it.each([
    ['unsigned', ''],
    ['signed with nonsense', 't=1,v1=00'],
    ['signed with another secret', signed(payload, { secret: 'whsec_another_secret' })],
    ['signed for another text', signed(`${payload} `)],
    ['played back after five minutes', signed(payload, { at: createdAt - 301_000 })],
  ])('when it is %s', async (_, signature) => {
    expect((await read(payload, signature)).kind).toBe('INVALID');
  });

  it('when one byte of it was changed', async () => {
    const signature = signed(payload);
    expect((await read(payload.replace('pi_1', 'pi_2'), signature)).kind).toBe('INVALID');
  });

  it('when it is of the other environment or no event', async () => {
    expect(
      (await read(notice('payment_intent.succeeded', intentObject, { livemode: true }))).kind,
    ).toBe('INVALID');
    for (const text of ['null', '[]', '{}', '"text"', 'no JSON', ''])
      expect((await read(text)).kind).toBe('INVALID');
  });
});
