import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Party = {
  readonly name: string | null;
  readonly sortCode: string | null;
  readonly accountNumber: string | null;
} | null;

export type TransactionRow = {
  /** On all pages; the other columns are null where the page has no rows. */
  readonly total: number;
  readonly transaction_id: string | null;
  readonly booked_at: Date;
  readonly type: 'CREDIT' | 'DEBIT';
  readonly status: 'BOOKED' | 'PENDING';
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly reference: string | null;
  readonly merchant_name: string | null;
  readonly category: string | null;
  readonly payer: Party;
  readonly payee: Party;
  readonly balance: number | null;
  readonly balance_currency: string | null;
};

const isOfAccount = (alias: string) => sql('merchantId', 'environment', 'accountId')`
  ${alias}.merchant_id = :merchantId and ${alias}.environment = :environment
     and ${alias}.account_id = :accountId::uuid`;

/**
 * A page of the transactions in a range, the newest first. The counts of whole days lead to the day on which
 * the page begins, so that a late page costs as little as the first; the first and the last day, of
 * which only a part may be meant, are counted.
 */
export const listTransactions = statement<
  Tenant & {
    readonly accountId: string;
    readonly from: Date;
    readonly before: Date;
    readonly limit: number;
    readonly skipped: number;
  },
  TransactionRow
>(
  'bank_transaction_list',
  sql('from', 'before', 'limit', 'skipped')`
   with span as materialized (
     select :from::timestamptz as begins, :before::timestamptz as ends,
       (:from::timestamptz at time zone 'UTC')::date as first_day,
       (:before::timestamptz at time zone 'UTC')::date as last_day),
   days as materialized (
     select d.day, case when d.day > s.first_day and d.day < s.last_day then d.transactions
       else (select count(*) from bank_transaction t where ${isOfAccount('t')}
         and t.booked_at >= greatest(s.begins, d.day::timestamp at time zone 'UTC')
         and t.booked_at < least(s.ends, (d.day + 1)::timestamp at time zone 'UTC')) end as found
     from span s, bank_transaction_day d
     where ${isOfAccount('d')} and d.day between s.first_day and s.last_day),
   ordered as materialized (
     select day, found, sum(found) over (order by day desc) - found as passed from days),
   start as materialized (
     select day, passed from ordered where found > 0 and passed <= :skipped::bigint
     order by day limit 1),
   page as (
     select t.transaction_id, t.booked_at from span s, start, bank_transaction t
     where ${isOfAccount('t')} and t.booked_at >= s.begins
       and t.booked_at < least(s.ends, (start.day + 1)::timestamp at time zone 'UTC')
     order by t.booked_at desc, t.transaction_id desc
     limit :limit::int offset (select :skipped::bigint - passed from start))
   select coalesce((select sum(found) from days), 0)::int as total, t.transaction_id, t.booked_at,
     t.type, t.status, t.amount::float8 as amount, t.currency, t.description, t.reference,
     t.merchant_name, t.category, t.payer, t.payee, t.balance::float8 as balance,
     t.balance_currency
   from (select) one
   left join page p on true
   left join bank_transaction t on ${isOfAccount('t')} and t.transaction_id = p.transaction_id
   order by t.booked_at desc, t.transaction_id desc`,
);
