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

const maxPerDay = 2_000_000_000;

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
       -- In the order of its index: without statistics the key, which has no time, looks as good.
       else (select count(*) from (
         select from bank_transaction t where ${isOfAccount('t')}
           and t.booked_at >= greatest(s.begins, d.day::timestamp at time zone 'UTC')
           and t.booked_at < least(s.ends, (d.day + 1)::timestamp at time zone 'UTC')
         order by t.booked_at desc, t.transaction_id desc limit ${maxPerDay}) of_day) end as found
     from span s, bank_transaction_day d
     where ${isOfAccount('d')} and d.day between s.first_day and s.last_day),
   ordered as materialized (
     select day, found, sum(found) over (order by day desc) - found as passed from days),
   start as materialized (
     select day, passed from ordered where found > 0 and passed <= :skipped::bigint
     order by day limit 1),
   -- Its bounds are values, not columns of a join, so the index gives the order and nothing is sorted;
   -- all columns are read here, because no join of a table without statistics may be trusted.
   page as materialized (
     select t.transaction_id, t.booked_at, t.type, t.status, t.amount, t.currency, t.description,
       t.reference, t.merchant_name, t.category, t.payer, t.payee, t.balance, t.balance_currency
     from bank_transaction t
     where ${isOfAccount('t')} and t.booked_at >= :from::timestamptz
       and t.booked_at < (select least(:before::timestamptz,
         (start.day + 1)::timestamp at time zone 'UTC') from start)
     order by t.booked_at desc, t.transaction_id desc
     limit :limit::int offset (select :skipped::bigint - passed from start))
   select coalesce((select sum(found) from days), 0)::int as total, p.transaction_id, p.booked_at,
     p.type, p.status, p.amount::float8 as amount, p.currency, p.description, p.reference,
     p.merchant_name, p.category, p.payer, p.payee, p.balance::float8 as balance,
     p.balance_currency
   from (select) one left join page p on true
   order by p.booked_at desc, p.transaction_id desc`,
);
