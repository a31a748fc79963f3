import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Feed, openFeed, returnUrl } from './test/open-feed.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
});
afterAll(() => feed.close());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const named = ({ status, body }: { status: number; body: { name: string } }) => [status, body.name];
const staticBank = 'mock-sandbox-v1';

describe('initiate', () => {
  test('answers the page of the customer, which lives 15 minutes', async () => {
    const reply = await feed.initiate({ callbackParams: { user: 7 } });
    expect(reply.status).toBe(200);
    const { url, accountAuthId, expiresAt, ...rest } = reply.body;
    expect(rest).toEqual({});
    expect(accountAuthId).toMatch(uuid);
    const leftMs = new Date(expiresAt).getTime() - Date.now();
    expect(leftMs).toBeGreaterThan(14.5 * 60_000);
    expect(leftMs).toBeLessThanOrEqual(15 * 60_000 + 1_000);
    const query = new URLSearchParams({ accountAuthId, expiresAt, env: 'SANDBOX' });
    expect(url).toBe(`https://pay.example/link-bank?${query}`);
    expect(await feed.status(accountAuthId)).toBe('OPEN');
  });

  test.each<[string, unknown, Record<string, string>]>([
    ['an object', { user: 7, app: 'yes', isNew: true }, { user: '7', app: 'yes', isNew: 'true' }],
    ['its JSON as text', '{"user":7,"app":"yes"}', { user: '7', app: 'yes' }],
    ['a query', '?user=7&app=a%20b', { user: '7', app: 'a b' }],
    ['a query with controls', 'user%1b=7&app=%07a%E2%80%AE', { user: '7', app: 'a' }],
    [
      'JSON text with controls',
      '{"us\\u001ber":7,"app":"\\u0007a\\u202e"}',
      { user: '7', app: 'a' },
    ],
    ['empty text', '', {}],
  ])('takes callbackParams as %s and appends them', async (_, callbackParams, expected) => {
    const id = await feed.initiated({ callbackParams });
    const { body } = await feed.link(id);
    const { searchParams } = new URL(body.redirectUrl);
    for (const [name, value] of Object.entries(expected))
      expect(searchParams.get(name)).toBe(value);
  });

  test.each<[string, object]>([
    ['redirectUrl', { redirectUrl: undefined }],
    ['redirectUrl', { redirectUrl: '' }],
    ['redirectUrl', { redirectUrl: 'javascript:alert(1)' }],
    ['redirectUrl', { redirectUrl: 7 }],
    ['callbackParams', { callbackParams: 7 }],
    ['callbackParams', { callbackParams: '{"user":' }],
    ['callbackParams', { callbackParams: '{"user":{"id":7}}' }],
    [
      'callbackParams',
      { callbackParams: Array.from({ length: 51 }, (_, at) => `p${at}=1`).join('&') },
    ],
    ['callbackParams.user', { callbackParams: { user: 'x'.repeat(1_001) } }],
    ['callbackParams.user', { callbackParams: 'user=%00' }],
    ['callbackParams.user', { callbackParams: '{"user":"a\\u0000"}' }],
    ['callbackParams.user', { callbackParams: '{"user":"a\\ud83d"}' }],
    ['callbackParams', { callbackParams: 'us%00er=7' }],
    ['callbackParams', { callbackParams: '{"us\\udc00er":7}' }],
  ])('rejects the %s of %j', async (field, body) => {
    const reply = await feed.initiate(body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(400);
    const fields = reply.body.errors.map((error: { field: string }) => error.field);
    expect(fields[0]).toBe(field);
  });

  test('is refused where no bank is configured', async () => {
    const reply = await feed.initiate({}, { secret: feed.productionSecret });
    expect(named(reply)).toEqual([503, 'RAIL_NOT_CONFIGURED']);
    expect(reply.body.message).toContain('PRODUCTION_BANK_RAIL');
  });

  test('happens once under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'link-1' };
    const [one, other] = [
      await feed.initiate({}, { headers }),
      await feed.initiate({}, { headers }),
    ];
    expect(other.body).toEqual(one.body);
    expect(other.headers['idempotent-replayed']).toBe('true');
    const reused = await feed.initiate({ callbackParams: { a: 1 } }, { headers });
    expect(named(reused)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

describe('the way back', () => {
  test('carries status, accounts and a signature over them', async () => {
    const { id, url } = await feed.linked(staticBank);
    expect(`${url.origin}${url.pathname}`).toBe(returnUrl);
    const get = (name: string) => url.searchParams.get(name) ?? '';
    expect([get('status'), get('accountAuthId')]).toEqual(['SUCCESS', id]);
    const accounts = await feed.request('GET', `/api/bank/${id}/accounts`);
    const ids = accounts.body.map((account: { accountId: string }) => account.accountId);
    expect(get('bankAccountIds')).toBe(ids.join(','));
    const text = ['florin-bank-link', 'SUCCESS', id, ids.join(','), get('florinTime')].join('|');
    const expected = createHmac('sha256', feed.sandboxSecret).update(text).digest('hex');
    expect(get('florinSignature')).toBe(expected);
  });

  test.each([
    ['CANCELLED', staticBank],
    ['FAILED', staticBank],
    ['CANCELLED', 'scripted-bank'],
    ['FAILED', 'scripted-bank'],
  ])('says %s at %s and names no account', async (outcome, institutionId) => {
    const id = await feed.initiated({ callbackParams: { status: 'SUCCESS', accountAuthId: 'x' } });
    const { body } = await feed.link(id, { outcome, institutionId });
    const { searchParams } = new URL(body.redirectUrl);
    expect(searchParams.getAll('status')).toEqual([outcome]);
    expect(searchParams.getAll('accountAuthId')).toEqual([id]);
    expect(searchParams.has('bankAccountIds')).toBe(false);
    expect(await feed.status(id)).toBe(outcome);
    const reply = await feed.request('GET', `/api/bank/${id}/accounts`);
    expect(named(reply)).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    expect(named(await feed.link(id))).toEqual([409, 'INVALID_STATE']);
  });
});

describe('the bank of static data', () => {
  test('shows the same accounts, balances and transactions on every run', async () => {
    const { id, accountIds } = await feed.linked(staticBank);
    const accounts = await feed.request('GET', `/api/bank/${id}/accounts`);
    expect(accounts.body).toEqual([
      {
        accountId: expect.stringMatching(uuid),
        bankName: 'Mock',
        accountNumber: '66374958',
        sortCode: '089999',
      },
      {
        accountId: expect.stringMatching(uuid),
        bankName: 'Mock',
        accountNumber: '88837491',
        sortCode: '107999',
      },
    ]);
    const one = await feed.request('GET', `/api/bank/accounts/${accountIds[0]}`);
    expect(one.body).toEqual(accounts.body[0]);
    const [current, savings] = accountIds.map((accountId) => feed.transactions(accountId));
    const [first, second] = [(await current)?.body, (await savings)?.body];
    expect([first.totalCount, second.totalCount]).toEqual([62, 6]);
    expect(first.data[0]).toEqual({
      id: 'mock-current-pending-1',
      date: '2026-03-31T18:30:00.000Z',
      type: 'DEBIT',
      amount: -14.5,
      currency: 'GBP',
      description: 'CORNER COFFEE',
      reference: null,
      merchantName: null,
      transactionCategory: 'Card',
      status: 'PENDING',
      payer: null,
      payee: null,
      balance: null,
    });
    expect(second.data.at(-1)).toMatchObject({
      type: 'CREDIT',
      amount: 100,
      status: 'BOOKED',
      payer: {
        name: 'Mock Customer',
        accountDetails: { sortCode: '107999', accountNumber: '88837491' },
      },
      payee: null,
      balance: { amount: 5_100, currency: 'GBP' },
    });
    const balance = await feed.request('GET', `/api/bank/accounts/${accountIds[0]}/balance`);
    expect(balance.body).toEqual({ balance: 3_641.33, currency: 'GBP' });
    const pendingSum = first.data
      .filter(({ status }: { status: string }) => status === 'PENDING')
      .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
    expect(first.data[2].balance.amount + pendingSum).toBeCloseTo(balance.body.balance, 2);
  });

  test('shows an account under the same id whenever it is linked', async () => {
    const [one, other] = [await feed.linked(staticBank), await feed.linked(staticBank)];
    expect(other.accountIds).toEqual(one.accountIds);
    expect(other.id).not.toBe(one.id);
    const secret = (await feed.newMerchant()).secrets.SANDBOX.secret;
    const body = { redirectUrl: returnUrl };
    const id = (await feed.request('POST', '/api/bank/auth/initiate', { body, secret })).body
      .accountAuthId;
    const path = `/api/sandbox/bank/auth/${id}/link`;
    const { redirectUrl } = (await feed.request('POST', path, { body: {}, secret })).body;
    const ids = new URL(redirectUrl).searchParams.get('bankAccountIds');
    expect(ids).toMatch(/^[0-9a-f-]{36},[0-9a-f-]{36}$/);
    expect(ids).not.toBe(one.accountIds.join(','));
  });
});

describe('the driver', () => {
  test('names the banks it knows', async () => {
    const id = await feed.initiated();
    const reply = await feed.link(id, { institutionId: 'no-bank' });
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].field).toBe('institutionId');
    expect(reply.body.message).toContain('mock-sandbox-v1, scripted-bank');
    expect(reply.body.message).not.toContain('down');
    expect((await feed.link(id, { outcome: 'x' })).body.errors[0].field).toBe('outcome');
    expect(await feed.status(id)).toBe('OPEN');
  });

  test('says that a bank cannot be reached, and the link can be tried again', async () => {
    const id = await feed.initiated();
    feed.bank.answers.consent = 'UNKNOWN';
    const reply = await feed.link(id, { institutionId: 'scripted-bank' });
    feed.bank.answers.consent = 'CREATED';
    expect(named(reply)).toEqual([503, 'UNAVAILABLE']);
    expect(await feed.status(id)).toBe('OPEN');
    expect((await feed.link(id, { institutionId: 'scripted-bank' })).status).toBe(200);
  });

  test('links an authorisation of its own environment only', async () => {
    const id = await feed.initiated();
    const path = `/api/sandbox/bank/auth/${id}/link`;
    const reply = await feed.request('POST', path, { secret: feed.productionSecret });
    expect(named(reply)).toEqual([400, 'SANDBOX_ONLY']);
  });
});

describe('the sandbox driver', () => {
  test('links nothing of production, and at no bank without a simulator', async () => {
    const bare = await openFeed({}, { hasProduction: true, hasSimulator: false });
    try {
      const made = await bare.initiate({}, { secret: bare.productionSecret });
      expect(made.status).toBe(200);
      expect(named(await bare.link(made.body.accountAuthId))).toEqual([
        400,
        'ENVIRONMENT_MISMATCH',
      ]);
      const refused = await bare.link(await bare.initiated(), { institutionId: 'other-bank' });
      expect(named(refused)).toEqual([503, 'RAIL_NOT_CONFIGURED']);
      expect(refused.body.message).toContain('SIMULATOR_TRUST_FOLDER');
    } finally {
      await bare.close();
    }
  });
});
