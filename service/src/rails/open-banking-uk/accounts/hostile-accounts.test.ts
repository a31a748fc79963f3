import { expect, test } from 'vitest';
import type { BankDataRail, TransactionsOutcome } from '#rails/bank-data-rail.ts';
import { countCertificateDays } from '../../../platform/certificates.ts';
import { metrics } from '../../../platform/metrics.ts';
import { openBankingUk } from '../open-banking-uk.ts';
import { findHeaderFaults, findSchemaFaults } from '../test/find-schema-faults.ts';
import { newAccountOrder } from '../test/link-accounts.ts';
import { newTestClient, testTools } from '../test/new-test-client.ts';
import { openTlsBank } from '../test/open-tls-bank.ts';
import { accountConsent, errorBody, unsigned } from '../test/scripted-bank.ts';
import { useScriptedRail } from '../test/scripted-rail.ts';
import { verified } from '../test/verified.ts';

const scripted = useScriptedRail();
const visitor = { address: '203.0.113.9', userAgent: 'Mozilla\r\nx-evil: 1' };

const link = async (rail: BankDataRail, order = newAccountOrder()) => {
  const { bank } = scripted();
  const created = verified(await rail.createConsent(order), 'CREATED');
  const response = await bank.signJwt({ state: order.oauthState, code: 'code-1' });
  const { state, code } = verified(
    await rail.readReturn(created.state, { response }),
    'AUTHORISED',
  );
  return verified(await rail.exchange(state, code), 'OK').state;
};

const page = (cursor: string | null = null) => ({
  accountId: 'acc-1',
  from: new Date('2026-01-01T00:00:00Z'),
  to: new Date('2026-11-01T00:00:00Z'),
  cursor,
});

const line = (more: object = {}) => ({
  AccountId: 'acc-1',
  TransactionId: 't-1',
  CreditDebitIndicator: 'Credit',
  Status: 'BOOK',
  BookingDateTime: '2026-10-01T10:00:00Z',
  Amount: { Amount: '1.00', Currency: 'GBP' },
  ...more,
});

test.each(['3.1.11', '4.0.1'] as const)(
  'every message of a link is one that version %s allows',
  async (version) => {
    const { bank, rail } = scripted();
    const expiresAt = new Date('2027-01-01T00:00:00Z');
    const order = newAccountOrder({ expiresAt, transactionsFrom: new Date('2025-01-01') });
    const state = await link(rail.bankData, order);
    await rail.bankData.readAccounts(state, visitor);
    await rail.bankData.readTransactions(state, page(), null);
    const [consent] = bank.requests.filter((each) => each.operation.startsWith('POST account'));
    expect(findSchemaFaults('OBReadConsent1', JSON.parse(consent?.body ?? ''), version)).toEqual(
      [],
    );
    const calls = bank.requests.filter((each) => each.path.startsWith('/aisp'));
    for (const { headers } of calls)
      expect(findHeaderFaults(headers, 'account-information', version)).toEqual([]);
    const [attended, unattended] = calls.slice(-2);
    expect(attended?.headers).toMatchObject({
      'x-fapi-customer-ip-address': '203.0.113.9',
      'x-customer-user-agent': 'Mozillax-evil: 1',
    });
    expect(unattended?.headers).not.toHaveProperty('x-fapi-customer-ip-address');
    expect(unattended?.path).toContain('fromBookingDateTime=2026-01-01T00%3A00%3A00&');
  },
);

test.each([
  ['HTML', { text: '<html>Sorry</html>', signature: 'none' }],
  ['no data', { body: {}, signature: 'none' }],
  ['a list that is none', unsigned({ Transaction: 'none' })],
  ['a signature over something else', { ...unsigned({ Transaction: [] }), signature: 'wrong' }],
  ['a redirect', { status: 302, headers: { location: 'https://evil.example' }, signature: 'none' }],
  ['an HTML error', { status: 400, text: '<html>Bad</html>', signature: 'none' }],
  ['a server error', { status: 500, signature: 'none' }],
  ['no end', { hang: true }],
  ['a cut connection', { hangUp: true }],
] as const)('an answer with %s leaves the read open', async (_what, answer) => {
  const { bank, rail } = scripted();
  const state = await link(rail.bankData);
  bank.script('GET transactions', answer);
  expect(await rail.bankData.readTransactions(state, page(), null)).toMatchObject({
    kind: 'UNKNOWN',
  });
  const healed = await rail.bankData.readTransactions(state, page(), null);
  expect(healed).toMatchObject({ kind: 'OK', gap: null });
});

test.each([
  ['another login', 403, errorBody('U028'), 'AUTH', { reason: 'REAUTHENTICATION_NEEDED' }],
  [
    'version 3’s word for it',
    403,
    errorBody('UK.OBIE.Reauthenticate'),
    'AUTH',
    {
      reason: 'REAUTHENTICATION_NEEDED',
    },
  ],
  ['a revoked consent', 403, undefined, 'CANC', { reason: 'REVOKED' }],
  ['an expired consent', 400, errorBody('U009'), 'EXPD', { reason: 'EXPIRED' }],
  ['a refusal without an end', 403, errorBody('NARR'), 'AUTH', { kind: 'REFUSED', code: 'NARR' }],
  ['an unknown account', 400, errorBody('U011'), 'AUTH', { kind: 'REFUSED', code: 'U011' }],
  ['an ended token', 401, undefined, 'AUTH', { kind: 'TOKEN_ENDED' }],
] as const)('%s is told from other refusals', async (_what, status, body, consent, expected) => {
  const { bank, rail } = scripted();
  const state = await link(rail.bankData);
  bank.script('GET balances', { status, body, signature: 'none' });
  bank.script('GET account-access-consents', accountConsent(consent));
  expect(await rail.bankData.readBalance(state, 'acc-1', visitor)).toMatchObject(expected);
});

test.each([
  ['30', 30_000],
  [undefined, 60_000],
  ['soon', 60_000],
  ['-5', 1_000],
  ['999999999', 86_400_000],
])('a limit with Retry-After %s is waited for within bounds', async (retryAfter, waitMs) => {
  const { bank, rail } = scripted();
  const state = await link(rail.bankData);
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers['retry-after'] = retryAfter;
  bank.script('GET accounts', { status: 429, headers, signature: 'none' });
  const startedAt = Date.now();
  const limited = verified(await rail.bankData.readAccounts(state, null), 'RATE_LIMITED');
  expect(limited.retryAfter.getTime()).toBeGreaterThanOrEqual(startedAt + waitMs);
  expect(limited.retryAfter.getTime()).toBeLessThanOrEqual(Date.now() + waitMs);
});

test('a bank whose certificate has expired gets no token, and is read again once it is renewed', async () => {
  const { bank, rail } = scripted();
  const state = await link(rail.bankData);
  const behind = await openTlsBank();
  const client = { ...(await newTestClient()), caPem: behind.caPem };
  const banks = [{ ...bank.profile, accountsUrl: behind.url }];
  const timeouts = { connectMs: 2_000, headersMs: 1_500, bodyMs: 1_500, totalMs: 2_000 };
  const { bankData, close } = openBankingUk({ client, banks, timeouts }, testTools());
  const unknown = { kind: 'UNKNOWN' };
  expect(await bankData.readAccounts(state, visitor)).toMatchObject(unknown);
  expect(await bankData.readTransactions(state, page(), null)).toMatchObject(unknown);
  expect(await bankData.createConsent(newAccountOrder())).toMatchObject(unknown);
  expect(behind.received()).toBe(0);
  // The same bank by its other address is read meanwhile.
  expect(await rail.bankData.readAccounts(state, visitor)).toMatchObject({ kind: 'OK' });
  behind.renew();
  const healed = await bankData.readAccounts(state, visitor);
  expect(healed).toEqual({ kind: 'OK', accounts: [] });
  countCertificateDays(new Date('2049-12-22T00:00:00Z'));
  expect(metrics.text()).toContain(
    'florin_certificate_days_left{certificate="bank",of="localhost"} 10\n',
  );
  await close();
  await behind.close();
});

test('entries without a meaning are left out and reported, and none is lost or doubled', async () => {
  const { bank, rail } = scripted();
  const state = await link(rail.bankData);
  const Transaction = [
    line(),
    line({ TransactionId: 't-2', Amount: { Amount: 2.5, Currency: 'GBP' }, Extra: { a: 1 } }),
    line({ TransactionId: 't-3', Amount: { Amount: '1,00', Currency: 'GBP' } }),
    line({ AccountId: 'acc-2' }),
    line({ BookingDateTime: 'yesterday' }),
    line({ Status: 'RJCT' }),
    null,
    'text',
  ];
  bank.script('GET transactions', unsigned({ Transaction }));
  const read = verified(await rail.bankData.readTransactions(state, page(), null), 'OK');
  expect(read.transactions.map((each) => [each.bankTransactionId, each.amount])).toEqual([
    ['t-1', '1.00'],
    ['t-2', '2.50'],
  ]);
  expect(read.gap).toBe('UNREADABLE_ENTRIES');
});

test.each([
  ['another host', 'https://evil.example/steal', null],
  ['the cloud’s own address', 'http://169.254.169.254/latest', null],
  ['a path outside', '/pisp/domestic-payments', null],
  ['a way up', '/aisp/../pisp/x', null],
  ['no address', 'http://', null],
  ['a number', 7, null],
  ['another host for this list', 'https://gw.example/aisp/accounts/acc-1/transactions?page=2', '2'],
  ['a name and password', 'http://user:secret@HOST/aisp/accounts/acc-1/transactions?page=2', '2'],
  ['a doubled slash', 'http://HOST/aisp//accounts/acc-1/transactions?page=2', '2'],
  ['a relative address', '/aisp/accounts/acc-1/transactions?page=2', '2'],
])('a next page at %s', async (_what, next, followed) => {
  const { bank, rail } = scripted();
  const state = await link(rail.bankData);
  const host = new URL(bank.profile.issuer).host;
  const Next = typeof next === 'string' ? next.replace('HOST', host) : next;
  bank.script('GET transactions', unsigned({ Transaction: [line()] }, { Links: { Next } }));
  const first = verified(await rail.bankData.readTransactions(state, page(), null), 'OK');
  expect(first.transactions).toHaveLength(1);
  if (followed === null)
    return expect(first).toMatchObject({ nextCursor: null, gap: 'NEXT_PAGE_UNUSABLE' });
  const second = await rail.bankData.readTransactions(state, page(first.nextCursor), null);
  expect(second).toMatchObject({ kind: 'OK', gap: null });
  expect(bank.requests.at(-1)?.headers.authorization).toMatch(/^Bearer /);
  expect(bank.requests.at(-1)?.path).toMatch(
    /^\/aisp\/{1,2}accounts\/acc-1\/transactions\?page=2$/,
  );
});

test('a list that leads in a circle ends', async () => {
  const { bank, rail } = scripted();
  const state = await link(rail.bankData);
  const to = (Next: string) => unsigned({ Transaction: [line()] }, { Links: { Next } });
  const path = '/aisp/accounts/acc-1/transactions';
  bank.script('GET transactions', to(`${path}?p=2`), to(`${path}?p=3`), to(`${path}?p=2`));
  let cursor: string | null = null;
  const gaps: unknown[] = [];
  do {
    const outcome: TransactionsOutcome = await rail.bankData.readTransactions(
      state,
      page(cursor),
      null,
    );
    const read = verified(outcome, 'OK');
    gaps.push(read.gap);
    cursor = read.nextCursor;
  } while (cursor !== null);
  expect(gaps).toEqual([null, null, 'NEXT_PAGE_UNUSABLE']);
});

test.each(['..', '.', 'a b', '', 'x'.repeat(41)])(
  'an account id %j reaches no bank',
  async (accountId) => {
    const { bank, rail } = scripted();
    const state = await link(rail.bankData);
    const before = bank.requests.length;
    expect(await rail.bankData.readBalance(state, accountId, null)).toMatchObject({
      kind: 'REFUSED',
    });
    const read = await rail.bankData.readTransactions(state, { ...page(), accountId }, null);
    expect(read).toMatchObject({ kind: 'REFUSED' });
    expect(bank.requests).toHaveLength(before);
  },
);

test('a cursor that this rail did not write is refused', async () => {
  const { rail } = scripted();
  const state = await link(rail.bankData);
  for (const cursor of ['x', '{}', JSON.stringify({ url: 'https://evil.example/', seen: [] })])
    expect(await rail.bankData.readTransactions(state, page(cursor), null)).toMatchObject({
      kind: 'REFUSED',
      code: 'CURSOR_INVALID',
    });
});

test.each([
  ['a refused grant', { status: 400, body: { error: 'invalid_grant' } }, 'CONSENT_ENDED'],
  ['a refused client', { status: 401, body: { error: 'invalid_client' } }, 'REFUSED'],
  ['a limit', { status: 429, headers: { 'retry-after': '9' } }, 'RATE_LIMITED'],
  ['a server error', { status: 503 }, 'UNKNOWN'],
  ['HTML', { text: '<html>' }, 'UNKNOWN'],
] as const)('a refresh that meets %s', async (_what, answer, kind) => {
  const { bank, rail } = scripted();
  const state = await link(rail.bankData);
  // The token of the client, which reads the consent, is known already.
  bank.script('POST token', answer);
  expect(await rail.bankData.refreshTokens(state)).toMatchObject({ kind });
});

test('the state of a payment is not one of a link, and nothing but ours is read', async () => {
  const { rail } = scripted();
  for (const state of ['{}', 'x', JSON.stringify({ v: 1, bankId: 'scripted' })])
    expect(await rail.bankData.readAccounts(state, null)).toMatchObject({ kind: 'UNKNOWN' });
});
