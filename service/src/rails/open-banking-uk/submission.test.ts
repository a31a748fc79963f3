import { expect, test } from 'vitest';
import type { Answer } from './test/scripted-bank.ts';
import { consentBody, errorBody, paymentBody } from './test/scripted-bank.ts';
import { useScriptedRail } from './test/scripted-rail.ts';
import { verified } from './test/verified.ts';

// Answers that a simulator never gives: only a definite refusal may end a payment.
const scripted = useScriptedRail();

const otherAmount = () => ({
  Initiation: { InstructedAmount: { Amount: '12.35', Currency: 'GBP' } },
});

const unknownAnswers: readonly (readonly [string, Answer])[] = [
  ['a hang-up', { hangUp: true }],
  ['silence', { hang: true }],
  ['a server error', { status: 500, body: errorBody('U000') }],
  ['a gateway error', { status: 502, text: '<html>' }],
  ['too many calls', { status: 429, body: errorBody('NARR') }],
  ['a request timeout', { status: 408, body: errorBody('NARR') }],
  ['a refusal without a reason', { status: 400, body: { message: 'no' } }],
  ['a refusal that may be an echo', { status: 400, body: errorBody('U009') }],
  ['an existing resource', { status: 409, body: errorBody('U029') }],
  ['a duplicate', { status: 400, body: errorBody('AM05') }],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
  ['no JSON', { status: 201, text: 'fine' }],
  ['another consent', { status: 201, body: paymentBody('ACSP', { ConsentId: 'consent-2' }) }],
  ['no word as status', { status: 201, body: paymentBody('DONE, WE THINK') }],
  ['no payment id', { status: 201, body: { Data: { Status: 'ACSP' } } }],
  ['another amount', { status: 201, body: paymentBody('ACSP', otherAmount()) }],
  ['a wrong signature', { status: 201, body: paymentBody('ACSP'), signature: 'wrong' }],
  ['no signature', { status: 201, body: paymentBody('ACSP'), signature: 'none' }],
  ['an unsigned refusal', { status: 400, body: errorBody('AM04'), signature: 'none' }],
  ['two megabytes', { status: 201, text: `"${'x'.repeat(2_000_000)}"` }],
];

test.each(unknownAnswers)('%s after a submission leaves it unknown', async (_what, answer) => {
  const { bank, rail, exchange } = scripted();
  const state = await exchange();
  bank.script('POST domestic-payments', answer);
  expect(await rail.submit(state)).toMatchObject({ kind: 'UNKNOWN' });
});

test('a definite refusal has our text and the code only', async () => {
  const { bank, rail, exchange } = scripted();
  const state = await exchange();
  bank.script('POST domestic-payments', { status: 400, body: errorBody('AM04', 'U002') });
  expect(await rail.submit(state)).toEqual({
    kind: 'REFUSED',
    code: 'AM04',
    description: expect.stringMatching(/^There is not enough money in the account\./),
  });
});

test('a rejection inside a success is an accepted submission with a failed status', async () => {
  const { bank, rail, exchange } = scripted();
  const state = await exchange();
  const rejected = paymentBody('RJCT', { StatusReason: [{ StatusReasonCode: 'AC04' }] });
  bank.script('POST domestic-payments', { status: 201, body: rejected });
  expect(verified(await rail.submit(state), 'ACCEPTED').status).toMatchObject({
    isoCode: 'RJCT',
    errorCode: 'AC04',
    errorDescription: expect.stringContaining('is closed'),
  });
});

test('a status of no standard keeps the id of the payment, and decides nothing', async () => {
  const { bank, rail, exchange } = scripted();
  const state = await exchange();
  bank.script('POST domestic-payments', { status: 201, body: paymentBody('DONE') });
  const submitted = verified(await rail.submit(state), 'ACCEPTED');
  expect(submitted.status).toMatchObject({ isoCode: 'DONE' });
  bank.script('GET domestic-payments', { status: 200, body: paymentBody('ACSC') });
  expect(await rail.readPayment(submitted.state)).toMatchObject({ status: { isoCode: 'ACSC' } });
});

test('a rejected payment token is tried twice with equal bytes, then polled', async () => {
  const { bank, rail, exchange } = scripted();
  const state = await exchange();
  bank.script('POST domestic-payments', { status: 401 }, { status: 401 });
  expect(await rail.submit(state)).toMatchObject({ kind: 'UNKNOWN' });
  const sent = bank.requests.filter((request) => request.operation === 'POST domestic-payments');
  expect(sent).toHaveLength(2);
  expect(sent[1]?.body).toBe(sent[0]?.body);
  expect(sent[1]?.headers['x-idempotency-key']).toBe(sent[0]?.headers['x-idempotency-key']);
});

const resolved: readonly (readonly [string, Answer, Answer, string])[] = [
  ['COND', {}, { status: 201, body: paymentBody('ACSP') }, 'ACCEPTED'],
  ['Consumed', {}, { status: 201, body: paymentBody('ACSP') }, 'ACCEPTED'],
  ['COND', {}, { status: 401 }, 'UNKNOWN'],
  ['COND', {}, { status: 400, body: errorBody('U008') }, 'UNKNOWN'],
  ['AUTH', {}, { status: 201, body: paymentBody('RCVD') }, 'ACCEPTED'],
  ['AUTH', {}, { status: 400, body: errorBody('AM04') }, 'REFUSED'],
  ['AUTH', {}, { status: 401 }, 'UNKNOWN'],
  ['RJCT', {}, {}, 'REFUSED'],
  ['EXPD', {}, {}, 'REFUSED'],
  ['AWAU', {}, {}, 'UNKNOWN'],
  ['SOMETHING', {}, {}, 'UNKNOWN'],
  ['COND', { hangUp: true }, {}, 'UNKNOWN'],
  ['AUTH', { status: 400, body: errorBody('U011') }, {}, 'UNKNOWN'],
];

test.each(resolved)('a consent %s (%j), a repeat %j: %s', async (status, first, second, kind) => {
  const { bank, rail, exchange } = scripted();
  const state = await exchange();
  const read = { body: consentBody({ consentStatus: status }), ...first };
  bank.script('GET domestic-payment-consents', read);
  bank.script('POST domestic-payments', second);
  expect(await rail.resolveSubmission(state)).toMatchObject({ kind });
});

test('enough time and an unspent consent prove that no money moved', async () => {
  const { bank, another, exchange } = scripted();
  const state = await exchange();
  const later = another({}, 20 * 60_000);
  bank.script('GET domestic-payment-consents', { body: consentBody({ consentStatus: 'AUTH' }) });
  bank.script('POST domestic-payments', { status: 401, signature: 'none' });
  expect(await later.resolveSubmission(state)).toMatchObject({ code: 'NOT_SUBMITTED' });
});

test('a message is not sent again after its key expired', async () => {
  const { bank, another, exchange } = scripted();
  const state = await exchange();
  const nextDay = another({}, 24 * 3_600_000);
  bank.script('GET domestic-payment-consents', { body: consentBody({ consentStatus: 'COND' }) });
  expect(await nextDay.resolveSubmission(state)).toMatchObject({ kind: 'UNKNOWN' });
  bank.script('GET domestic-payment-consents', { body: consentBody({ consentStatus: 'AUTH' }) });
  expect(await nextDay.resolveSubmission(state)).toMatchObject({ code: 'NOT_SUBMITTED' });
  expect(bank.requests.some(({ operation }) => operation === 'POST domestic-payments')).toBe(false);
});

test('a signature of another organisation is rejected', async () => {
  const { bank, another, exchange } = scripted();
  const jwksUri = bank.profile.bankSigning?.jwksUri ?? '';
  const state = await exchange();
  const strict = another({ bankSigning: { jwksUri, organisationId: 'another-org' } });
  expect(await strict.submit(state)).toMatchObject({ kind: 'UNKNOWN' });
});
