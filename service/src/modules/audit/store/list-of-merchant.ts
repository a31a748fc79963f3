import type { Environment, Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type MerchantRow = {
  readonly position: bigint;
  readonly record_id: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly actor_kind: 'MEMBER' | 'PERSON' | 'SECRET';
  readonly actor_id: string | null;
  readonly actor: string | null;
  readonly address: string;
  readonly action: string;
  readonly environment: Environment | null;
  readonly detail: string;
  readonly outcome: string | null;
  readonly made_ids: string | null;
  readonly hash: Buffer;
  readonly previous_hash: Buffer;
  /** False: looked at last, so that the next page continues behind it. */
  readonly matches: boolean;
  readonly is_whole: boolean;
};

/**
 * Newest first: of the merchant, and what its members did with their accounts since they are members. The
 * call that made them a member began a little earlier. A filter looks at `read` records and no more.
 */
export const listRecordsOfMerchant = statement<
  Tenant & {
    readonly before: string | null;
    readonly actorId: string | null;
    readonly action: string | null;
    readonly day: string | null;
    readonly read: number;
    readonly limit: number;
  },
  MerchantRow
>(
  'audit_record_list_of_merchant',
  sql('merchantId', 'environment', 'before', 'actorId', 'action', 'day', 'read', 'limit')`
   with newest as materialized (
     (select r.* from audit_record r
      where r.merchant_id = :merchantId and r.kind = 'ACT' and r.actor_kind in ('MEMBER', 'SECRET')
        and (r.environment is null or :environment in (r.environment, 'PRODUCTION'))
        and (:before::bigint is null or r.position < :before::bigint)
      order by r.position desc limit :read::int)
     union all
     (select r.* from membership m cross join lateral (
        select a.* from audit_record a
        where a.actor_id = m.person_id and a.actor_kind = 'PERSON' and a.kind = 'ACT'
          and a.merchant_id is null
          and a.at >= m.created_at - interval '30 seconds'
          and (:before::bigint is null or a.position < :before::bigint)
        order by a.position desc limit :read::int) r
      where m.merchant_id = :merchantId)
     order by position desc limit :read::int),
   matched as (
     select n.*, (:actorId::uuid is null or n.actor_id = :actorId::uuid)
         and (:action::text is null or n.action = :action::text)
         and (:day::date is null or (n.at at time zone 'Europe/London')::date = :day::date) as matches
     from newest n)
   select n.position, n.record_id, n.at as started_at, n.actor_kind, n.actor_id,
     coalesce(p.name, s.name) as actor, n.address, n.action, n.environment, n.detail,
     coalesce(n.outcome, o.outcome) as outcome, o.detail as made_ids, n.hash, n.previous_hash,
     case when n.outcome is null then o.at else n.at end as ended_at, n.matches,
     (select count(*) from newest) < :read::int as is_whole
   from matched n
   left join audit_record o on o.record_id = n.record_id and o.kind = 'OUTCOME'
   left join person p on p.person_id = n.actor_id
   left join access_secret s on s.merchant_id = :merchantId and s.environment = n.environment
     and s.secret_id = n.actor_id
   where n.matches or n.position = (select min(position) from newest)
   order by n.position desc limit :limit::int`,
);
