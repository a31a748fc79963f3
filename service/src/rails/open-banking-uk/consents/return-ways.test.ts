import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { expect, test } from 'vitest';
import type { ReturnParameters } from '#rails/bank-rail.ts';
import { allIdTokenChecks, type BankProfile } from '../settings/bank-profile.ts';
import { newOrder, newRsaPair } from '../test/new-test-client.ts';
import { useScriptedRail } from '../test/scripted-rail.ts';
import { verified } from '../test/verified.ts';

// Any browser can call the return address with anything: what a bank did not sign, or not for this
// visit, changes nothing.
const scripted = useScriptedRail();

const hybrid = { responseMode: 'fragment', authorisation: 'jar' } as const;
const inQuery = { responseMode: 'query', authorisation: 'jar' } as const;

const halfOf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

const funds = (FundsAvailable: boolean) => ({
  Data: {
    FundsAvailableResult: { FundsAvailable, FundsAvailableDateTime: '2026-11-01T10:00:00Z' },
  },
});

const visit = async (change: Partial<BankProfile>) => {
  const { bank, another } = scripted();
  const rail = another(change);
  const order = newOrder();
  const { state, authorisationUrl } = verified(await rail.createConsent(order), 'CREATED');
  const query = new URL(authorisationUrl).searchParams;
  const [, payload = ''] = (query.get('request') ?? '').split('.');
  const request = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const claims = {
    openbanking_intent_id: 'consent-1',
    nonce: request.nonce,
    acr: 'urn:openbanking:psd2:sca',
    sub: 'consent-1',
    c_hash: halfOf('code-1'),
    s_hash: halfOf(order.oauthState),
  };
  const bringing = async (claimsChange: JWTPayload, more: object = {}) => ({
    code: 'code-1',
    state: order.oauthState,
    id_token: await bank.signJwt({ ...claims, ...claimsChange }),
    ...more,
  });
  return { bank, rail, order, state, query, request, claims, bringing };
};

test('a request by value repeats what OpenID wants outside, and lives at most an hour', async () => {
  const { query, request, order, bank } = await visit(hybrid);
  expect(Object.fromEntries(query)).toEqual({
    response_type: 'code id_token',
    client_id: 'florin-test',
    scope: 'openid payments',
    redirect_uri: 'https://florin.example/return',
    request: expect.stringMatching(/^[^.]+\.[^.]+\.[^.]+$/),
  });
  expect(request).toMatchObject({
    iss: 'florin-test',
    aud: bank.profile.issuer,
    response_type: 'code id_token',
    state: order.oauthState,
    claims: { id_token: { openbanking_intent_id: { value: 'consent-1', essential: true } } },
  });
  expect(request.exp - request.nbf).toBeGreaterThan(60);
  expect(request.exp - request.nbf).toBeLessThanOrEqual(3600);
  expect(bank.requests.some(({ operation }) => operation === 'POST par')).toBe(false);
});

test('code and id token in the fragment are a return', async () => {
  const { rail, state, bringing } = await visit(hybrid);
  expect(await rail.readReturn(state, await bringing({}))).toMatchObject({ kind: 'AUTHORISED' });
});

const spoiled: readonly (readonly [string, JWTPayload, object?])[] = [
  ['the hash of another code', { c_hash: halfOf('code-2') }],
  ['no hash of the code', { c_hash: undefined }],
  ['the hash of another state', { s_hash: halfOf('other') }],
  ['no hash of the state', { s_hash: undefined }],
  ['another nonce', { nonce: 'other' }],
  ['another consent', { openbanking_intent_id: 'consent-2' }],
  ['another subject', { sub: 'consent-2' }],
  ['another bank', { iss: 'https://another.bank' }],
  ['another client', { aud: 'another client' }],
  ['an end in the past', { exp: 1_000_000 }],
  ['weak authentication', { acr: 'urn:mace:incommon:iap:silver' }],
  ['another code beside it', {}, { code: 'code-2' }],
  ['another state beside it', {}, { state: 'of another payment' }],
  ['another bank beside it', {}, { iss: 'https://another.bank' }],
  ['no id token', {}, { id_token: '' }],
  ['no code', {}, { code: '' }],
  ['two megabytes of id token', {}, { id_token: 'x'.repeat(2_000_000) }],
];

test.for(spoiled)('a fragment with %s is invalid', async ([_what, claims, more]) => {
  const { rail, state, bringing } = await visit(hybrid);
  expect((await rail.readReturn(state, await bringing(claims, more))).kind).toBe('INVALID');
});

test('an id token that a stranger signed is invalid', async () => {
  const { bank, rail, state, claims, bringing } = await visit(hybrid);
  const id_token = await bank.signJwt(claims, (await newRsaPair()).privateKey);
  expect((await rail.readReturn(state, await bringing({}, { id_token }))).kind).toBe('INVALID');
});

test('a bank may be excused from a claim, never from the hash of the code', async () => {
  const idTokenChecks = { ...allIdTokenChecks, nonce: false, acr: false, stateHash: false };
  const { rail, state, bringing } = await visit({ ...hybrid, idTokenChecks });
  const missing = { nonce: undefined, acr: undefined, s_hash: undefined };
  expect((await rail.readReturn(state, await bringing(missing))).kind).toBe('AUTHORISED');
  const wrong = await bringing({ ...missing, s_hash: halfOf('other') });
  expect((await rail.readReturn(state, wrong)).kind).toBe('INVALID');
  const hashless = await bringing({ ...missing, c_hash: undefined });
  expect((await rail.readReturn(state, hashless)).kind).toBe('INVALID');
});

test.each([
  ['the fragment', hybrid],
  ['the query', inQuery],
])('an error in %s is a decline of the visit that it names, and of no other', async (_way, way) => {
  const { rail, state, order } = await visit(way);
  const error = { error: 'access_denied', state: order.oauthState };
  expect(await rail.readReturn(state, error)).toMatchObject({ kind: 'DECLINED', byPayer: true });
  expect((await rail.readReturn(state, { error: 'access_denied' })).kind).toBe('INVALID');
  expect((await rail.readReturn(state, { ...error, state: 'other' })).kind).toBe('INVALID');
});

test('unreachable keys decide nothing about a fragment', async () => {
  const { bank, state, bringing } = await visit(hybrid);
  const brought = await bringing({});
  const fresh = scripted().another(hybrid);
  bank.script('GET jwks', { status: 503 });
  expect((await fresh.readReturn(state, brought)).kind).toBe('UNKNOWN');
  expect((await fresh.readReturn(state, brought)).kind).toBe('AUTHORISED');
});

test('a code in the query is one of the visit that its state names', async () => {
  const { bank, rail, state, order, request } = await visit(inQuery);
  const brought = { code: 'code-1', state: order.oauthState };
  expect(request.response_type).toBe('code');
  expect((await rail.readReturn(state, brought)).kind).toBe('AUTHORISED');
  const { issuer } = bank.profile;
  expect((await rail.readReturn(state, { ...brought, iss: issuer })).kind).toBe('AUTHORISED');
  const others: readonly ReturnParameters[] = [
    { ...brought, state: 'other' },
    { ...brought, iss: 'https://another.bank' },
    { state: order.oauthState },
    { code: 'code-1' },
    {},
  ];
  for (const wrong of others) expect((await rail.readReturn(state, wrong)).kind).toBe('INVALID');
});

test.each<readonly [string, object, string]>([
  ['holds enough', { body: funds(true) }, 'EXCHANGED'],
  ['holds too little', { body: funds(false) }, 'REFUSED'],
  ['is not said', { status: 404, signature: 'none' }, 'EXCHANGED'],
  ['is not said in time', { hangUp: true }, 'EXCHANGED'],
  ['is not said in a signed answer', { body: funds(false), signature: 'wrong' }, 'EXCHANGED'],
])('an account of which it %s', async (_what, answer, kind) => {
  const { bank, another, authorise } = scripted();
  const { state, code } = await authorise();
  bank.script('GET funds-confirmation', answer);
  const outcome = await another({ fundsConfirmation: true }).exchange(state, code);
  expect(outcome.kind).toBe(kind);
  const isConfirmed = 'fundsConfirmedAt' in outcome;
  expect(isConfirmed).toBe(_what === 'holds enough');
  if (outcome.kind === 'REFUSED')
    expect(outcome).toMatchObject({ code: 'AM04', description: expect.stringContaining('enough') });
});

test('payments of an earlier version stay where they began', async () => {
  const { bank, another, exchange } = scripted();
  const state = await exchange();
  const earlier = { version: '4.0', paymentsUrl: bank.profile.paymentsUrl } as const;
  const newer = { version: '3.1', paymentsUrl: `${bank.profile.issuer}/new/pisp` } as const;
  bank.requests.length = 0;
  expect(await another(newer).submit(state)).toMatchObject({
    kind: 'UNKNOWN',
    description: 'The bank is not set up for version 4.0 any more: set "earlier".',
  });
  expect(bank.requests).toEqual([]);
  expect((await another({ ...newer, earlier }).submit(state)).kind).toBe('ACCEPTED');
  expect(bank.requests.map(({ path }) => path)).toContain('/pisp/domestic-payments');
});
