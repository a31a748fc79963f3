import pg from 'pg';
import { expect } from 'vitest';
import { migrate } from '../../../service/src/platform/database/migrate.ts';
import type { Journey } from '../../harness/open-journey.ts';

const migrations = ['0414_reversals.sql', '0415_reversals_by_one_name.sql'];

/** Where a reversal had other names before that migration. */
const stored = [
  ['ledger_entry', 'reason', 'PAYMENT_TAKEN_BACK', 'PAYMENT_REVERSED'],
  ['payout_line', 'reason', 'PAYMENT_TAKEN_BACK', 'PAYMENT_REVERSED'],
  ['money_day', 'reason', 'PAYMENT_TAKEN_BACK', 'PAYMENT_REVERSED'],
  ['attempt', 'ended_reason', 'TAKEN_BACK', 'REVERSED'],
  ['payment_history', 'trigger', 'rejectedLater', 'reversed'],
  ['payment_history', 'trigger', 'paymentTakenBack', 'paymentReversed'],
  ['refund', 'error_code', 'PAYMENT_TAKEN_BACK', 'PAYMENT_REVERSED'],
  ['refund_history', 'trigger', 'paymentTakenBack', 'paymentReversed'],
  ['account_credit', 'status', 'TAKEN_BACK', 'REVERSED'],
] as const;

/** What no payment of the journey has: a refund that a reversal ended, and a credit of one. */
const planted = `
  insert into money_day (merchant_id, environment, day, account, reason, amount_pence, entries,
    first_in, last_in)
  select merchant_id, environment, '2020-01-01', account, 'PAYMENT_REVERSED', amount_pence, 1, 1, 1
  from ledger_entry limit 1;
  update refund set error_code = 'PAYMENT_REVERSED' where error_code is null;
  update refund_history set trigger = 'paymentReversed' where trigger = 'settled';
  insert into account_credit (environment, entry_key, status, amount_pence, is_returned, due_at)
  values ('SANDBOX', 'planted', 'REVERSED', 100, false, null)`;
const removed = `
  delete from money_day where day = '2020-01-01';
  update refund set error_code = null where error_code = 'PAYMENT_REVERSED';
  update refund_history set trigger = 'settled' where trigger = 'paymentReversed';
  delete from account_credit where entry_key = 'planted'`;

/** As the version before wrote them. The ledger is rewritten: an update of it is a break of the books. */
const named = ([table, column, before, after]: (typeof stored)[number]): string =>
  table === 'ledger_entry'
    ? `alter table ledger_entry alter column reason type text using
         case reason when '${after}' then '${before}' else reason end`
    : `update ${table} set ${column} = '${before}' where ${column} = '${after}'`;

const countsOf = async (word: 'before' | 'after', owner: pg.Client): Promise<readonly number[]> => {
  const counts: number[] = [];
  for (const [table, column, before, after] of stored) {
    const text = `select from ${table} where ${column} = $1`;
    const { rowCount } = await owner.query(text, [word === 'before' ? before : after]);
    counts.push(rowCount ?? 0);
  }
  return counts;
};

type Counts = { readonly before: readonly number[]; readonly after: readonly number[] };

/** How many rows have the old words and the new ones, once they were written as before and migrated. */
export const migrateOldReversals = async (
  journey: Journey,
): Promise<{
  readonly old: Counts;
  readonly migrated: Counts;
  readonly names: readonly string[];
}> => {
  const owner = new pg.Client({
    connectionString: journey.sandbox.databaseUrl,
    options: '-c search_path=florin -c session_replication_role=replica',
  });
  await owner.connect();
  const counts = async () => ({
    before: await countsOf('before', owner),
    after: await countsOf('after', owner),
  });
  try {
    await owner.query(planted);
    await owner.query('alter table account_credit drop constraint account_credit_status_check');
    await owner.query('alter table ledger_entry drop constraint ledger_entry_reversal_name');
    for (const each of stored) await owner.query(named(each));
    await owner.query(`alter table account_credit add constraint account_credit_status_check
      check (status in ('OPEN', 'MATCHED', 'UNMATCHED', 'TAKEN_BACK'))`);
    const old = await counts();
    await owner.query('delete from migration where name = any($1)', [migrations]);
    const names = await migrate(journey.sandbox.databaseUrl);
    const migrated = await counts();
    // As a program of an earlier version would book one.
    await expect(
      owner.query(`insert into ledger_entry (merchant_id, environment, transaction_id, account,
          amount_pence, reason, resource_id, occurred_at)
        select merchant_id, environment, transaction_id, account, amount_pence,
          'PAYMENT_TAKEN_BACK', resource_id, occurred_at from ledger_entry limit 1`),
    ).rejects.toThrow('ledger_entry_reversal_name');
    await owner.query(removed);
    return { old, migrated, names };
  } finally {
    await owner.end();
  }
};
