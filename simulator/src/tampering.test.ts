import { randomUUID } from 'node:crypto';
import { flattenedVerify, importJWK, type JSONWebKeySet } from 'jose';
import * as oidc from 'openid-client';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestSimulator,
  redirectUri,
  type TestSimulator,
} from '../../test/harness/simulator/open-test-simulator.ts';
import { type HonestClient, honestClient } from './testing/honest-client.ts';
import {
  authorise,
  consentBody,
  createConsent,
  exchange,
  paymentBody,
  submit,
} from './testing/payment-steps.ts';
import { visitBank } from './testing/visit-bank.ts';

let simulator: TestSimulator;
let client: HonestClient;
let token: string;

beforeAll(async () => {
  simulator = await openTestSimulator();
  client = await honestClient(simulator.trustFolder);
  token = await client.clientToken();
});
afterAll(async () => {
  await client?.close();
  await simulator?.close();
});

const consents = '/domestic-payment-consents';
const codeOf = (reply: { body: { Errors: { ErrorCode: string }[] } }) =>
  reply.body.Errors[0]?.ErrorCode;
const changed = (change: (header: Record<string, unknown>) => void) => (body: string) =>
  client.signBody(body, change);
const tan = 'http://openbanking.org.uk/tan';
const iss = 'http://openbanking.org.uk/iss';
const iat = 'http://openbanking.org.uk/iat';

describe('the message signature', () => {
  const cases: [string, string, (body: string) => string | undefined][] = [
    ['missing', 'U019', () => undefined],
    ['of another body', 'U015', (body) => client.signBody(`${body} `)],
    ['not detached', 'U018', (body) => client.signBody(body).replace('..', '.e30.')],
    ['not a JWS', 'U018', () => 'nonsense'],
    ['with a broken header', 'U018', (body) => client.signBody(body).replace(/^.{8}/, 'AAAAAAAA')],
    ['without tan', 'U017', changed((header) => delete header[tan])],
    ['without crit', 'U017', changed((header) => delete header.crit)],
    ['without kid', 'U017', changed((header) => delete header.kid)],
    ['with another tan', 'U016', changed((header) => Object.assign(header, { [tan]: 'x.org' }))],
    ['with another iss', 'U016', changed((header) => Object.assign(header, { [iss]: 'x/y' }))],
    ['from the future', 'U016', changed((header) => Object.assign(header, { [iat]: 9999999999 }))],
    ['with iat as text', 'U016', changed((header) => Object.assign(header, { [iat]: '1' }))],
    ['with RS256', 'U016', changed((header) => Object.assign(header, { alg: 'RS256' }))],
    ['with b64', 'U016', changed((header) => Object.assign(header, { b64: false }))],
    ['with a longer crit', 'U016', changed((header) => (header.crit as string[]).push('exp'))],
    ['of an unknown key', 'U016', changed((header) => Object.assign(header, { kid: 'other' }))],
    ['of another type', 'U016', changed((header) => Object.assign(header, { typ: 'JWT' }))],
  ];
  test.each(cases)('%s: %s', async (_name, code, signature) => {
    const reply = await client.post(consents, consentBody(), { token, signature });
    expect(reply.status).toBe(400);
    expect(codeOf(reply)).toBe(code);
  });

  test('of one bank is invalid at another', async () => {
    const other = await honestClient(simulator.trustFolder, 'harbour-sandbox');
    const reply = await client.get(`${consents}/none`, { token });
    const [head = '', , signature = ''] = String(reply.headers['x-jws-signature']).split('.');
    const keys = (await (await fetch(other.bank.bankSigning.jwksUri)).json()) as JSONWebKeySet;
    const payload = Buffer.from(JSON.stringify(reply.body)).toString('base64url');
    const crit = { [iat]: true, [iss]: true, [tan]: true };
    const key = await importJWK(keys.keys[0] ?? {}, 'PS256');
    const verified = flattenedVerify({ protected: head, payload, signature }, key, { crit });
    await expect(verified).rejects.toThrow();
    await other.close();
  });
});

describe('the body of a consent', () => {
  const initiation = (change: object) => {
    const body = consentBody();
    return { ...body, Data: { Initiation: { ...body.Data.Initiation, ...change } } };
  };
  const euros = { InstructedAmount: { Amount: '1.00', Currency: 'EUR' } };
  const creditor = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '1', Name: 'A' };
  const cases: [string, string, unknown][] = [
    ['not JSON', 'U010', 'not json'],
    ['a list', 'U010', '[]'],
    ['without Risk', 'U004', { Data: consentBody().Data }],
    ['with a member of its own', 'U005', { ...consentBody(), Extra: 1 }],
    ['with a wrong amount', 'U002', consentBody('1,00')],
    ['with no amount', 'U002', consentBody('0.00')],
    ['with a tenth of a penny', 'U002', consentBody('1.001')],
    ['in euros', 'U023', initiation(euros)],
    ['over CHAPS', 'U026', initiation({ LocalInstrument: 'UK.OBIE.CHAPS' })],
    [
      'to an IBAN',
      'U027',
      initiation({ CreditorAccount: { ...creditor, SchemeName: 'UK.OBIE.IBAN' } }),
    ],
    ['to a short account', 'U021', initiation({ CreditorAccount: creditor })],
    ['with a withdrawn code', 'U002', { ...consentBody(), Risk: { PaymentContextCode: 'Other' } }],
    ['above the limit', 'AM14', consentBody('1000000.01')],
  ];
  test.each(cases)('%s: %s', async (_name, code, body) => {
    const reply = await client.post(consents, body, { token });
    expect(reply.status).toBe(400);
    expect(codeOf(reply)).toBe(code);
  });
});

describe('the headers', () => {
  test.each([
    ['x-idempotency-key', undefined, 400, 'U007'],
    ['x-idempotency-key', 'k'.repeat(41), 400, 'U006'],
    ['x-fapi-interaction-id', 'not-a-uuid', 400, 'U006'],
    ['x-fapi-auth-date', 'yesterday', 400, 'U006'],
    ['content-type', 'text/plain', 415, undefined],
    ['accept', 'text/html', 406, undefined],
  ])('%s as %s answers %i', async (name, value, status, code) => {
    const headers = { [name]: value };
    const reply = await client.post(consents, consentBody(), { token, headers });
    expect(reply.status).toBe(status);
    expect(reply.body && codeOf(reply)).toBe(code);
  });

  test('answers the interaction id of the call', async () => {
    const id = randomUUID();
    const reply = await client.get(`${consents}/none`, {
      token,
      headers: { 'x-fapi-interaction-id': id },
    });
    expect(reply.headers['x-fapi-interaction-id']).toBe(id);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'U011']);
  });

  test('unknown paths and methods are refused', async () => {
    expect((await client.get('/international-payments/x', { token })).status).toBe(404);
    expect((await client.get(consents, { token })).status).toBe(405);
  });
});

describe('an idempotency key', () => {
  test('answers the same consent for the same content, in its present state', async () => {
    const body = consentBody();
    const key = randomUUID();
    const first = await client.post(consents, body, { token, key });
    const turned = JSON.stringify({ Risk: body.Risk, Data: body.Data }, null, 1);
    const second = await client.post(consents, turned, { token, key });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.Data.ConsentId).toBe(first.body.Data.ConsentId);
    const other = await client.post(consents, consentBody(), { token, key });
    expect([other.status, codeOf(other)]).toEqual([422, 'U029']);
  });

  test('creates one consent under concurrency', async () => {
    const body = consentBody();
    const key = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => client.post(consents, body, { token, key })),
    );
    expect(new Set(replies.map((reply) => reply.body.Data.ConsentId)).size).toBe(1);
  });
});

describe('the token', () => {
  test('is refused without a certificate, when unknown or of the wrong kind', async () => {
    const body = consentBody();
    const bare = await client.post(consents, body, { token, withoutCertificate: true });
    expect(bare.status).toBe(401);
    expect((await client.post(consents, body, { token: 'unknown' })).status).toBe(401);
    const accounts = await client.clientToken('accounts');
    expect((await client.post(consents, body, { token: accounts })).status).toBe(403);
  });

  test('of the customer creates no consent, and of the client no payment', async () => {
    const authorised = await authorise(client);
    const consent = await client.post(consents, consentBody(), { token: authorised.token });
    expect(consent.status).toBe(403);
    const payment = await submit(client, { ...authorised, token });
    expect(payment.status).toBe(403);
    const funds = await client.get(`${consents}/${authorised.consentId}/funds-confirmation`, {
      token,
    });
    expect(funds.status).toBe(403);
  });

  test('of one consent pays no other', async () => {
    const [one, two] = [await authorise(client), await authorise(client)];
    expect((await submit(client, { ...one, token: two.token })).status).toBe(403);
  });

  test('needs mutual TLS at its endpoint', async () => {
    const issuer = client.configuration.serverMetadata();
    const front = await fetch(String(issuer.token_endpoint), { method: 'POST' });
    expect(front.status).toBe(401);
    const aliases = issuer.mtls_endpoint_aliases as { token_endpoint: string };
    const bare = await request(aliases.token_endpoint, {
      method: 'POST',
      dispatcher: client.bareAgent,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=payments',
    });
    expect(bare.statusCode).toBeGreaterThanOrEqual(400);
  });
});

describe('a payment', () => {
  test('must repeat the content of its consent', async () => {
    const authorised = await authorise(client);
    const body = paymentBody(authorised.consentId, consentBody('99.00'));
    const reply = await client.post('/domestic-payments', body, { token: authorised.token });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'U008']);
    const risk = paymentBody(authorised.consentId, authorised.consent);
    const other = { ...risk, Risk: { ...risk.Risk, ContractPresentIndicator: false } };
    const second = await client.post('/domestic-payments', other, { token: authorised.token });
    expect([codeOf(second), second.body.Errors[0].Path]).toEqual([
      'U008',
      'Risk.ContractPresentIndicator',
    ]);
  });

  test('happens once per consent, also concurrently', async () => {
    const authorised = await authorise(client);
    const replies = await Promise.all(Array.from({ length: 6 }, () => submit(client, authorised)));
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([201, 400, 400, 400, 400, 400]);
    const late = await submit(client, authorised);
    expect([late.status, codeOf(late)]).toEqual([400, 'U009']);
  });

  test('is the same for the same key, also concurrently', async () => {
    const authorised = await authorise(client);
    const key = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => submit(client, authorised, { key })),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map((reply) => reply.body.Data.DomesticPaymentId)).size).toBe(1);
  });

  test('that is unknown is a 400', async () => {
    const reply = await client.get('/domestic-payments/none', { token });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'U011']);
  });
});

describe('the authorisation', () => {
  test('of an unknown consent is refused at once', async () => {
    await expect(client.authorisationUrl('dpc-none')).rejects.toMatchObject({
      error: 'invalid_request_object',
    });
  });

  test('needs PAR and a signed request', async () => {
    const { consentId } = await createConsent(client);
    const plain = oidc.buildAuthorizationUrl(client.configuration, {
      redirect_uri: redirectUri,
      scope: 'openid payments',
      claims: JSON.stringify({ id_token: { openbanking_intent_id: { value: consentId } } }),
    });
    const page = await visitPage(plain.href);
    expect(page).not.toContain('data-step="login"');
  });

  test('gives a code that works once, with its verifier only', async () => {
    const { consentId } = await createConsent(client);
    const visit = await client.authorisationUrl(consentId);
    const returned = await visitBank(visit.url);
    const stolen = { ...visit, verifier: oidc.randomPKCECodeVerifier() };
    await expect(exchange(client, stolen, returned.url)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await exchange(client, visit, returned.url);
    await expect(exchange(client, visit, returned.url)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

test('exchanges one code once under concurrency', async () => {
  const { consentId } = await createConsent(client);
  const visit = await client.authorisationUrl(consentId);
  const returned = await visitBank(visit.url);
  const attempts = [1, 2, 3].map(() => exchange(client, visit, returned.url));
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
});

const visitPage = async (url: string): Promise<string> => {
  const reply = await request(url);
  return reply.body.text();
};
