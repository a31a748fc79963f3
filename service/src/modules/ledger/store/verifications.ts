import { tenantsFromAnywhere } from '#platform/database/earliest-due.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';

/** Nobody waits for a verification. */
export const verifying = { readsWholeTables: true, mayTakeMinutes: true } as const;

export const findUnbalanced = statement<
  Record<never, never>,
  { transaction_id: string; sum_pence: bigint }
>(
  'ledger_find_unbalanced',
  sql()`
   select transaction_id, sum(amount_pence)::bigint as sum_pence from ledger_entry
   group by transaction_id having sum(amount_pence) <> 0 limit 100`,
  verifying,
);

export const sumAccounts = statement<
  Record<never, never>,
  { environment: string; account: string; balance_pence: bigint }
>(
  'ledger_sum_accounts',
  sql()`
   select environment, account, sum(amount_pence)::bigint as balance_pence from ledger_entry
   group by environment, account order by environment, account`,
  verifying,
);

/** Newest snapshots that are not the sum of the entries they cover. */
export const findSnapshotDifferences = statement<
  Record<never, never>,
  { merchant_id: string; environment: string; account: string }
>(
  'ledger_find_snapshot_differences',
  sql()`
   with newest as (
     select distinct on (merchant_id, environment, account) merchant_id, environment, account,
       balance_pence, up_to_written_in
     from ledger_snapshot
     order by merchant_id, environment, account, up_to_written_in desc)
   select n.merchant_id, n.environment, n.account from newest n
   where n.balance_pence is distinct from (
     select coalesce(sum(e.amount_pence), 0)::bigint from ledger_entry e
     where e.merchant_id = n.merchant_id and e.environment = n.environment
       and e.account = n.account and e.written_in < n.up_to_written_in)
   limit 100`,
  verifying,
);

/** What the bank of each collecting account reported last, and when it agreed with our books. */
export const readBankBalances = statement<
  Record<never, never>,
  {
    readonly environment: string;
    readonly balance_pence: bigint;
    readonly reported_at: Date;
    readonly difference_pence: bigint | null;
    readonly reconciled_at: Date | null;
    readonly reconciled_pence: bigint | null;
  }
>(
  'ledger_read_bank_balances',
  sql()`
   select environment, balance_pence, reported_at, difference_pence, reconciled_at,
     reconciled_pence from bank_balance order by environment`,
);

export const insertVerification = statement<
  {
    readonly unbalanced: number;
    readonly differing: number;
    readonly totals: string;
    readonly broken: string;
    readonly tookMs: number;
  },
  never
>(
  'ledger_verification_insert',
  sql('unbalanced', 'differing', 'totals', 'broken', 'tookMs')`
   insert into ledger_verification
     (unbalanced_transactions, snapshots_differ, totals, broken_invariants, took_ms)
   values (:unbalanced, :differing, :totals::jsonb, :broken::jsonb, :tookMs)`,
  { guardedBy: 'nothing: every verification is a row of its own' },
);

/** Real time: since the last verification ended, or since the installation if none ever did. */
export const readLastVerification = statement<
  Record<never, never>,
  { readonly has_ended: boolean; readonly age_ms: number }
>(
  'ledger_verification_age',
  sql()`
   select max(verified_at) is not null as has_ended,
     (extract(epoch from statement_timestamp() - coalesce(max(verified_at),
       (select min(applied_at) from migration))) * 1000)::float8 as age_ms
   from ledger_verification`,
);

/** Tenants with entries after their newest snapshot, or without one. */
export const listTenantsToSnapshot = statement<
  { readonly from: string; readonly limit: number; readonly accounts: readonly string[] },
  { merchant_id: string; environment: 'SANDBOX' | 'PRODUCTION' }
>(
  'ledger_tenants_to_snapshot',
  tenantsFromAnywhere(sql('accounts')`${isNotPutOff('w', 'merchant_id', 'SNAPSHOT')} and exists (
     select from (
       select max(up_to_written_in) as up_to, max(taken_at) as taken_at from ledger_snapshot
       where merchant_id = w.merchant_id and environment = w.environment) s
     where (s.taken_at is null or s.taken_at < statement_timestamp() - interval '20 hours')
       -- each account by itself, as the index is sorted: what is covered already is not read
       and exists (select from unnest(:accounts::text[]) as known (account)
         join ledger_entry e on e.merchant_id = w.merchant_id and e.environment = w.environment
           and e.account = known.account and e.written_in >= coalesce(s.up_to, '0'::xid8)))`),
);
