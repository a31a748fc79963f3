import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BankDataRail } from '#rails/bank-data-rail.ts';
import type { OpenBankingUk } from '../open-banking-uk.ts';
import { openBankingUk } from '../open-banking-uk.ts';
import { readRegistration } from '../settings/read-registration.ts';
import { approveAtBank } from '../test/approve-at-bank.ts';
import { linkAccounts, newAccountOrder, pullTransactions } from '../test/link-accounts.ts';
import { testTools } from '../test/new-test-client.ts';
import type { Simulator } from '../test/open-simulator.ts';
import { accountRedirectUri, openSimulator, redirectUri } from '../test/open-simulator.ts';
import { verified } from '../test/verified.ts';
import { watchMessages } from '../test/watch-messages.ts';

let simulator: Simulator;
let connector: OpenBankingUk;
let rail: BankDataRail;
const messages = watchMessages();

beforeAll(async () => {
  simulator = await openSimulator();
  const settings = readRegistration(simulator.folder, redirectUri, accountRedirectUri);
  connector = openBankingUk(settings, testTools());
  rail = connector.bankData;
});
beforeEach(() => simulator.control('DELETE', '/faults'));
afterAll(async () => {
  await connector?.close();
  await simulator?.close();
});

const visitor = { address: '203.0.113.9' };
const change = (consentId: string, what: string) =>
  simulator.control('POST', '/account-consents', { consentIds: [consentId], change: what });
const firstAccount = async (state: string) => {
  const [account] = verified(await rail.readAccounts(state, visitor), 'OK').accounts;
  if (!account) throw new Error('the bank shows no account');
  return account;
};

describe.each([
  ['version 4.0, links with a doubled slash', 'emberly-sandbox'],
  ['version 3.1', 'harbour-sandbox'],
  ['overlapping pages of version 3.1', 'tidewater-sandbox'],
  ['no transaction ids', 'larkrise-sandbox'],
  ['IBANs, and another host in its links', 'greyfriars-sandbox'],
])('a bank with %s', (_what, bankId) => {
  test('is linked, read whole, refreshed and revoked', async () => {
    const { state, reference, refreshEndsAt } = await linkAccounts(rail, bankId, 'reader');
    expect(refreshEndsAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await rail.readConsent(state)).toMatchObject({ kind: 'OK', status: 'AUTHORISED' });
    const account = await firstAccount(state);
    expect(account).toMatchObject({
      sortCode: expect.stringMatching(/^\d{6}$/),
      accountNumber: expect.stringMatching(/^\d{8}$/),
      currency: 'GBP',
      accountType: 'CACC',
      isOpen: true,
    });
    const { balance } = verified(await rail.readBalance(state, account.accountId, visitor), 'OK');
    expect(balance).toMatchObject({ balanceType: 'ITAV', currency: 'GBP' });

    const { pages, transactions } = await pullTransactions(rail, state, account.accountId);
    expect(pages.map(({ gap }) => gap)).toEqual(pages.map(() => null));
    expect(transactions.length).toBeGreaterThan(200);
    const names = new Set(transactions.map((each) => each.bankTransactionId ?? each.fingerprint));
    const repeated = bankId === 'tidewater-sandbox' ? 2 * (pages.length - 1) : 0;
    expect(names.size).toBe(transactions.length - repeated);

    const fresh = verified(await rail.refreshTokens(state), 'OK');
    expect(await firstAccount(fresh.state)).toEqual(account);
    expect(await rail.revoke(fresh.state)).toEqual({ kind: 'REVOKED' });
    expect(await rail.revoke(fresh.state)).toEqual({ kind: 'REVOKED' });
    expect(await rail.readAccounts(fresh.state, visitor)).toEqual({ kind: 'TOKEN_ENDED' });
    expect(await rail.refreshTokens(fresh.state)).toEqual({
      kind: 'CONSENT_ENDED',
      reason: 'REVOKED',
    });
    expect(reference).toMatch(/^aac-/);
  });
});

test('a customer who declines, and one who comes back with another state', async () => {
  const order = newAccountOrder({ institutionId: 'emberly-sandbox' });
  const created = verified(await rail.createConsent(order), 'CREATED');
  const declined = (await approveAtBank(created.authorisationUrl, 'decline')) ?? {};
  expect(await rail.readReturn(created.state, declined)).toMatchObject({
    kind: 'DECLINED',
    byPayer: true,
  });
  expect(await rail.readConsent(created.state)).toMatchObject({ status: 'REJECTED' });
  const other = verified(
    await rail.createConsent(newAccountOrder({ institutionId: 'emberly-sandbox' })),
    'CREATED',
  );
  expect(await rail.readReturn(other.state, declined)).toMatchObject({ kind: 'INVALID' });
});

test.each(['emberly-sandbox', 'harbour-sandbox'])(
  'at %s each end of a consent has its reason',
  async (bankId) => {
    const revoked = await linkAccounts(rail, bankId, 'revoker');
    await change(revoked.reference, 'revoke');
    const ended = { kind: 'CONSENT_ENDED', reason: 'REVOKED' };
    expect(await rail.readAccounts(revoked.state, visitor)).toEqual(ended);
    expect(await rail.refreshTokens(revoked.state)).toEqual(ended);

    const demanded = await linkAccounts(rail, bankId, 'demanded');
    await change(demanded.reference, 'demand-login');
    const login = { kind: 'CONSENT_ENDED', reason: 'REAUTHENTICATION_NEEDED' };
    expect(await rail.readAccounts(demanded.state, visitor)).toEqual(login);
    expect(await rail.refreshTokens(demanded.state)).toEqual(login);
  },
);

test('an expired consent, ended tokens, and tokens that can be used once', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000);
  const expiring = await linkAccounts(rail, 'northfield-sandbox', 'expiring', { expiresAt });
  const consentIds = [expiring.reference];
  await change(expiring.reference, 'end-access');
  expect(await rail.readAccounts(expiring.state, visitor)).toEqual({ kind: 'TOKEN_ENDED' });
  const fresh = verified(await rail.refreshTokens(expiring.state), 'OK');
  expect(fresh.state).not.toBe(expiring.state);
  expect(await rail.readAccounts(fresh.state, visitor)).toMatchObject({ kind: 'OK' });
  await simulator.control('POST', '/clock/advance', { consentIds, milliseconds: 90_000_000 });
  expect(await rail.readAccounts(fresh.state, visitor)).toEqual({
    kind: 'CONSENT_ENDED',
    reason: 'EXPIRED',
  });
});

test('calls without the customer are limited by the bank, those with one are not', async () => {
  const { state } = await linkAccounts(rail, 'kestrel-sandbox', 'counted');
  for (let count = 0; count < 4; count += 1)
    expect(await rail.readAccounts(state, null)).toMatchObject({ kind: 'OK' });
  const limited = verified(await rail.readAccounts(state, null), 'RATE_LIMITED');
  expect(limited.retryAfter.getTime()).toBeGreaterThan(Date.now());
  expect(await rail.readAccounts(state, visitor)).toMatchObject({ kind: 'OK' });
});

test('a bank that is down leaves a read open; a disabled one makes no consent', async () => {
  const { state } = await linkAccounts(rail, 'harbour-sandbox', 'patient');
  await simulator.fault('read', 'down');
  expect(await rail.readAccounts(state, visitor)).toMatchObject({ kind: 'UNKNOWN' });
  await simulator.fault('read', 'cut-before');
  expect(await rail.readAccounts(state, visitor)).toMatchObject({ kind: 'UNKNOWN' });
  expect(await rail.readAccounts(state, visitor)).toMatchObject({ kind: 'OK' });
  const order = newAccountOrder({ institutionId: 'foxglove-sandbox' });
  expect(await rail.createConsent(order)).toMatchObject({ code: 'BANK_NOT_ENABLED' });
});

test('every message is one that the standard describes', () => {
  const { faults, operations } = messages.stop();
  expect(faults).toEqual([]);
  const called = [
    'POST /account-access-consents',
    'GET /account-access-consents/{ConsentId}',
    'DELETE /account-access-consents/{ConsentId}',
    'GET /accounts',
    'GET /accounts/{AccountId}/balances',
    'GET /accounts/{AccountId}/transactions',
  ].flatMap((operation) => ['3.1.11', '4.0.1'].map((version) => `${version} ${operation}`));
  expect(operations).toEqual(called.sort());
});
