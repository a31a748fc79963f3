import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/open-database.ts';
import { bankFeedJobs } from './jobs.ts';
import { refreshNow } from './reading/refresh-authorisation.ts';
import { type Feed, openFeed } from './test/open-feed.ts';
import { transactionOf } from './test/transaction-of.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
});
beforeEach(() => feed.reset());
afterAll(() => feed.close());

const scripted = 'scripted-bank';
const dayMs = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * dayMs);

type Shown = { readonly id: string; readonly status: string; readonly amount: number };
const shown = async (accountId: string): Promise<readonly Shown[]> => {
  await feed.rows('update bank_account set refreshed_at = statement_timestamp()');
  return (await feed.transactions(accountId)).body.data;
};

/** Runs something once, at a statement of this name: what happens at that moment elsewhere. */
const meanwhile = (when: 'before' | 'after', name: string, run: () => Promise<unknown>) => {
  let isOver = false;
  const tenant: Database['tenant'] = async (merchantId, statement, values) => {
    const isNow = statement.name === name && !isOver;
    if (isNow) isOver = true;
    if (isNow && when === 'before') await run();
    const rows = await feed.database.tenant(merchantId, statement, values);
    if (isNow && when === 'after') await run();
    return rows;
  };
  return { ...feed.tools, database: { ...feed.database, tenant } };
};

describe('a booking', () => {
  test('with a date far in the future stops no later reading of its account', async () => {
    const far = new Date('2099-12-31T12:00:00Z');
    const today = transactionOf({ bookedAt: daysAgo(2), bankTransactionId: 'today' });
    feed.bank.answers.pages = [[transactionOf({ bookedAt: far, bankTransactionId: 'far' }), today]];
    await feed.linked(scripted);
    feed.bank.ranges.length = 0;
    await feed.refreshAgain();
    const [range] = feed.bank.ranges;
    const days = (Date.now() - (range?.from.getTime() ?? 0)) / dayMs;
    expect(days).toBeGreaterThan(9.9);
    expect(days).toBeLessThan(13);
  });

  test('that an earlier version took for the newest hides nothing that came since', async () => {
    await feed.linked(scripted);
    await feed.rows("update bank_account set changes_from = '2099-12-31'");
    feed.bank.ranges.length = 0;
    await feed.refreshAgain();
    expect(Math.round((Date.now() - (feed.bank.ranges[0]?.from.getTime() ?? 0)) / dayMs)).toBe(730);
  });

  test('is not PENDING and BOOKED where one other entry is unreadable', async () => {
    const nine = { amount: '9.00', bookedAt: daysAgo(1) };
    feed.bank.answers.pages = [
      [transactionOf({ ...nine, status: 'PENDING', bankTransactionId: 'authorised' })],
    ];
    const { accountId } = await feed.linked(scripted);
    feed.bank.answers.pages = [[transactionOf({ ...nine, bankTransactionId: 'booked' })]];
    feed.bank.answers.gap = 'UNREADABLE_ENTRIES';
    await feed.refreshAgain();
    expect(await shown(accountId)).toMatchObject([{ id: 'booked', status: 'BOOKED', amount: -9 }]);
  });
});

test('a link that is renewed while the old one is removed has its whole history', async () => {
  feed.bank.answers.pages = [
    Array.from({ length: 30 }, (_, at) =>
      transactionOf({ bookedAt: daysAgo(at * 10), bankTransactionId: `tx-${at}` }),
    ),
  ];
  const { id, accountId } = await feed.linked(scripted);
  expect(await shown(accountId)).toHaveLength(30);
  await feed.request('POST', '/api/bank/auth/revoke', { body: { accountAuthId: id } });
  feed.bank.answers.honoursRange = true;
  const tools = meanwhile('after', 'bank_removal_transactions', () => feed.linked(scripted));
  await bankFeedJobs(tools).removeEndedAuthorisations();
  await feed.refreshAgain();
  expect(await shown(accountId)).toHaveLength(30);
});

test('an account that its bank refuses to show says so at once, and is asked for no sooner', async () => {
  feed.bank.answers.failures.push({ kind: 'REFUSED', code: 'GONE', description: 'No.' });
  const { accountId } = await feed.linked(scripted);
  const due = () =>
    feed.rows<{ due: string }>('select refresh_due_at::text as due from bank_authorisation');
  const before = await due();
  for (const path of ['/balance']) {
    const { status, body } = await feed.request('GET', `/api/bank/accounts/${accountId}${path}`);
    expect([path, status, body.name]).toEqual([path, 409, 'BANK_AUTHORISATION_REQUIRED']);
    expect(body.message).toContain('refuses');
  }
  expect((await feed.transactions(accountId)).status).toBe(409);
  expect(await due()).toEqual(before);
  // Once it is shown again, it is read.
  await feed.refreshAgain();
  expect((await feed.transactions(accountId)).status).toBe(200);
});

test('of two readings under two consents the older changes nothing that the newer wrote', async () => {
  const pending = { bookedAt: daysAgo(1), status: 'PENDING' } as const;
  const gone = transactionOf({ ...pending, bankTransactionId: 'gone' });
  const changed = transactionOf({ ...pending, bankTransactionId: 'changed', amount: '5.00' });
  const { accountId } = await feed.linked(scripted);
  const newer = await feed.linked(scripted);
  expect(newer.accountId).toBe(accountId);
  await feed.rows('update bank_authorisation set refresh_due_at = statement_timestamp()');
  feed.bank.answers.pages = [[gone, changed]];
  const older = await feed.rows<{ id: string }>(
    'select authorisation_id as id from bank_authorisation order by linked_at limit 1',
  );
  const tools = meanwhile('before', 'bank_transaction_store', async () => {
    feed.bank.answers.pages = [[{ ...changed, amount: '5.50' }]];
    await refreshNow(feed.tools, feed.sandbox, newer.id);
  });
  await refreshNow(tools, feed.sandbox, older[0]?.id ?? '');
  expect(await shown(accountId)).toMatchObject([{ id: 'changed', amount: -5.5 }]);
});
