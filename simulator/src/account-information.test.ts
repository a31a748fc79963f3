import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../test/harness/simulator/open-test-simulator.ts';
import { type AccountClient, accountClient } from './testing/account-client.ts';
import { type HonestClient, honestClient } from './testing/honest-client.ts';
import { openBrowser, visitBank } from './testing/visit-bank.ts';
import { issueTransportCertificate } from './trust/issued-certificate.ts';

let simulator: TestSimulator;
const clients = new Map<string, HonestClient>();

const bankOf = async (id: string): Promise<HonestClient> => {
  const client = clients.get(id) ?? (await honestClient(simulator.trustFolder, id));
  clients.set(id, client);
  return client;
};

beforeAll(async () => {
  simulator = await openTestSimulator();
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await simulator?.close();
});

const versions = ['4.0', '3.1'] as const;
const words = {
  '4.0': { awaiting: 'AWAU', authorised: 'AUTH', rejected: 'RJCT', revoked: 'CANC' },
  '3.1': {
    awaiting: 'AwaitingAuthorisation',
    authorised: 'Authorised',
    rejected: 'Rejected',
    revoked: 'Revoked',
  },
} as const;

const errorOf = (reply: { body: { Errors: { ErrorCode: string }[] } }) =>
  reply.body.Errors[0]?.ErrorCode;

describe.each(versions)('version %s', (version) => {
  let reader: AccountClient;
  beforeAll(async () => {
    reader = accountClient(await bankOf('emberly-sandbox'), version);
  });
  const statusOf = async (consentId: string, token: string) =>
    (await reader.get(`/account-access-consents/${consentId}`, token)).body.Data.Status;

  test('accounts are shared, read and revoked', async () => {
    const { consentId, clientToken } = await reader.createConsent();
    expect(await statusOf(consentId, clientToken)).toBe(words[version].awaiting);
    const linked = await reader.link({ account: 0 });
    expect(await statusOf(linked.consentId, clientToken)).toBe(words[version].authorised);

    const accounts = await reader.accountsOf(linked.token);
    expect(accounts).toHaveLength(1);
    const [account] = accounts;
    expect(account.Account[0]).toMatchObject({ SchemeName: 'UK.OBIE.SortCodeAccountNumber' });
    const path = `/accounts/${account.AccountId}`;
    expect((await reader.get(path, linked.token)).body.Data.Account).toEqual([account]);
    const balances = (await reader.get(`${path}/balances`, linked.token)).body.Data.Balance;
    const plain = balances.filter((each: { CreditLine?: unknown }) => !each.CreditLine);
    expect(plain).toHaveLength(2);

    const { lines } = await reader.everyLine(linked.token, account.AccountId);
    expect(lines.length).toBeGreaterThan(200);
    expect(new Set(lines.map((line: { TransactionId: string }) => line.TransactionId)).size).toBe(
      lines.length,
    );

    const path2 = `/account-access-consents/${linked.consentId}`;
    expect((await reader.call('DELETE', path2, clientToken)).status).toBe(204);
    expect((await reader.get(path2, clientToken)).status).toBe(400);
    expect((await reader.get('/accounts', linked.token)).status).toBe(401);
  });

  test.each([
    ['none', []],
    ['no account permission', ['ReadBalances']],
    ['transactions without a side', ['ReadAccountsBasic', 'ReadTransactionsBasic']],
    ['a side without transactions', ['ReadAccountsBasic', 'ReadTransactionsCredits']],
    ['one that the bank does not offer', ['ReadAccountsBasic', 'ReadPAN']],
    ['one that does not exist', ['ReadAccountsBasic', 'ReadMinds']],
  ])('permissions with %s are refused', async (_what, Permissions) => {
    const { reply } = await reader.createConsent({ Permissions });
    expect(reply.status).toBe(400);
  });

  test('a consent that would have expired already is refused', async () => {
    const { reply } = await reader.createConsent({ ExpirationDateTime: '2020-01-01T00:00:00Z' });
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      version === '4.0' ? 'U003' : 'UK.OBIE.Field.InvalidDate',
    ]);
  });

  test('basic permissions hide numbers, parties and texts, and one side shows only that', async () => {
    const Permissions = ['ReadAccountsBasic', 'ReadTransactionsBasic', 'ReadTransactionsCredits'];
    const { token } = await reader.link({}, { Permissions });
    const [account] = await reader.accountsOf(token);
    expect(account).not.toHaveProperty('Account');
    const { lines } = await reader.everyLine(token, account.AccountId);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      expect(line.CreditDebitIndicator).toBe('Credit');
      for (const name of ['TransactionInformation', 'DebtorAccount', 'Balance'])
        expect(line).not.toHaveProperty(name);
    }
    const balances = await reader.get(`/accounts/${account.AccountId}/balances`, token);
    expect(balances.status).toBe(403);
  });

  test('a customer who declines, and one who revokes at the bank', async () => {
    const client = await bankOf('emberly-sandbox');
    const { consentId, clientToken } = await reader.createConsent();
    const visit = await client.authorisationUrl(consentId, undefined, 'accounts');
    await visitBank(visit.url, { login: 'decline' });
    expect(await statusOf(consentId, clientToken)).toBe(words[version].rejected);

    const login = `revoker ${version}`;
    const linked = await reader.link({ login });
    const browser = openBrowser();
    const url = `${simulator.url}/banks/emberly-sandbox/connections`;
    const list = await browser.visit(url, { username: login });
    expect(list.text).toContain(linked.consentId);
    const other = await browser.visit(url, { username: 'stranger', revoke: linked.consentId });
    expect(other.text).toContain('No firm');
    await browser.visit(url, { username: login, revoke: linked.consentId });
    expect(await statusOf(linked.consentId, clientToken)).toBe(words[version].revoked);
    const reply = await reader.get('/accounts', linked.token);
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      version === '4.0' ? 'U009' : 'UK.OBIE.Resource.InvalidConsentStatus',
    ]);
    await expect(reader.refresh(linked)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('a consent of one version is unknown under the other', async () => {
    const linked = await reader.link();
    const other = accountClient(await bankOf('emberly-sandbox'), version === '4.0' ? '3.1' : '4.0');
    expect((await other.get('/accounts', linked.token)).status).toBe(403);
    const path = `/account-access-consents/${linked.consentId}`;
    expect((await other.get(path, linked.clientToken)).status).toBe(400);
  });
});

test('tokens: refreshed, bound to the certificate, ended, and another customer’s account', async () => {
  const client = await bankOf('northfield-sandbox');
  const reader = accountClient(client, '4.0');
  const linked = await reader.link();
  const end = linked.tokens.claims()?.['http://openbanking.org.uk/refresh_token_expires_at'];
  expect(Number(end)).toBeGreaterThan(Date.now() / 1000);
  const stolen = await reader.get('/accounts', linked.token, { withoutCertificate: true });
  expect(stolen.status).toBe(401);
  const thief = new Agent({ connect: await anotherCertificate(simulator.trustFolder) });
  const url = `${client.bank.accountsUrl}/accounts`;
  const headers = { authorization: `Bearer ${linked.token}` };
  const reused = await request(url, { dispatcher: thief, headers });
  expect([reused.statusCode, await reused.body.text()]).toEqual([401, '']);
  await thief.close();

  const consentIds = [linked.consentId];
  await client.control('POST', '/account-consents', { consentIds, change: 'end-access' });
  expect((await reader.get('/accounts', linked.token)).status).toBe(401);
  const fresh = await reader.refresh(linked);
  expect((await reader.get('/accounts', fresh.access_token)).status).toBe(200);
  expect(fresh.refresh_token).not.toBe(linked.tokens.refresh_token);

  const [account] = await reader.accountsOf(fresh.access_token);
  const stranger = await reader.link({ login: 'somebody else' });
  const foreign = await reader.get(`/accounts/${account.AccountId}/balances`, stranger.token);
  expect([foreign.status, errorOf(foreign)]).toEqual([400, 'U011']);
});

test('the bank demands another login, then shows nothing', async () => {
  const client = await bankOf('northfield-sandbox');
  const reader = accountClient(client, '4.0');
  const linked = await reader.link();
  const [account] = await reader.accountsOf(linked.token);
  const consentIds = [linked.consentId];
  const path = `/accounts/${account.AccountId}/transactions`;
  const old = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 19);
  const query = `?fromBookingDateTime=${old}`;
  expect((await reader.get(path + query, linked.token)).status).toBe(200);
  await client.control('POST', '/clock/advance', { consentIds, milliseconds: 7_200_000 });
  const late = await reader.get(path + query, linked.token);
  expect([late.status, errorOf(late)]).toEqual([403, 'U028']);
  const recent = new Date(Date.now() - 80 * 86_400_000).toISOString().slice(0, 19);
  const query2 = `?fromBookingDateTime=${recent}`;
  expect((await reader.get(path + query2, linked.token)).status).toBe(200);

  await client.control('POST', '/account-consents', { consentIds, change: 'demand-login' });
  const reply = await reader.get('/accounts', linked.token);
  expect([reply.status, errorOf(reply)]).toEqual([403, 'U028']);
  await expect(reader.refresh(linked)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('a consent expires on its own clock', async () => {
  const client = await bankOf('emberly-sandbox');
  const reader = accountClient(client, '4.0');
  const ExpirationDateTime = new Date(Date.now() + 86_400_000).toISOString();
  const linked = await reader.link({}, { ExpirationDateTime });
  const consentIds = [linked.consentId];
  await client.control('POST', '/clock/advance', { consentIds, milliseconds: 86_400_000 });
  const path = `/account-access-consents/${linked.consentId}`;
  expect((await reader.get(path, linked.clientToken)).body.Data.Status).toBe('EXPD');
  expect((await reader.get('/accounts', linked.token)).status).toBe(400);
});

test('calls without the customer are counted at a bank that limits them', async () => {
  const client = await bankOf('kestrel-sandbox');
  const reader = accountClient(client, '3.1');
  const linked = await reader.link();
  const unattended = () => reader.get('/accounts', linked.token, { attended: false });
  for (let count = 0; count < 4; count += 1) expect((await unattended()).status).toBe(200);
  const refused = await unattended();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await reader.get('/accounts', linked.token)).status).toBe(200);
  const consentIds = [linked.consentId];
  await client.control('POST', '/clock/advance', { consentIds, milliseconds: 86_400_000 });
  expect((await unattended()).status).toBe(200);
});

/** Of another firm in the same directory. */
const anotherCertificate = async (trustFolder: string) => {
  const read = (name: string) => readFile(join(trustFolder, name), 'utf8');
  const ca = await read('ca.pem');
  const authority = { certificatePem: ca, keyPem: await read('private/ca-key.pem') };
  const firm = { softwareStatementId: 'another', organisationId: 'thief' };
  const issued = await issueTransportCertificate(authority, firm, Date.now());
  return { ca, cert: issued.certificatePem, key: issued.keyPem };
};
