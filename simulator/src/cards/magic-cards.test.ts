import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameByLastFour } from '../../../test/harness/name-by-last-four.ts';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../../test/harness/simulator/open-test-simulator.ts';
import { openShop, payOnPage, type Shop } from '../testing/card-shop.ts';
import { cardTable } from './card-table.ts';

let simulator: TestSimulator;
let shop: Shop;

beforeAll(async () => {
  simulator = await openTestSimulator();
  shop = await openShop(simulator);
});
afterAll(() => simulator?.close());

const authenticationFailed = 'payment_intent_authentication_failure';

// Number, outcome of the page, whether it challenged, 3DS result, outcome of a later charge.
const expected: readonly [string, string, boolean, string | null, string][] = [
  ['4242424242424242', 'succeeded', false, null, 'succeeded'],
  ['5555555555554444', 'succeeded', false, null, 'succeeded'],
  ['4000000000000127', 'succeeded', true, 'authenticated', 'succeeded'],
  ['5555555555550127', 'succeeded', true, 'authenticated', 'succeeded'],
  ['4000000000000002', 'generic_decline', false, null, 'generic_decline'],
  ['4000000000000143', 'insufficient_funds', false, null, 'insufficient_funds'],
  ['4000000000000069', 'expired_card', false, null, 'expired_card'],
  ['4000000000000101', 'canceled', false, null, 'canceled'],
  ['4000056655665556', 'succeeded', false, null, 'succeeded'],
  ['5200828282828210', 'succeeded', false, null, 'succeeded'],
  ['5105105105105100', 'succeeded', false, null, 'succeeded'],
  ['378282246310005', 'succeeded', false, null, 'succeeded'],
  ['6011111111111117', 'succeeded', false, null, 'succeeded'],
  ['3566002020360505', 'succeeded', false, null, 'succeeded'],
  ['30569309025904', 'succeeded', false, null, 'succeeded'],
  ['4000000000009995', 'insufficient_funds', false, null, 'insufficient_funds'],
  ['4000000000009987', 'lost_card', false, null, 'lost_card'],
  ['4000000000009979', 'stolen_card', false, null, 'stolen_card'],
  ['4000000000000119', 'processing_error', false, null, 'processing_error'],
  ['4242424242424241', 'incorrect_number', false, null, 'incorrect_number'],
  ['4000000000000341', 'succeeded', false, null, 'generic_decline'],
  ['4544249167673670', 'insufficient_funds', false, null, 'insufficient_funds'],
  ['4724117215951699', 'expired_card', false, null, 'expired_card'],
  ['4897453568485113', 'fraudulent', false, null, 'fraudulent'],
  ['4095254802642505', 'issuer_not_available', false, null, 'issuer_not_available'],
  ['4000002500003155', 'succeeded', true, 'authenticated', 'authentication_required'],
  ['4000002760003184', 'succeeded', true, 'authenticated', 'authentication_required'],
  ['4000003800000446', 'succeeded', true, 'authenticated', 'succeeded'],
  ['4000008260003178', 'insufficient_funds', true, 'authenticated', 'insufficient_funds'],
  ['4000000000003220', 'succeeded', true, 'authenticated', 'authentication_required'],
  ['4000008400001629', 'generic_decline', true, 'authenticated', 'generic_decline'],
  ['4000008400001280', authenticationFailed, false, 'processing_error', 'authentication_required'],
  ['4000000000003055', 'succeeded', false, null, 'succeeded'],
  ['4000000000003097', 'succeeded', false, null, 'succeeded'],
  ['4000000000002701', 'succeeded', false, 'authenticated', 'succeeded'],
  ['5200000000002235', 'succeeded', false, 'authenticated', 'succeeded'],
  ['4000000000002925', authenticationFailed, false, 'failed', 'succeeded'],
  ['4000000000002719', 'succeeded', false, 'attempt_acknowledged', 'succeeded'],
  ['4000000000002313', 'succeeded', false, 'processing_error', 'succeeded'],
  ['4000000000002537', authenticationFailed, false, 'failed', 'succeeded'],
  ['4000000000002404', 'succeeded', false, 'exempted', 'succeeded'],
  ['4000000000002354', 'succeeded', false, 'processing_error', 'succeeded'],
  ['4000000000002503', 'succeeded', true, 'authenticated', 'succeeded'],
  ['4000000000002370', authenticationFailed, true, 'failed', 'succeeded'],
  ['4000000000000259', 'succeeded', false, null, 'succeeded'],
  ['4000000000002685', 'succeeded', false, null, 'succeeded'],
  ['4000000000001976', 'succeeded', false, null, 'succeeded'],
  ['4000000000007726', 'succeeded', false, null, 'succeeded'],
  ['4000000000005126', 'succeeded', false, null, 'succeeded'],
  ['4111111111111111', 'succeeded', false, null, 'succeeded'],
  ['4988080000000000', 'succeeded', false, null, 'succeeded'],
  ['4131840000000003', 'succeeded', false, null, 'succeeded'],
];

const named = nameByLastFour(expected);

const rowOf = (number: string) => cardTable.find((row) => row.number === number);

test('every number of the table is tested here, once', () => {
  expect(expected.map(([number]) => number).sort()).toEqual(
    cardTable.map((row) => row.number).sort(),
  );
  expect(new Set(cardTable.map((row) => row.key)).size).toBe(cardTable.length);
});

test.each(named)('%s on the page: %s (challenge %s, 3DS %s)', async (...row) => {
  const [, outcome, isChallenged, result, , number] = row;
  const session = await shop.openSession();
  const first = await payOnPage(session.url ?? '', { number, decision: 'abandon' });
  expect(first.text.includes('data-step="challenge"')).toBe(isChallenged);
  if (isChallenged) await resolve(session.id, 'approve');
  const { intent } = await shop.readIntent(session.id);
  const error = intent?.last_payment_error;
  expect(error ? (error.decline_code ?? error.code) : intent?.status).toBe(outcome);
  const [line] = (await shop.control('GET', `/cards/payments?paymentIntentIds=${intent?.id}`)).body;
  expect(line.authentication?.result ?? null).toBe(result);
  const hasPaid = outcome === 'succeeded';
  expect(line.captured).toBe(hasPaid ? 1250 : 0);
});

test.each(named)(
  '%s without the customer',
  async (_, _onPage, _challenge, _result, later, number) => {
    const charged = await shop
      .charge(rowOf(number)?.key ?? '')
      .catch((error: unknown) => (error instanceof Stripe.errors.StripeError ? error : undefined));
    if (charged instanceof Stripe.errors.StripeError) expect(charged.decline_code).toBe(later);
    else expect(charged?.status).toBe(later);
  },
);

describe('with 3D Secure requested', () => {
  const results: readonly [string, string, string | null][] = [
    ['4242424242424242', 'not_supported', 'card_not_enrolled'],
    ['378282246310005', 'not_supported', 'network_not_supported'],
    ['4000000000003097', 'processing_error', 'protocol_error'],
  ];
  test.each(nameByLastFour(results))('%s answers %s: %s', async (_, result, reason, number) => {
    const session = await shop.openSession({
      payment_method_options: { card: { request_three_d_secure: 'any' } },
    });
    await payOnPage(session.url ?? '', { number });
    const { intent } = await shop.readIntent(session.id);
    const path = `/cards/payments?paymentIntentIds=${intent?.id}`;
    const [line] = (await shop.control('GET', path)).body;
    expect(line.authentication).toMatchObject({ result, resultReason: reason });
    expect(line.authentication.hasLiabilityShift).toBe(false);
  });

  const optional = nameByLastFour([['4000000000003055'], ['4000000000000341']]);
  test.each(optional)('%s challenges', async (_, number) => {
    const session = await shop.openSession({
      payment_method_options: { card: { request_three_d_secure: 'challenge' } },
    });
    const page = await payOnPage(session.url ?? '', { number, decision: 'abandon' });
    expect(page.text).toContain('data-step="challenge"');
  });
});

test('the control call lists every card with its token', async () => {
  const { body } = await shop.control('GET', '/magic/cards');
  expect(body).toHaveLength(cardTable.length);
  expect(body[0]).toMatchObject({ number: '4242424242424242', token: 'pm_card_visa' });
});

const resolve = async (id: string, decision: string) => {
  const reply = await shop.control('POST', '/cards/challenges/resolve', { id, decision });
  expect(reply.status).toBe(200);
};
