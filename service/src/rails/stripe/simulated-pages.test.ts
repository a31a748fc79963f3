import { describe, expect, it } from 'vitest';
import { pence } from '#kernel/pence.ts';
import type { CardChallenge } from '#rails/payer-rail.ts';
import { nameByLastFour } from '../../../../test/harness/name-by-last-four.ts';
import { payByCard } from '../simulated-payer.ts';
import { useSimulatedAccount } from './test/simulated-account.ts';

const account = useSimulatedAccount();

describe('paying on the page of the simulated processor', () => {
  it.each(
    nameByLastFour([
      ['4242424242424242', 'VISA', 'CREDIT'],
      ['5555555555554444', 'MASTERCARD', 'CREDIT'],
      ['4000056655665556', 'VISA', 'DEBIT'],
      ['5200828282828210', 'MASTERCARD', 'DEBIT'],
      ['5105105105105100', 'MASTERCARD', 'PREPAID'],
      ['378282246310005', 'AMEX', 'CREDIT'],
      ['6011111111111117', 'DISCOVER', 'CREDIT'],
      ['3566002020360505', 'JCB', 'CREDIT'],
      ['30569309025904', 'DINERS', 'CREDIT'],
      ['4111111111111111', 'VISA', 'CREDIT'],
      ['4988080000000000', 'VISA', 'DEBIT'],
      ['4131840000000003', 'VISA', 'PREPAID'],
      ['4000000000000341', 'VISA', 'CREDIT'],
      ['4000000000003055', 'VISA', 'CREDIT'],
      ['4000000000003097', 'VISA', 'CREDIT'],
      ['4000000000000259', 'VISA', 'CREDIT'],
      ['4000000000002685', 'VISA', 'CREDIT'],
      ['4000000000001976', 'VISA', 'CREDIT'],
    ]),
  )('%s pays with %s %s and no authentication', async (_, brand, funding, cardNumber) => {
    const { outcome, visit } = await account.pay({ cardNumber });
    expect(visit.kind).toBe('RETURNED');
    expect(outcome).toMatchObject({
      kind: 'COMPLETED',
      payment: {
        amountPence: 1250n,
        savedCardReference: null,
        networkTransactionId: expect.stringMatching(/^\w{9,15}$/),
        authentication: { hasHappened: false },
        card: {
          brand,
          funding,
          lastFourDigits: cardNumber.slice(-4),
          expiryDate: '12/2040',
          cardholderName: 'Sandbox Payer',
          fingerprint: expect.stringMatching(/^\w+$/),
        },
      },
    });
  });

  it.each(
    nameByLastFour([
      ['4000000000000127', '05'],
      ['5555555555550127', '02'],
      ['4000002500003155', '05'],
      ['4000002760003184', '05'],
      ['4000003800000446', '05'],
      ['4000000000003220', '05'],
      ['4000000000002503', '05'],
    ]),
  )('%s pays after a challenge, with its proof', async (_, eci, cardNumber) => {
    const { outcome } = await account.pay({ cardNumber });
    expect(outcome).toMatchObject({
      kind: 'COMPLETED',
      payment: {
        authentication: {
          hasHappened: true,
          result: 'authenticated',
          flow: 'challenge',
          version: '2.2.0',
          eci,
          dsTransId: expect.stringMatching(/^[0-9a-f-]{36}$/i),
        },
      },
    });
  });

  it.each(
    nameByLastFour<[hasHappened: boolean, result: string, eci: string | null]>([
      ['4000000000002701', true, 'authenticated', '05'],
      ['5200000000002235', true, 'authenticated', '02'],
      ['4000000000002719', false, 'attempt_acknowledged', '06'],
      ['4000000000002313', false, 'processing_error', '07'],
      ['4000000000002404', false, 'exempted', '07'],
      ['4000000000002354', false, 'processing_error', null],
    ]),
  )('%s pays without a challenge; authenticated: %s', async (...row) => {
    const [, hasHappened, result, eci, cardNumber] = row;
    const { outcome } = await account.pay({ cardNumber });
    expect(outcome).toMatchObject({
      kind: 'COMPLETED',
      payment: { authentication: { hasHappened, result, eci } },
    });
  });

  it.each(
    nameByLastFour([
      ['4000000000000002', 'generic_decline'],
      ['4000000000000143', 'insufficient_funds'],
      ['4000000000009995', 'insufficient_funds'],
      ['4000000000009987', 'lost_card'],
      ['4000000000009979', 'stolen_card'],
      ['4000000000000069', 'expired_card'],
      ['4000000000000119', 'processing_error'],
      ['4242424242424241', 'incorrect_number'],
      ['4544249167673670', 'insufficient_funds'],
      ['4724117215951699', 'expired_card'],
      ['4897453568485113', 'fraudulent'],
      ['4095254802642505', 'issuer_not_available'],
      ['4000008260003178', 'insufficient_funds'],
      ['4000008400001629', 'generic_decline'],
      ['4000008400001280', 'payment_intent_authentication_failure'],
      ['4000000000002925', 'payment_intent_authentication_failure'],
      ['4000000000002537', 'payment_intent_authentication_failure'],
      ['4000000000002370', 'payment_intent_authentication_failure'],
    ]),
  )('%s is declined for %s, and another card then pays', async (_, code, cardNumber) => {
    const { outcome, visit, url, state } = await account.pay({ cardNumber });
    expect(visit.kind).toBe('DECLINED');
    expect(outcome).toMatchObject({
      kind: 'PENDING',
      lastDecline: { code, description: expect.stringMatching(/No money has been taken/) },
    });
    const again = await payByCard(url, { cardNumber: '4242424242424242' });
    expect(again.kind).toBe('RETURNED');
    expect(await account.rail.readSession(state)).toMatchObject({ kind: 'COMPLETED' });
  });

  it('counts a payer who leaves as a cancellation', async () => {
    const { outcome, visit } = await account.pay({ cardNumber: '4000000000000101' });
    expect(visit.kind).toBe('RETURNED');
    expect(outcome).toMatchObject({ kind: 'CANCELLED', reason: 'CANCELLED' });
  });

  it('rejects any other card number unread', async () => {
    const { outcome, visit } = await account.pay({ cardNumber: '4012888888881881' });
    expect(visit.kind).toBe('DECLINED');
    expect(outcome).toMatchObject({ kind: 'PENDING', lastDecline: null });
  });

  it.each<[CardChallenge, string, string | null]>([
    ['DECLINE', 'DECLINED', 'payment_intent_authentication_failure'],
    ['ABANDON', 'ABANDONED', null],
  ])('a challenge with %s leaves the page open', async (challenge, kind, code) => {
    const cardNumber = '4000000000000127';
    const { visit, outcome, state } = await account.pay({ cardNumber, challenge });
    expect(visit.kind).toBe(kind);
    expect(outcome).toMatchObject({ kind: 'PENDING', lastDecline: code ? { code } : null });
    expect(await account.rail.expireSession(state)).toMatchObject({ kind: 'CANCELLED' });
  });
});

describe('a page', () => {
  it('is the same one when opened again', async () => {
    const attemptId = account.newId();
    const paymentRequestId = account.newId();
    const first = await account.openPage({ attemptId, paymentRequestId });
    const second = await account.openPage({ attemptId, paymentRequestId });
    expect(second.url).toBe(first.url);
  });

  it('takes no money after it was closed', async () => {
    const { url, state } = await account.openPage();
    const closed = await account.rail.expireSession(state);
    expect(closed).toMatchObject({ kind: 'CANCELLED', reason: 'SESSION_EXPIRED' });
    expect((await payByCard(url, { cardNumber: '4242424242424242' })).kind).toBe('CLOSED');
    expect(await account.rail.expireSession(state)).toMatchObject({ kind: 'CANCELLED' });
  });

  it('that was paid before it is closed answers with the payment', async () => {
    const { state } = await account.pay({ cardNumber: '4242424242424242' });
    expect((await account.rail.expireSession(state)).kind).toBe('COMPLETED');
  });

  it('closed and paid concurrently has one outcome', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { url, state } = await account.openPage();
      const [visit, closed] = await Promise.all([
        payByCard(url, { cardNumber: '4242424242424242' }),
        account.rail.expireSession(state),
      ]);
      const truth = await account.rail.readSession(state);
      expect(closed.kind).toBe(truth.kind);
      expect(visit.kind).toBe(truth.kind === 'COMPLETED' ? 'RETURNED' : 'CLOSED');
    }
  });

  it('only authorises when requested', async () => {
    const { outcome } = await account.pay(
      { cardNumber: '4242424242424242' },
      { captureMethod: 'MANUAL', amountPence: pence(999) },
    );
    if (outcome.kind !== 'AUTHORIZED') throw new Error(outcome.kind);
    const lifetimeMs = outcome.expiresAt.getTime() - Date.now();
    expect(outcome.expirySource).toBe('PROCESSOR');
    expect(Math.round(lifetimeMs / 3_600_000)).toBe(7 * 24);
    expect(await account.rail.capture(outcome.state)).toMatchObject({
      kind: 'COMPLETED',
      payment: { amountPence: 999n },
    });
  });
});
