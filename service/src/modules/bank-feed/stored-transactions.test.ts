import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replaceNames } from '../../platform/database/sql.ts';
import { madeStatements } from '../../platform/database/statement.ts';
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
    feed.bank.answers.gap = 'NEXT_PAGE_UNUSABLE';
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

  test('older than where a reading stopped are read by the next one', async () => {
    const unknown = { kind: 'UNKNOWN', description: 'Cut off.' } as const;
    const lastFrom = () => feed.bank.ranges.at(-1)?.from;
    const daysBack = (from = new Date()) => Math.round((Date.now() - from.getTime()) / 86_400_000);
    feed.bank.answers.accounts = feed.bank.answers.accounts.slice(0, 1);
    feed.bank.answers.pages = [
      [transactionOf({ bookedAt: at(20) })],
      [transactionOf({ bookedAt: at(1) })],
    ];
    // The first page of the first reading is stored, the second never comes.
    feed.bank.answers.failures = [null, unknown];
    const { accountId } = await feed.linked(scripted);
    expect(await shown(accountId)).toHaveLength(1);
    await feed.refreshAgain();
    expect(daysBack(lastFrom())).toBe(730);
    expect(await shown(accountId)).toHaveLength(2);
    feed.bank.answers.pages = [
      [transactionOf({ bookedAt: at(29) })],
      [transactionOf({ bookedAt: at(24) })],
    ];
    feed.bank.answers.failures = [null, unknown];
    await feed.refreshAgain();
    await feed.refreshAgain();
    expect(lastFrom()).toEqual(at(10));
    await feed.refreshAgain();
    expect(lastFrom()).toEqual(at(19));
    expect(await shown(accountId)).toHaveLength(4);
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

describe('a payout', () => {
  const hour = 3_600_000;

  /** Settled so long ago, to the account that ends in these digits. */
  const settled = async (reference: string, agoMs: number, number = '11111111') => {
    await feed.rows(
      `insert into payout (merchant_id, environment, payout_id, status, reference, sort_code,
         account_number, account_name, amount_pence, period_ends_business_at, finalized_at,
         created_at, updated_at)
       select $1::uuid, 'SANDBOX', gen_random_uuid(), 'SETTLED', $2, '200000', $3, 'n', 1000,
         at, at, at, at
       from (select statement_timestamp() - $4::bigint * interval '1 millisecond' as at) t`,
      [feed.sandbox.merchantId, reference, number, agoMs],
    );
  };
  const matches = async (): Promise<Record<string, readonly unknown[]>> =>
    Object.fromEntries(
      (
        await feed.rows<Record<string, unknown>>(
          `select p.reference, m.credits, m.credited::float8 as credited, m.is_payout_account,
             m.read_until is not null as is_read,
             coalesce(m.read_until >= p.finalized_at + interval '2 days', false) as is_waited
           from payout_match m join payout p using (merchant_id, environment, payout_id)`,
        )
      ).map((row) => [
        row.reference,
        [row.credits, row.credited, row.is_payout_account, row.is_waited],
      ]),
    );
  const credit = (more: object) =>
    transactionOf({ bookedAt: at(1), type: 'CREDIT', amount: '10.00', ...more });

  beforeEach(async () => {
    await feed.rows('delete from payout_match');
    await feed.rows('delete from payout');
  });

  test.each([
    ['its reference', { reference: 'FPY0123456789A' }, [1, 10]],
    ['its reference in the text', { description: 'Florin fpy0123456789a BGC' }, [1, 10]],
    ['another amount', { reference: 'FPY0123456789A', amount: '9.50' }, [1, 9.5]],
    ['another currency', { reference: 'FPY0123456789A', currency: 'EUR' }, [1, 0]],
    ['no reference', {}, [0, 0]],
    ['the reference of another', { reference: 'FPY0123456789B' }, [0, 0]],
    ['a longer one', { reference: 'FPY0123456789' }, [0, 0]],
    ['money that left', { reference: 'FPY0123456789A', type: 'DEBIT' }, [0, 0]],
    ['money that is pending', { reference: 'FPY0123456789A', status: 'PENDING' }, [0, 0]],
  ])('finds %s', async (_what, more, found) => {
    await settled('FPY0123456789A', hour);
    feed.bank.answers.accounts = feed.bank.answers.accounts.slice(0, 1);
    feed.bank.answers.pages = [[credit(more)]];
    await feed.linked(scripted);
    const isOwn = found[0] === 1 ? true : null;
    expect(await matches()).toEqual({ FPY0123456789A: [...found, isOwn, false] });
    await feed.refreshAgain();
    expect(await matches()).toEqual({ FPY0123456789A: [...found, isOwn, false] });
  });

  test('is missing only if its own account was read long enough after it', async () => {
    await settled('FPY00000000001', 49 * hour);
    await settled('FPY00000000002', 47 * hour);
    await settled('FPY00000000003', 49 * hour, '99999999');
    await settled('FPY00000000004', 61 * 24 * hour);
    await feed.linked(scripted);
    expect(await matches()).toEqual({
      FPY00000000001: [0, 0, null, true],
      FPY00000000002: [0, 0, null, false],
    });
  });

  test('is found on any account, and stays found when that account is gone', async () => {
    await settled('FPY00000000005', hour, '99999999');
    feed.bank.answers.pages = [[credit({ reference: 'FPY00000000005' })]];
    feed.bank.answers.accounts = feed.bank.answers.accounts.slice(0, 1);
    const { id } = await feed.linked(scripted);
    const found = { FPY00000000005: [1, 10, false, false] };
    expect(await matches()).toEqual(found);
    await feed.request('POST', '/api/bank/auth/revoke', { body: { accountAuthId: id } });
    await feed.jobs.removeEndedAuthorisations();
    feed.bank.reset();
    await feed.linked(scripted);
    expect(await matches()).toEqual(found);
  });

  test('of many is found by indexes', async () => {
    await feed.linked(scripted);
    const made = madeStatements().find(({ name }) => name === 'bank_payout_match');
    const values: Record<string, string> = {
      merchantId: `'${feed.sandbox.merchantId}'`,
      environment: `'SANDBOX'`,
      authorisationId: `'${feed.sandbox.merchantId}'`,
      startedAt: 'now()',
    };
    const text = replaceNames(made?.sql ?? '', (name) => values[name] ?? 'null');
    const plan = await feed.rows<object>(`explain ${text}`);
    const lines = plan.map((row) => Object.values(row).join('')).join('\n');
    expect(lines).toContain('payout_settled');
    expect(lines).toMatch(/payout_reference = ANY/);
    expect(lines).not.toContain('Seq Scan');
  });
});
