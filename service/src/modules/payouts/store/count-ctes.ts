import { sql } from '#platform/database/sql.ts';

/**
 * Counts the payouts that a statement opens or moves. `moves` names a common table expression with
 * `created_at`, `status` and `change`: one less in the status that a payout leaves, one more in that
 * which it enters. Written in the order of the key, so that two statements cannot block each other.
 */
export const countPayoutsCtes = (moves: string) => sql('merchantId', 'environment')`
  counted as (
    insert into payout_count as n (merchant_id, environment, created_on, status, payouts)
    select :merchantId, :environment, (m.created_at at time zone 'Europe/London')::date as created_on,
      m.status, sum(m.change)
    from ${moves} m group by created_on, m.status order by created_on, m.status
    on conflict (merchant_id, environment, created_on, status)
    do update set payouts = n.payouts + excluded.payouts)`;
