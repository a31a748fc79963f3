import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { listBankLinks } from './authorisations/get-authorisation.ts';
import { type Feed, openFeed } from './test/open-feed.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
});
afterAll(() => feed.close());

const named = ({ status, body }: { status: number; body: { name: string } }) => [status, body.name];
const staticBank = 'mock-sandbox-v1';

describe('transactions', () => {
  const query = (changes: Record<string, string | undefined> = {}): string => {
    const all = { from: '2026-01-01', before: '2026-04-01', page: '0', itemsPerPage: '10' };
    const given = Object.entries({ ...all, ...changes }).filter(([, value]) => value !== undefined);
    return given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&');
  };
  const read = (accountId: string, changes: Record<string, string | undefined> = {}) =>
    feed.request('GET', `/api/bank/accounts/${accountId}/transactions?${query(changes)}`);

  test('are paged, the newest first, without a gap or a repeat', async () => {
    const { accountId } = await feed.linked(staticBank);
    const all = (await feed.transactions(accountId)).body.data;
    const paged = [];
    for (let page = 0; page < 7; page += 1) {
      const { body } = await read(accountId, { page: String(page) });
      expect([body.page, body.itemsPerPage, body.totalCount]).toEqual([page, 10, 62]);
      paged.push(...body.data);
    }
    expect(paged).toEqual(all);
    expect((await read(accountId, { page: '7' })).body).toEqual({
      data: [],
      totalCount: 62,
      page: 7,
      itemsPerPage: 10,
    });
  });

  test.each<[string, Record<string, string>, number]>([
    ['a day', { from: '2026-01-25', before: '2026-01-26' }, 1],
    [
      'an instant, before which is excluded',
      { from: '2026-01-25', before: '2026-01-25T10:00:00Z' },
      0,
    ],
    [
      'an instant, from which is included',
      { from: '2026-01-25T10:00:00Z', before: '2026-01-26' },
      1,
    ],
    ['an offset', { from: '2026-01-25T12:00:00+02:00', before: '2026-01-25T12:00:01+02:00' }, 1],
    [
      'a time without zone as UTC',
      { from: '2026-01-25T10:00:00', before: '2026-01-25T10:00:01' },
      1,
    ],
    ['parts of two days', { from: '2026-01-01T10:00:01Z', before: '2026-01-05T10:00:00Z' }, 2],
    ['a month', { from: '2026-02-01', before: '2026-03-01' }, 20],
    ['a time without anything', { from: '2025-01-01', before: '2025-02-01' }, 0],
  ])('of %s', async (_, range, expected) => {
    const { accountId } = await feed.linked(staticBank);
    const { body } = await read(accountId, range);
    expect([body.totalCount, body.data.length]).toEqual([expected, Math.min(expected, 10)]);
  });

  test('have no payer and payee on the path with a double slash', async () => {
    const { accountId } = await feed.linked(staticBank);
    const path = `/api/bank//accounts/${accountId}/transactions?${query()}`;
    const plain = await feed.request('GET', path);
    const whole = await read(accountId);
    const withoutParties = whole.body.data.map(
      ({ payer, payee, ...rest }: { payer: object; payee: object }) => rest,
    );
    expect(plain.body).toEqual({ ...whole.body, data: withoutParties });
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['from', { from: undefined }],
    ['before', { before: undefined }],
    ['page', { page: undefined }],
    ['itemsPerPage', { itemsPerPage: undefined }],
    ['from', { from: 'yesterday' }],
    ['from', { from: '2026-02-30' }],
    ['from', { from: '2026-01-01T25:00:00Z' }],
    ['before', { before: '2026-01-01' }],
    ['before', { before: '1026-01-01' }],
    ['page', { page: '-1' }],
    ['page', { page: '1.5' }],
    ['itemsPerPage', { itemsPerPage: '0' }],
    ['itemsPerPage', { itemsPerPage: '101' }],
  ])('need a %s other than %j', async (field, changes) => {
    const { accountId } = await feed.linked(staticBank);
    for (const slash of ['/', '//']) {
      const path = `/api/bank${slash}accounts/${accountId}/transactions?${query(changes)}`;
      const reply = await feed.request('GET', path);
      expect(named(reply)).toEqual([400, 'BAD_REQUEST']);
      expect(reply.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
    }
  });
});

describe('ids', () => {
  const range = 'from=2026-01-01&before=2026-04-01&page=0&itemsPerPage=10';
  const ofAccount = ['', '/balance', `/transactions?${range}`];
  const authorisationPaths = (id: string) => [
    ['GET', `/api/bank/auth/${id}`],
    ['GET', `/api/bank/${id}/accounts`],
  ];
  const accountPaths = (id: string) => [
    ...ofAccount.map((path) => ['GET', `/api/bank/accounts/${id}${path}`]),
    ['GET', `/api/bank//accounts/${id}/transactions?${range}`],
  ];

  test('of another merchant or of nothing are not found', async () => {
    const { id, accountId } = await feed.linked(staticBank);
    const stranger = (await feed.newMerchant()).secrets.SANDBOX.secret;
    const nothing = '00000000-0000-4000-8000-000000000000';
    for (const [secret, one, account] of [
      [stranger, id, accountId],
      [feed.sandboxSecret, nothing, nothing],
    ] as const) {
      for (const [method = '', path = ''] of [...authorisationPaths(one), ...accountPaths(account)])
        expect([path, ...named(await feed.request(method, path, { secret }))]).toEqual([
          path,
          404,
          'NOT_FOUND',
        ]);
      const revoke = { body: { accountAuthId: one }, secret };
      const revoked = await feed.request('POST', '/api/bank/auth/revoke', revoke);
      expect(named(revoked)).toEqual([404, 'NOT_FOUND']);
      const linked = await feed.request('POST', `/api/sandbox/bank/auth/${one}/link`, { secret });
      expect(named(linked)).toEqual([404, 'NOT_FOUND']);
    }
    expect(await feed.status(id)).toBe('LINKED');
  });

  test('of the other environment are a mismatch', async () => {
    const { id, accountId } = await feed.linked(staticBank);
    const secret = feed.productionSecret;
    for (const [method = '', path = ''] of [...authorisationPaths(id), ...accountPaths(accountId)])
      expect([path, ...named(await feed.request(method, path, { secret }))]).toEqual([
        path,
        400,
        'ENVIRONMENT_MISMATCH',
      ]);
    const body = { accountAuthId: id };
    const revoked = await feed.request('POST', '/api/bank/auth/revoke', { body, secret });
    expect(named(revoked)).toEqual([400, 'ENVIRONMENT_MISMATCH']);
  });
});

test('a list of links tells each by its accounts, as long as they can be read', async () => {
  const { id } = await feed.linked(staticBank);
  const listed = async () => {
    const { data } = await listBankLinks(feed.tools, feed.sandbox, { limit: 100 });
    return data.find((link) => link.accountAuthId === id);
  };
  expect(await listed()).toMatchObject({
    bankName: 'Mock',
    accounts: [
      { lastFour: '4958', balance: expect.any(Number), refreshedAt: expect.any(String) },
      { lastFour: '7491', balance: expect.any(Number), refreshedAt: expect.any(String) },
    ],
  });
  await feed.request('POST', '/api/bank/auth/revoke', { body: { accountAuthId: id } });
  expect(await listed()).toMatchObject({ status: 'REVOKED', accounts: [] });
});

type Party = { readonly accountDetails: { readonly accountNumber: string | null } } | null;

test('account numbers are whole to who may see whole ones, and four digits to other members', async () => {
  const { accountId } = await feed.linked(staticBank);
  const { merchantId } = feed.merchant;
  const range = 'from=2020-01-01&before=2040-01-01&page=0&itemsPerPage=100';
  for (const [role, account] of [
    ['owner', /^\d{8}$/],
    ['readOnly', /^\*{4}\d{4}$/],
  ] as const) {
    const { headers } = await signIn(feed.tools, { merchantId, role });
    const readAs = async (path: string) => {
      const whole = `/dashboard/api/merchants/${merchantId}/sandbox/api/bank/accounts/${path}`;
      return (await feed.request('GET', whole, { secret: null, headers })).body;
    };
    expect((await readAs(accountId)).accountNumber).toMatch(account);
    const { data } = await readAs(`${accountId}/transactions?${range}`);
    const numbers = (data as { payer: Party; payee: Party }[])
      .flatMap(({ payer, payee }) => [payer, payee])
      .flatMap((party) => party?.accountDetails.accountNumber ?? []);
    expect(numbers.length).toBeGreaterThan(0);
    for (const number of numbers) expect(number).toMatch(account);
  }
});
