import { expect, test } from 'vitest';
import { allIdTokenChecks } from '../settings/bank-profile.ts';
import { findHeaderFaults, findSchemaFaults } from '../test/find-schema-faults.ts';
import { newOrder } from '../test/new-test-client.ts';
import { consentBody } from '../test/scripted-bank.ts';
import { useScriptedRail } from '../test/scripted-rail.ts';
import { verified } from '../test/verified.ts';

const scripted = useScriptedRail();

test('a whole journey sends only what the standard allows', async () => {
  const { bank, rail, exchange } = scripted();
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

test('a code is exchanged with the return address that it was asked for', async () => {
  const { bank, another, authorise } = scripted();
  const { state, code } = await authorise();
  // As in the cell to which the merchant has moved meanwhile.
  const elsewhere = another({}, 0, { redirectUri: 'https://two.example/return' });
  verified(await elsewhere.exchange(state, code), 'EXCHANGED');
  const [last] = bank.requests.filter(({ body }) => body.includes('authorization_code'));
  expect(new URLSearchParams(last?.body).get('redirect_uri')).toBe('https://florin.example/return');
});

test("a header never contains the payer's input", async () => {
  const { bank, create } = scripted();
  const hostile = 'Mozilla\r\nx-evil: 1\u0000 Zürich';
  const requestId = '5f0c1a9e-2b7d-4c1e-8f6a-0d3b9e7a4c21';
  await create(newOrder({ payerUserAgent: hostile, payerAddress: '1.2.3.4\r\nx: y', requestId }));
  const sent = bank.requests.find((request) => request.operation.endsWith('payment-consents'));
  expect(sent?.headers['x-customer-user-agent']).toBe('Mozillax-evil: 1 Zrich');
  expect(sent?.headers).not.toHaveProperty('x-fapi-customer-ip-address');
  // Beside it stands the id of the caller's request (WIRE-23).
  expect(sent?.headers['x-fapi-interaction-id']).toBe(requestId);
});

test('our token is dropped when the bank rejects it, and requested once more', async () => {
  const { bank, create } = scripted();
  bank.script('POST domestic-payment-consents', { status: 401 });
  await create();
  expect(bank.requests.filter((request) => request.operation === 'POST token')).toHaveLength(2);
});

test.each([
  ['no discovery', 'GET configuration', { status: 500 }],
  ['no token', 'POST token', { status: 503 }],
  ['a refused client', 'POST token', { status: 401, body: { error: 'invalid_client' } }],
] as const)('a bank with %s is unavailable', async (_what, operation, answer) => {
  const { bank, rail } = scripted();
  bank.script(operation, answer);
  expect(await rail.createConsent(newOrder())).toMatchObject({
    kind: 'REFUSED',
    code: 'BANK_UNAVAILABLE',
  });
});

test('rejects an unknown and a disabled bank', async () => {
  const { rail } = scripted();
  expect(await rail.createConsent(newOrder({ institutionId: 'other' }))).toMatchObject({
    kind: 'REFUSED',
    code: 'BANK_NOT_ENABLED',
  });
});

test('a rejected request object ends the start; a missing answer leaves it open', async () => {
  const { bank, rail } = scripted();
  bank.script('POST par', { status: 400, body: { error: 'invalid_request_object' } });
  expect(await rail.createConsent(newOrder())).toMatchObject({ kind: 'REFUSED' });
  bank.script('POST par', { hangUp: true });
  expect(await rail.createConsent(newOrder())).toMatchObject({ kind: 'UNKNOWN' });
});

test.each([
  ['another consent', { openbanking_intent_id: 'consent-2' }],
  ['another nonce', { nonce: 'other' }],
  ['no nonce', { nonce: undefined }],
  ['another audience', { aud: 'other' }],
  ['an end in the past', { exp: 1_000_000 }],
  ['weak authentication', { acr: 'urn:mace:incommon:iap:silver' }],
])('an id token with %s is rejected', async (_what, change) => {
  const { bank, rail, authorise } = scripted();
  const { state, code } = await authorise();
  bank.idTokenClaims.change = change;
  expect(await rail.exchange(state, code)).not.toMatchObject({ kind: 'EXCHANGED' });
});

test('a bank may be excused from missing claims, not from wrong ones', async () => {
  const { bank, another, authorise } = scripted();
  const idTokenChecks = { ...allIdTokenChecks, nonce: false, acr: false, intentId: false };
  const lax = another({ idTokenChecks });
  bank.idTokenClaims.change = {
    nonce: undefined,
    acr: undefined,
    openbanking_intent_id: undefined,
  };
  const { state, code } = await authorise();
  expect(await lax.exchange(state, code)).toMatchObject({ kind: 'EXCHANGED' });
  bank.idTokenClaims.change = { openbanking_intent_id: 'consent-2' };
  expect(await lax.exchange(state, code)).toMatchObject({ code: 'ID_TOKEN_INVALID' });
});

test.each([
  ['is for another amount', { Amount: '12.35', Currency: 'GBP' }, 'AWAU'],
  ['is in another currency', { Amount: '12.34', Currency: 'EUR' }, 'AWAU'],
  ['was used already', { Amount: '12.34', Currency: 'GBP' }, 'COND'],
])('the payer is not sent to a consent that %s', async (_what, InstructedAmount, consentStatus) => {
  const { bank, rail } = scripted();
  const body = consentBody({ consentStatus, initiation: { InstructedAmount } });
  bank.script('POST domestic-payment-consents', { status: 201, body });
  expect(await rail.createConsent(newOrder())).toMatchObject({ kind: 'UNKNOWN' });
});
