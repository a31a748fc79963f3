import { randomUUID } from 'node:crypto';
import * as oidc from 'openid-client';
import { request } from 'undici';
import { expect } from 'vitest';
import { type SchemaName, schemaReasons } from '#simulator/bank/wire/schema-reasons.ts';
import type { BankReply, HonestClient } from './honest-client.ts';
import { exchange } from './payment-steps.ts';
import { type CustomerChoices, visitBank } from './visit-bank.ts';

const safePermissions = [
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadTransactionsDetail',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
];

export type Linked = {
  readonly consentId: string;
  readonly clientToken: string;
  readonly tokens: Awaited<ReturnType<typeof exchange>>;
  readonly token: string;
};

type Version = '3.1' | '4.0';
type Method = 'GET' | 'POST' | 'DELETE';
type Options = {
  readonly body?: unknown;
  readonly attended?: boolean;
  readonly withoutCertificate?: boolean;
};

// A client that reads accounts under one version, and checks every reply against its schemas.
export const accountClient = (client: HonestClient, version: Version) => {
  const base = client.bank.accountsUrl.replace(/\/v[\d.]+\//, `/v${version}/`);
  const call = async (
    method: Method,
    path: string,
    token: string,
    { body, attended = true, withoutCertificate }: Options = {},
  ): Promise<BankReply> => {
    const url = path.startsWith('https:') ? path : `${base}${path}`;
    const reply = await request(url, {
      method,
      dispatcher: withoutCertificate ? client.bareAgent : client.agent,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'x-fapi-interaction-id': randomUUID(),
        ...(attended && { 'x-fapi-customer-ip-address': '203.0.113.9' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.body.text();
    const parsed = text === '' ? undefined : JSON.parse(text);
    const schema = schemaOf(method, url, reply.statusCode);
    expect(reply.headers['x-jws-signature']).toBeUndefined();
    if (parsed) expect(schemaReasons(version, schema, parsed), text).toEqual([]);
    return { status: reply.statusCode, body: parsed, headers: reply.headers };
  };
  const createConsent = async (data: object = {}) => {
    const clientToken = await client.clientToken('accounts');
    const reply = await call('POST', '/account-access-consents', clientToken, {
      body: { Data: { Permissions: safePermissions, ...data }, Risk: {} },
    });
    return { clientToken, reply, consentId: reply.body?.Data?.ConsentId as string };
  };
  const link = async (choices: CustomerChoices = {}, data: object = {}): Promise<Linked> => {
    const { clientToken, reply, consentId } = await createConsent(data);
    expect(reply.status).toBe(201);
    const visit = await client.authorisationUrl(consentId, undefined, 'accounts');
    const returned = await visitBank(visit.url, choices);
    const tokens = await exchange(client, visit, returned.url);
    return { consentId, clientToken, tokens, token: tokens.access_token };
  };
  const everyLine = async (token: string, accountId: string, query = '') => {
    const pages: BankReply[] = [];
    let next: string | undefined = `/accounts/${accountId}/transactions${query}`;
    while (next !== undefined) {
      const page: BankReply = await call('GET', next, token);
      pages.push(page);
      next = page.body?.Links.Next;
    }
    const lines = pages.flatMap((page) => page.body.Data.Transaction);
    return { pages, lines };
  };
  return {
    call,
    createConsent,
    link,
    everyLine,
    get: (path: string, token: string, options?: Options) => call('GET', path, token, options),
    accountsOf: async (token: string) => (await call('GET', '/accounts', token)).body.Data.Account,
    refresh: (linked: Linked) =>
      oidc.refreshTokenGrant(client.configuration, linked.tokens.refresh_token ?? ''),
  };
};

export type AccountClient = ReturnType<typeof accountClient>;

const schemaOf = (method: Method, url: string, status: number): SchemaName => {
  if (status >= 400) return 'OBErrorResponse1';
  if (url.includes('/account-access-consents')) {
    expect(status).toBe({ GET: 200, POST: 201, DELETE: 204 }[method]);
    return 'OBReadConsentResponse1';
  }
  return accountSchemaOf(url);
};

const schemasByEnd: Readonly<Record<string, SchemaName>> = {
  transactions: 'OBReadTransaction6',
  balances: 'OBReadBalance1',
  beneficiaries: 'OBReadBeneficiary5',
  'direct-debits': 'OBReadDirectDebit2',
  offers: 'OBReadOffer1',
  parties: 'OBReadParty3',
  party: 'OBReadParty2',
  'scheduled-payments': 'OBReadScheduledPayment3',
  'standing-orders': 'OBReadStandingOrder6',
  statements: 'OBReadStatement2',
};

export const accountSchemaOf = (path: string): SchemaName => {
  const [, end = ''] = /\/([a-z-]+)\/*(?:\?.*)?$/.exec(path) ?? [];
  return schemasByEnd[end] ?? 'OBReadAccount6';
};
