import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Feed, openFeed } from './test/open-feed.ts';
import { transactionOf } from './test/transaction-of.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
});
beforeEach(() => feed.reset());
afterAll(() => feed.close());

const scripted = 'scripted-bank';
const at = (day: number, minute = 0): Date => new Date(Date.UTC(2026, 3, day, 12, minute));

type Shown = { readonly id: string; readonly status: string; readonly amount: number };
/** What is stored: reading through the API would wait for a worker. */
const shown = async (accountId: string): Promise<readonly Shown[]> => {
  await feed.rows('update bank_account set refreshed_at = statement_timestamp()');
  return (await feed.transactions(accountId)).body.data;
};

describe('transactions of a bank', () => {
  test('without ids are named by what they say, and by their position among equal ones', async () => {
    const twin = transactionOf({ bookedAt: at(1), amount: '3.00' });
    const other = transactionOf({ bookedAt: at(1), amount: '4.00' });
    feed.bank.answers.pages = [[twin, other, twin]];
    const { accountId } = await feed.linked(scripted);
    const first = await shown(accountId);
    expect(first.map(({ amount }) => amount).sort()).toEqual([-3, -3, -4]);
    expect(new Set(first.map(({ id }) => id)).size).toBe(3);
    await feed.refreshAgain();
    expect(await shown(accountId)).toEqual(first);
  });

  test('that stand on two pages are stored once, equal ones on one page twice', async () => {
    const [a, b, c] = [1, 2, 3].map((day) => transactionOf({ bookedAt: at(day) }));
    if (!a || !b || !c) throw new Error('three');
    feed.bank.answers.pages = [
      [c, b, b],
      [b, b, a, a],
      [a, { ...a, balance: { amount: '7.00', currency: 'GBP' } }],
    ];
    const { accountId } = await feed.linked(scripted);
    const days = (await feed.transactions(accountId)).body.data.map(({ date }: { date: string }) =>
      Number(date.slice(8, 10)),
    );
    expect(days).toEqual([3, 2, 2, 1, 1, 1]);
  });

  test('with an id are stored once, however often and on however many pages they are listed', async () => {
    const one = transactionOf({ bookedAt: at(1), bankTransactionId: 'tx-1' });
    const two = transactionOf({ bookedAt: at(2), bankTransactionId: 'tx-2' });
    feed.bank.answers.pages = [[one, two, one], [two], [one]];
    const { accountId } = await feed.linked(scripted);
    expect((await shown(accountId)).map(({ id }) => id)).toEqual(['tx-2', 'tx-1']);
  });

  test('turn from PENDING to BOOKED, or leave the list; BOOKED ones stay as they are', async () => {
    const pending = { bookedAt: at(2), status: 'PENDING' } as const;
    const booked = transactionOf({ bookedAt: at(1), bankTransactionId: 'old', amount: '9.00' });
    const turning = transactionOf({ ...pending, bankTransactionId: 'turning', amount: '5.00' });
    const leaving = transactionOf({ ...pending, bankTransactionId: 'leaving' });
    const mutable = transactionOf({
      ...{ bookedAt: at(1), bankTransactionId: 'mutable', isMutable: true, amount: '1.00' },
    });
    feed.bank.answers.pages = [[turning, leaving, booked, mutable]];
    const { accountId } = await feed.linked(scripted);
    const states = async () =>
      Object.fromEntries((await shown(accountId)).map((row) => [row.id, [row.status, row.amount]]));
    expect(await states()).toEqual({
      turning: ['PENDING', -5],
      leaving: ['PENDING', -1],
      old: ['BOOKED', -9],
      mutable: ['BOOKED', -1],
    });
    feed.bank.answers.pages = [
      [
        { ...turning, status: 'BOOKED', amount: '5.50', bookedAt: at(3) },
        { ...booked, amount: '8.00' },
        { ...mutable, amount: '2.00' },
      ],
    ];
    await feed.refreshAgain();
    expect(await states()).toEqual({
      turning: ['BOOKED', -5.5],
      old: ['BOOKED', -9],
      mutable: ['BOOKED', -2],
    });
    // The counts of the days followed: the total and the place of a page come from them.
    const { body } = await feed.transactions(accountId);
    expect(body.totalCount).toBe(3);
    const [counted] = await feed.rows<{ days: string }>(
      `select string_agg(extract(day from day) || ':' || transactions, ' ' order by day) as days
       from bank_transaction_day where transactions <> 0`,
    );
    expect(counted?.days).toBe('1:2 3:1');
  });

  test('that a bank does not list because its answer is not whole, are kept', async () => {
    const pending = { bookedAt: at(2), status: 'PENDING', bankTransactionId: 'p' } as const;
    feed.bank.answers.pages = [[transactionOf(pending)]];
    const { accountId } = await feed.linked(scripted);
    feed.bank.answers.pages = [[]];
    feed.bank.answers.gap = 'UNREADABLE_ENTRIES';
    await feed.refreshAgain();
    expect(await shown(accountId)).toHaveLength(1);
    feed.bank.answers.gap = null;
    await feed.refreshAgain();
    expect(await shown(accountId)).toHaveLength(0);
  });

  test('are read again from some days before what may have changed', async () => {
    feed.bank.answers.pages = [
      [transactionOf({ bookedAt: at(20) }), transactionOf({ bookedAt: at(15), status: 'PENDING' })],
    ];
    await feed.linked(scripted);
    const history = feed.bank.ranges.find(({ accountId }) => accountId === 'one');
    const backMs = Date.now() - (history?.from.getTime() ?? 0);
    expect(Math.round(backMs / 86_400_000)).toBe(730);
    feed.bank.ranges.length = 0;
    await feed.refreshAgain();
    const again = feed.bank.ranges.find(({ accountId }) => accountId === 'one');
    expect(again?.from).toEqual(at(5));
  });

  test('hold what the bank says, without what no database takes', async () => {
    const text = `a\u0000b\ud800${'x'.repeat(600)}`;
    feed.bank.answers.pages = [
      [transactionOf({ bookedAt: at(1), description: text, amount: '1.23456' })],
    ];
    const { accountId } = await feed.linked(scripted);
    const [row] = (await feed.transactions(accountId)).body.data;
    expect(row.amount).toBe(-1.23456);
    expect(row.description.length).toBeLessThanOrEqual(500);
    expect(row.description.startsWith('ab')).toBe(true);
  });
});
