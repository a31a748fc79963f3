import { describe, expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { randomIds } from '#platform/clock.ts';
import { openSecrets } from '#platform/secrets/open-secrets.ts';
import type { CardOutcome, CardPayment } from '#rails/card-rail.ts';
import { draftChange } from '../core/change-payment.ts';
import {
  type Attempt,
  type CaptureType,
  captureTime,
  captureTypes,
  type Payment,
} from '../core/payment.ts';
import { type AttemptStatus, type AttemptStep, isLive } from '../core/payment-lifecycles.ts';
import { newCardAttempt } from './attempts.ts';
import { applyCardOutcome } from './outcomes.ts';

const ids = randomIds();
const secrets = openSecrets([ids.bytes(32)]);
const tools = { ids, secrets };
const now = new Date('2026-11-21T10:00:00.000Z');
const hour = 3_600_000;
const offsetMs = 30 * 24 * hour;

const paid: CardPayment = {
  reference: 'pi_1',
  amountPence: pence(1250),
  networkTransactionId: 'network-1',
  card: null,
  authentication: {
    ...{ hasHappened: false, result: null, flow: null, version: null, eci: null },
    ...{ dsTransId: null, at: null },
  },
  savedCardReference: null,
  at: new Date(now.getTime() - offsetMs),
};
const decline = {
  code: 'generic_decline',
  description: 'The card was declined.',
  retry: 'USE_ANOTHER_CARD',
  networkCode: null,
} as const;

const outcomes = {
  PENDING: { kind: 'PENDING', state: 's', lastDecline: null },
  TRIED_ON_PAGE: { kind: 'PENDING', state: 's', lastDecline: decline },
  ACTION_REQUIRED: { kind: 'ACTION_REQUIRED', state: 's', url: 'https://bank.example' },
  AUTHORIZED: {
    kind: 'AUTHORIZED',
    state: 's',
    payment: paid,
    expiresAt: new Date(now.getTime() - offsetMs + 100 * hour),
    expirySource: 'PROCESSOR',
  },
  COMPLETED: { kind: 'COMPLETED', state: 's', payment: paid },
  FAILED: { kind: 'FAILED', state: 's', decline, payment: null },
  CANCELLED: { kind: 'CANCELLED', state: 's', reason: 'CANCELLED', lastDecline: null },
  RAN_OUT: { kind: 'CANCELLED', state: 's', reason: 'AUTHORISATION_EXPIRED', lastDecline: null },
  DECLINED_ON_PAGE: {
    kind: 'CANCELLED',
    state: 's',
    reason: 'SESSION_EXPIRED',
    lastDecline: decline,
  },
  UNKNOWN: { kind: 'UNKNOWN', description: 'no answer' },
} as const satisfies Record<string, CardOutcome>;
type Said = keyof typeof outcomes;

type Stand = { status: AttemptStatus; step: AttemptStep; captureType?: CaptureType };

const paymentWith = (stand: Stand, change: Partial<Attempt> = {}, kind = 'CARD_CHARGE') => {
  const payment = {
    tenant: { merchantId: ids.uuid(), environment: 'SANDBOX' },
    ...{ paymentRequestId: ids.uuid(), kind, status: 'OPEN', attempts: [], now, customerId: null },
    ...{ splitsBill: false, strictExpiry: false, amountPence: pence(1250), eventSequence: 0 },
    expiresBusinessAt: new Date(now.getTime() + hour),
    clockOffsetMs: offsetMs,
    parts: { taxPence: pence(0), servicePence: pence(0) },
    merchant: { name: 'Corner Coffee' },
    store: { id: 's', address: '', locationName: 'DEFAULT' },
    callbackParams: {},
  } as unknown as Payment;
  const attempt: Attempt = {
    ...newCardAttempt(ids, payment, {
      accountKey: 'acct_1',
      ...{ status: 'PENDING', step: 'CHARGING', amountPence: pence(1250), tipPence: pence(0) },
      ...{ captureType: stand.captureType ?? 'MANUAL_CAPTURE', initiator: 'MERCHANT' },
      ...{ cardId: null, facts: null, railStateEncrypted: null, openForMs: 0 },
      ...{ firstPollMs: hour, consumerName: null, applicationUserId: null },
      paymentDevice: null,
    }),
    status: stand.status,
    step: stand.step,
    ...change,
  };
  return { ...payment, attempts: [attempt] };
};

const apply = (payment: Payment, said: CardOutcome) => {
  const change = draftChange(payment);
  const [attempt] = payment.attempts;
  if (!attempt) throw new Error('no attempt');
  const isWritten = applyCardOutcome(tools, change, attempt, said);
  const [after] = change.payment.attempts;
  if (!after) throw new Error('no attempt');
  return { change, after, isWritten };
};

const moves: Readonly<Record<string, Partial<Record<Said, AttemptStatus>>>> = {
  'AWAITING_AUTHORIZATION AT_PROCESSOR': {
    COMPLETED: 'COMPLETED',
    FAILED: 'FAILED',
    CANCELLED: 'CANCELLED',
    RAN_OUT: 'CANCELLED',
    DECLINED_ON_PAGE: 'FAILED',
  },
  'PENDING CHARGING': {
    AUTHORIZED: 'AUTHORIZED',
    COMPLETED: 'COMPLETED',
    FAILED: 'FAILED',
    CANCELLED: 'CANCELLED',
    RAN_OUT: 'CANCELLED',
    DECLINED_ON_PAGE: 'CANCELLED',
  },
  'PENDING STEP_UP': {
    AUTHORIZED: 'AUTHORIZED',
    COMPLETED: 'COMPLETED',
    FAILED: 'FAILED',
    CANCELLED: 'CANCELLED',
    RAN_OUT: 'CANCELLED',
    DECLINED_ON_PAGE: 'CANCELLED',
  },
  ...Object.fromEntries(
    ['AUTHORISED', 'CAPTURING', 'CANCELLING'].map((step) => [
      `AUTHORIZED ${step}`,
      {
        COMPLETED: 'COMPLETED',
        CANCELLED: 'CANCELLED',
        RAN_OUT: 'CANCELLED',
        DECLINED_ON_PAGE: 'CANCELLED',
      },
    ]),
  ),
  'COMPLETED ENDED': {},
  'FAILED ENDED': {},
  'CANCELLED ENDED': {},
  'CANCELLED PAID_TOO_LATE': {},
  'CANCELLED REFUNDING_LATE': {},
};

const bookedReasons = (from: AttemptStatus, to: AttemptStatus, said: Said): readonly string[] => {
  const released = said === 'RAN_OUT' ? 'AUTHORISATION_EXPIRED' : 'AUTHORISATION_RELEASED';
  if (to === 'AUTHORIZED') return ['PAYMENT_AUTHORISED'];
  if (to !== 'COMPLETED') return from === 'AUTHORIZED' ? [released] : [];
  return [...(from === 'AUTHORIZED' ? ['AUTHORISATION_CAPTURED'] : []), 'PAYMENT_COMPLETED'];
};

const pairs = Object.keys(moves).flatMap((stand) =>
  (Object.keys(outcomes) as Said[]).map((said) => [stand, said] as const),
);

describe('a processor outcome', () => {
  const hear = (stand: string, said: Said) => {
    const [status, step] = stand.split(' ') as [AttemptStatus, AttemptStep];
    const meant = moves[stand]?.[said] ?? status;
    const isMoved = meant !== status;
    return { ...apply(paymentWith({ status, step }), outcomes[said]), status, meant, isMoved };
  };

  test.each(pairs)('applied to %s: %s', (stand, said) => {
    const { after, change, isWritten, status, meant, isMoved } = hear(stand, said);
    expect(after.status).toBe(meant);
    const requests: Partial<Record<AttemptStatus, string>> = {
      ...{ COMPLETED: 'PAID', FAILED: 'CLOSED', CANCELLED: 'CLOSED' },
    };
    expect(change.payment.status).toBe((isMoved && requests[meant]) || 'OPEN');
    if (!isLive(status)) expect(isWritten).toBe(false);
    // Open attempts are polled again; ended ones are not.
    if (isLive(after.status)) expect(after.pollBusinessAt).not.toBeNull();
    else if (isMoved) expect(after.pollBusinessAt).toBeNull();
  });

  test.each(pairs)('%s, %s: is emitted and booked once, or not at all', (stand, said) => {
    const { change, status, meant, isMoved } = hear(stand, said);
    const leftThePage = status === 'AWAITING_AUTHORIZATION' && meant === 'CANCELLED';
    expect(change.events).toHaveLength(isMoved && !leftThePage ? 1 : 0);
    const reasons = new Set(change.postings.map(({ reason }) => reason));
    expect([...reasons]).toEqual(isMoved ? bookedReasons(status, meant, said) : []);
    expect(change.postings).toHaveLength(2 * reasons.size);
  });

  test.each(pairs)('%s, %s twice: the second time changes nothing', (stand, said) => {
    const [status, step] = stand.split(' ') as [AttemptStatus, AttemptStep];
    const first = apply(paymentWith({ status, step }), outcomes[said]);
    const second = apply(first.change.payment, outcomes[said]);
    expect(second.after.status).toBe(first.after.status);
    expect(second.change.events).toEqual([]);
    expect(second.change.history).toEqual([]);
    expect(second.change.postings).toEqual([]);
    expect(second.change.isVisible).toBe(false);
  });

  test('a card refused on a page that stays open is shown there', () => {
    const { after, change } = hear('AWAITING_AUTHORIZATION AT_PROCESSOR', 'TRIED_ON_PAGE');
    const { code, description } = decline;
    expect(after.card?.lastDecline).toEqual({ code, description });
    expect([after.errorCode, change.isVisible]).toEqual([null, true]);
    // Then another is being tried, which may be taken.
    const next = apply({ ...change.payment, attempts: [after] }, outcomes.PENDING);
    expect(next.after.card?.lastDecline).toBeNull();
  });

  test.each(captureTypes)('an authorisation of %s', (captureType) => {
    const payment = paymentWith({ status: 'PENDING', step: 'CHARGING', captureType });
    const { after } = apply(payment, outcomes.AUTHORIZED);
    if (captureType === 'AUTO_CAPTURE') {
      // The processor captures it by itself in a moment.
      expect(after).toMatchObject({ status: 'PENDING', step: 'CHARGING' });
      return;
    }
    const expires = new Date(now.getTime() + 100 * hour);
    expect(after).toMatchObject({
      status: 'AUTHORIZED',
      step: 'AUTHORISED',
      pollBusinessAt: expires,
      card: { authorisationExpiresBusinessAt: expires, expirySource: 'PROCESSOR' },
    });
    const meant = captureType === 'MANUAL_CAPTURE' ? null : new Date(now.getTime() + 95 * hour);
    expect(after.card?.captureBusinessAt).toEqual(meant);
  });

  test('a refused capture stays authorised, and automatic captures are retried', () => {
    const refusal = { kind: 'REFUSED', code: 'c', description: 'Not captured.' } as const;
    const authorised = apply(
      paymentWith({ status: 'PENDING', step: 'CHARGING', captureType: 'CAPTURE_BEFORE_EXPIRY' }),
      outcomes.AUTHORIZED,
    ).change.payment;
    const [attempt] = authorised.attempts;
    const capturing = { ...authorised, attempts: [{ ...attempt, step: 'CAPTURING' } as Attempt] };
    const change = draftChange(capturing);
    applyCardOutcome(tools, change, capturing.attempts[0] as Attempt, refusal);
    const [after] = change.payment.attempts;
    expect(after).toMatchObject({ status: 'AUTHORIZED', step: 'AUTHORISED' });
    expect(after?.card?.captureBusinessAt).toEqual(new Date(now.getTime() + 15_000));
    expect(change.history).toMatchObject([{ trigger: 'captureRefused', detail: 'Not captured.' }]);
    expect(change.events).toEqual([]);
  });

  test('a page payment after the end of the request is refunded', () => {
    const stand = { status: 'AWAITING_AUTHORIZATION', step: 'AT_PROCESSOR' } as const;
    for (const status of ['PAID', 'CANCELLED', 'EXPIRED'] as const) {
      const payment = { ...paymentWith(stand, {}, 'CHECKOUT'), status };
      const { after, change } = apply(payment, outcomes.COMPLETED);
      expect(after).toMatchObject({ status: 'CANCELLED', step: 'PAID_TOO_LATE' });
      expect(after.pollBusinessAt).toEqual(now);
      const booked = change.postings.map(({ reason, account }) => `${reason} ${account}`);
      expect(booked).toEqual(['PAYMENT_LATE SETTLED_BY_PROCESSOR', 'PAYMENT_LATE LATE_MONEY']);
      expect(change.events).toEqual([]);
    }
  });
});

describe('the time of capture before expiry', () => {
  test.each([
    [7 * 24, 6],
    [4 * 24 + 18, (4 * 24 + 18) / 20],
    [10, 0.5],
    [30 * 24, 6],
  ])('of an authorisation of %d hours is %d hours before its end', (lifetime, margin) => {
    const end = new Date(now.getTime() + lifetime * hour);
    expect(captureTime(now, end).getTime()).toBe(end.getTime() - margin * hour);
  });
});

describe('the received amount', () => {
  const received = (pounds: number): CardOutcome => ({
    ...outcomes.COMPLETED,
    payment: { ...paid, amountPence: pence(pounds) },
  });
  const booked = ({ postings }: ReturnType<typeof draftChange>, account: string) =>
    postings
      .filter((posting) => posting.account === account)
      .reduce((sum, { amountPence }) => sum + amountPence, 0n);

  test.each([
    [700, 700n, 0n],
    [1300, 1250n, 50n],
  ])('is booked and shown instead of the requested one: %d pence', (sum, amount, tip) => {
    const stand = paymentWith({ status: 'AUTHORIZED', step: 'AUTHORISED' });
    const { change, after } = apply(stand, received(sum));
    expect(after).toMatchObject({ status: 'COMPLETED', amountPence: amount, tipPence: tip });
    expect(booked(change, 'SETTLED_BY_PROCESSOR')).toBe(BigInt(sum));
    expect(change.cases).toMatchObject([{ kind: 'AMOUNT_DIFFERS', subject: after.attemptId }]);
    // The only attempt of a charge is over, with less than requested.
    expect(change.payment.status).toBe(sum < 1250 ? 'CLOSED' : 'PAID');
  });
});
