import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BankPaymentOrder } from '#rails/bank-rail.ts';
import type { OpenBankingUk } from './open-banking-uk.ts';
import { openBankingUk } from './open-banking-uk.ts';
import { verified } from './test/outcome.ts';
import type { Answer, ScriptedBank } from './test/scripted-bank.ts';
import { consentBody, errorBody, openScriptedBank, paymentBody } from './test/scripted-bank.ts';
import { newOrder, newRsaPair, newTestClient, testTools } from './test/test-client.ts';
import { findHeaderFaults, findSchemaFaults } from './validate-sent.ts';

// What a simulator never says is said here by a scripted bank; the usual journeys are run elsewhere.
let bank: ScriptedBank;
let rail: OpenBankingUk;
let client: Awaited<ReturnType<typeof newTestClient>>;

const timeouts = { connectMs: 300, headersMs: 300, bodyMs: 300, totalMs: 400 };
const open = () => openBankingUk({ client, banks: [bank.profile], timeouts }, testTools());

beforeAll(async () => {
  client = await newTestClient();
});

beforeEach(async () => {
  await rail?.close();
  await bank?.close();
  bank = await openScriptedBank();
  rail = open();
});

afterAll(async () => {
  await rail.close();
  await bank.close();
});

const create = async (order: BankPaymentOrder = newOrder()) =>
  verified(await rail.createConsent(order), 'CREATED');

const authorise = async (order = newOrder()) => {
  const { state } = await create(order);
  const response = await bank.signJwt({ state: order.oauthState, code: 'code-1' });
  return verified(await rail.readReturn(state, { response }), 'AUTHORISED');
};

const exchange = async (order = newOrder()) => {
  const { state, code } = await authorise(order);
  return verified(await rail.exchange(state, code), 'EXCHANGED').state;
};

test('a whole journey sends only what the standard allows', async () => {
  const submitted = verified(await rail.submit(await exchange()), 'ACCEPTED');
  expect(submitted.status).toMatchObject({ isoCode: 'RCVD', isoName: 'Received' });
  const read = verified(await rail.readPayment(submitted.state), 'STATUS');
  expect(read.status).toEqual({
    isoCode: 'ACSC',
    isoName: 'AcceptedSettlementCompletedDebitorAccount',
    changedAt: new Date('2026-11-01T10:00:00Z'),
  });
  const sent = (operation: string) =>
    bank.requests.filter((request) => request.operation === operation);
  const [consent] = sent('POST domestic-payment-consents');
  const [payment] = sent('POST domestic-payments');
  expect(findSchemaFaults('OBWriteDomesticConsent4', JSON.parse(consent?.body ?? ''))).toEqual([]);
  expect(findSchemaFaults('OBWriteDomestic2', JSON.parse(payment?.body ?? ''))).toEqual([]);
  expect(findHeaderFaults(consent?.headers ?? {})).toEqual([]);
  expect(findHeaderFaults(payment?.headers ?? {})).toEqual([]);
  expect(sent('POST token')).toHaveLength(2);
  expect(sent('GET configuration')).toHaveLength(1);
  expect(submitted.state).not.toContain('token-');
});

test('a header never carries what the payer put into it', async () => {
  const hostile = 'Mozilla\r\nx-evil: 1\u0000 Zürich';
  await create(newOrder({ payerUserAgent: hostile, payerAddress: '1.2.3.4\r\nx: y' }));
  const sent = bank.requests.find((request) => request.operation.endsWith('payment-consents'));
  expect(sent?.headers['x-customer-user-agent']).toBe('Mozillax-evil: 1 Zrich');
  expect(sent?.headers).not.toHaveProperty('x-fapi-customer-ip-address');
});

test('our token is dropped when the bank refuses it, and asked for once more', async () => {
  bank.script('POST domestic-payment-consents', { status: 401 });
  await create();
  expect(bank.requests.filter((request) => request.operation === 'POST token')).toHaveLength(2);
});

test.each([
  ['no discovery', 'GET configuration', { status: 500 }],
  ['no token', 'POST token', { status: 503 }],
  ['a refused client', 'POST token', { status: 401, body: { error: 'invalid_client' } }],
] as const)('a bank with %s cannot be used now', async (_what, operation, answer) => {
  bank.script(operation, answer);
  expect(await rail.createConsent(newOrder())).toMatchObject({
    kind: 'REFUSED',
    code: 'BANK_UNAVAILABLE',
  });
});

test('a bank that nobody knows or that is off is refused', async () => {
  expect(await rail.createConsent(newOrder({ institutionId: 'other' }))).toMatchObject({
    kind: 'REFUSED',
    code: 'BANK_NOT_ENABLED',
  });
});

test('a refused request object ends the start; a missing answer leaves it open', async () => {
  bank.script('POST par', { status: 400, body: { error: 'invalid_request_object' } });
  expect(await rail.createConsent(newOrder())).toMatchObject({ kind: 'REFUSED' });
  bank.script('POST par', { hangUp: true });
  expect(await rail.createConsent(newOrder())).toMatchObject({ kind: 'UNKNOWN' });
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
  ['a status nobody knows', { status: 201, body: paymentBody('DONE') }],
  ['no payment id', { status: 201, body: { Data: { Status: 'ACSP' } } }],
  ['another amount', { status: 201, body: paymentBody('ACSP', otherAmount()) }],
  ['a wrong signature', { status: 201, body: paymentBody('ACSP'), signature: 'wrong' }],
  ['no signature', { status: 201, body: paymentBody('ACSP'), signature: 'none' }],
  ['an unsigned refusal', { status: 400, body: errorBody('AM04'), signature: 'none' }],
  ['two megabytes', { status: 201, text: `"${'x'.repeat(2_000_000)}"` }],
];

function otherAmount() {
  return { Initiation: { InstructedAmount: { Amount: '12.35', Currency: 'GBP' } } };
}

test.each(unknownAnswers)('%s after a submission leaves it unknown', async (_what, answer) => {
  const state = await exchange();
  bank.script('POST domestic-payments', answer);
  expect(await rail.submit(state)).toMatchObject({ kind: 'UNKNOWN' });
});

test('a definite refusal carries our words and the code only', async () => {
  const state = await exchange();
  bank.script('POST domestic-payments', { status: 400, body: errorBody('AM04', 'U002') });
  expect(await rail.submit(state)).toEqual({
    kind: 'REFUSED',
    code: 'AM04',
    description: expect.stringMatching(/^There is not enough money in the account\./),
  });
});

test('a rejection in a success is an accepted submission with a failed status', async () => {
  const state = await exchange();
  const rejected = paymentBody('RJCT', { StatusReason: [{ StatusReasonCode: 'AC04' }] });
  bank.script('POST domestic-payments', { status: 201, body: rejected });
  expect(verified(await rail.submit(state), 'ACCEPTED').status).toMatchObject({
    isoCode: 'RJCT',
    errorCode: 'AC04',
    errorDescription: expect.stringContaining('is closed'),
  });
});

test('a refused payment token is tried twice with equal bytes and then left to the resolver', async () => {
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
  const state = await exchange();
  const read = { body: consentBody({ consentStatus: status }), ...first };
  bank.script('GET domestic-payment-consents', read);
  bank.script('POST domestic-payments', second);
  expect(await rail.resolveSubmission(state)).toMatchObject({ kind });
});

const openAt = (offsetMs: number) => {
  const tools = testTools();
  const clock = { ...tools.clock, now: () => new Date(Date.now() + offsetMs) };
  return openBankingUk({ client, banks: [bank.profile], timeouts }, { ...tools, clock });
};

test('time and an unspent consent prove that no money moved', async () => {
  const state = await exchange();
  const later = openAt(20 * 60_000);
  bank.script('GET domestic-payment-consents', { body: consentBody({ consentStatus: 'AUTH' }) });
  bank.script('POST domestic-payments', { status: 401, signature: 'none' });
  expect(await later.resolveSubmission(state)).toMatchObject({ code: 'NOT_SUBMITTED' });
  await later.close();
});

test('after the life of its key a message is not sent again', async () => {
  const state = await exchange();
  const nextDay = openAt(24 * 3_600_000);
  bank.script('GET domestic-payment-consents', { body: consentBody({ consentStatus: 'COND' }) });
  expect(await nextDay.resolveSubmission(state)).toMatchObject({ kind: 'UNKNOWN' });
  bank.script('GET domestic-payment-consents', { body: consentBody({ consentStatus: 'AUTH' }) });
  expect(await nextDay.resolveSubmission(state)).toMatchObject({ code: 'NOT_SUBMITTED' });
  expect(bank.requests.some(({ operation }) => operation === 'POST domestic-payments')).toBe(false);
  await nextDay.close();
});

test.each([
  ['another consent', { openbanking_intent_id: 'consent-2' }],
  ['another nonce', { nonce: 'other' }],
  ['no nonce', { nonce: undefined }],
  ['another audience', { aud: 'other' }],
  ['an end in the past', { exp: 1_000_000 }],
  ['weak authentication', { acr: 'urn:mace:incommon:iap:silver' }],
])('an id token with %s is refused', async (_what, change) => {
  const { state, code } = await authorise();
  bank.idTokenClaims.change = change;
  expect(await rail.exchange(state, code)).not.toMatchObject({ kind: 'EXCHANGED' });
});

test('a bank may be excused from claims, but not from lying about them', async () => {
  const idTokenChecks = { nonce: false, acr: false, intentId: false };
  const lax = openBankingUk(
    { client, banks: [{ ...bank.profile, idTokenChecks }], timeouts },
    testTools(),
  );
  bank.idTokenClaims.change = {
    nonce: undefined,
    acr: undefined,
    openbanking_intent_id: undefined,
  };
  const { state, code } = await authorise();
  expect(await lax.exchange(state, code)).toMatchObject({ kind: 'EXCHANGED' });
  bank.idTokenClaims.change = { openbanking_intent_id: 'consent-2' };
  expect(await lax.exchange(state, code)).toMatchObject({ code: 'ID_TOKEN_INVALID' });
  await lax.close();
});

test.each([
  ['access_denied', true],
  ['temporarily_unavailable', false],
  ['server_error', false],
  ['login_required', false],
])('a signed %s is a decline', async (error, byPayer) => {
  const order = newOrder();
  const { state } = await create(order);
  const response = await bank.signJwt({ state: order.oauthState, error });
  expect(await rail.readReturn(state, { response })).toMatchObject({
    kind: 'DECLINED',
    byPayer,
    code: error,
  });
});

test('whatever else comes back is invalid and changes nothing', async () => {
  const order = newOrder();
  const { state } = await create(order);
  const good = { state: order.oauthState, code: 'code-1' };
  const stranger = (await newRsaPair()).privateKey;
  const signed = await bank.signJwt(good);
  const [head, , signature] = signed.split('.');
  const payload = Buffer.from(JSON.stringify({ ...good, code: 'other' })).toString('base64url');
  const responses = [
    `${head}.${payload}.${signature}`,
    `${head}.${signed.split('.')[1]}.`,
    await bank.signJwt(good, stranger),
    await bank.signJwt({ ...good, state: 'of another payment' }),
    await bank.signJwt({ ...good, aud: 'another client' }),
    await bank.signJwt({ ...good, iss: 'https://another.bank' }),
    await bank.signJwt({ ...good, exp: 1_000_000 }),
    await bank.signJwt({ state: order.oauthState }),
    await bank.signJwt({ ...good, state: undefined }),
    'x'.repeat(2_000_000),
  ];
  for (const response of responses)
    expect(await rail.readReturn(state, { response })).toMatchObject({ kind: 'INVALID' });
  expect(await rail.readReturn(state, { ...good })).toMatchObject({ kind: 'INVALID' });
  const { state: spent } = verified(await rail.exchange(state, 'code-1'), 'EXCHANGED');
  expect(await rail.readReturn(spent, { response: signed })).toMatchObject({ kind: 'INVALID' });
});

test('no parameters of any kind make the return throw', async () => {
  const { state } = await create();
  const text = fc.string({ unit: 'binary' });
  const jwtLike = fc
    .tuple(text, text, text)
    .map((parts) => parts.map((part) => Buffer.from(part).toString('base64url')).join('.'));
  const header = fc
    .jsonValue()
    .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'));
  const response = fc.oneof(
    text,
    jwtLike,
    header.map((first) => `${first}.e30.AAAA`),
  );
  const parameters = fc.oneof(
    fc.dictionary(
      fc.oneof(text, fc.constantFrom('response', '__proto__', 'code', 'state')),
      response,
    ),
    response.map((value) => ({ response: value })),
    fc.anything().map((value) => ({ response: value }) as never),
  );
  await fc.assert(
    fc.asyncProperty(parameters, async (given) => {
      expect(await rail.readReturn(state, given)).toMatchObject({ kind: 'INVALID' });
    }),
    { numRuns: 300 },
  );
});

test('keys that cannot be fetched say nothing about a return', async () => {
  const order = newOrder();
  const { state } = await create(order);
  const response = await bank.signJwt({ state: order.oauthState, code: 'code-1' });
  const fresh = open();
  bank.script('GET jwks', { status: 503 });
  expect(await fresh.readReturn(state, { response })).toMatchObject({ kind: 'UNKNOWN' });
  expect(await fresh.readReturn(state, { response })).toMatchObject({ kind: 'AUTHORISED' });
  await fresh.close();
});

test('no state of any kind makes a step throw', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ v: 1, value })),
  );
  await fc.assert(
    fc.asyncProperty(text, async (state) => {
      expect((await rail.readReturn(state, {})).kind).toBe('UNKNOWN');
      expect((await rail.exchange(state, 'x')).kind).toBe('UNKNOWN');
      expect((await rail.submit(state)).kind).toBe('UNKNOWN');
      expect((await rail.resolveSubmission(state)).kind).toBe('UNKNOWN');
      expect((await rail.readPayment(state)).kind).toBe('UNKNOWN');
    }),
  );
});
