import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/**
 * Looks for every payout that settled lately among the booked credits of all accounts that the merchant has
 * connected, and notes how far the account that it was for has been read by this authorisation.
 */
export const matchPayouts = statement<
  Tenant & {
    readonly authorisationId: string;
    /** The start of this refresh: an account that was not read since proves nothing. */
    readonly startedAt: Date;
  },
  never
>(
  'bank_payout_match',
  sql('merchantId', 'environment', 'authorisationId', 'startedAt')`
   with moved as materialized (select ${clockOffsetSql} as by),
   due as materialized (
     select p.payout_id, p.reference, p.sort_code, p.account_number,
       p.finalized_at + ${limits.payoutMatchMs} * interval '1 millisecond' as waited_until
     from payout p
     where p.merchant_id = :merchantId and p.environment = :environment and p.status = 'SETTLED'
       and p.finalized_at > (select statement_timestamp() + moved.by from moved)
         - ${limits.payoutMatchDays} * interval '1 day'),
   credit as materialized (
     select d.payout_id, t.account_id, t.transaction_id, t.booked_at, t.amount, t.currency,
       coalesce(b.sort_code = d.sort_code and b.account_number = d.account_number, false) as is_own
     from bank_transaction t
     join due d on d.reference = t.payout_reference
     join bank_account b on b.merchant_id = :merchantId and b.environment = :environment
       and b.account_id = t.account_id
     -- As a list: joined, an index would be read from its beginning as long as it has no statistics.
     where t.merchant_id = :merchantId and t.environment = :environment
       and t.payout_reference = any (array(select reference from due))
       and t.type = 'CREDIT' and t.status = 'BOOKED'),
   first as (
     select distinct on (payout_id) payout_id, account_id, transaction_id, booked_at, is_own
     from credit order by payout_id, is_own desc, booked_at, transaction_id),
   counted as (
     select payout_id, count(*)::int as credits,
       coalesce(sum(amount) filter (where currency = 'GBP'), 0) as credited
     from credit group by payout_id),
   fresh as materialized (
     select b.sort_code, b.account_number, b.refreshed_at
     from bank_account_link l
     join bank_account b on b.merchant_id = :merchantId and b.environment = :environment
       and b.account_id = l.account_id and b.refreshed_at >= :startedAt::timestamptz
     where l.merchant_id = :merchantId and l.environment = :environment
       and l.authorisation_id = :authorisationId::uuid),
   own_read as (
     select d.payout_id, least(max(f.refreshed_at) + (select moved.by from moved),
       d.waited_until) as until
     from due d join fresh f on f.sort_code = d.sort_code and f.account_number = d.account_number
     group by d.payout_id, d.waited_until)
   insert into payout_match as m (merchant_id, environment, payout_id, credits, credited,
     credited_at, account_id, transaction_id, is_payout_account, read_until)
   select :merchantId, :environment, d.payout_id, coalesce(c.credits, 0), coalesce(c.credited, 0),
     f.booked_at, f.account_id, f.transaction_id, f.is_own, o.until
   from due d
   left join counted c on c.payout_id = d.payout_id
   left join first f on f.payout_id = d.payout_id
   left join own_read o on o.payout_id = d.payout_id
   where c.credits > 0 or o.until is not null
   order by d.payout_id
   on conflict (merchant_id, environment, payout_id) do update
     set credits = greatest(m.credits, excluded.credits),
       credited = case when excluded.credits >= m.credits then excluded.credited
         else m.credited end,
       credited_at = coalesce(excluded.credited_at, m.credited_at),
       account_id = coalesce(excluded.account_id, m.account_id),
       transaction_id = coalesce(excluded.transaction_id, m.transaction_id),
       is_payout_account = coalesce(excluded.is_payout_account, m.is_payout_account),
       read_until = greatest(m.read_until, excluded.read_until)
     where excluded.credits > m.credits
       or (excluded.credits = m.credits and excluded.credited <> m.credited)
       or excluded.read_until > coalesce(m.read_until, '-infinity')`,
  { guardedBy: 'credits are only added, and the time read only grows; a repeat changes nothing' },
);
