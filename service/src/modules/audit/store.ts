import type { listAuditRecords, ReplyOf } from '@florin/contract';
import type { listAudit } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import type { Continued } from '#platform/database/pages.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { StoredRecord } from './chain.ts';

export type HeadRow = {
  readonly position: bigint;
  readonly hash: Buffer;
  /** Of all records: another one than the head's was removed or slipped in. */
  readonly newest: bigint;
  readonly newest_seal: bigint | null;
};

export const readHead = statement<Record<never, never>, HeadRow>(
  'audit_head_read',
  sql()`
   select h.position, h.hash, (select max(s.position) from audit_seal s) as newest_seal,
     coalesce((select max(r.position) from audit_record r), 0) as newest
   from audit_head h`,
);

export type ChainRow = StoredRecord & {
  readonly sealed_at: Date | null;
  readonly sealed_hash: Buffer | null;
  readonly signature: Buffer | null;
};

export const readChain = statement<
  { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
  ChainRow
>(
  'audit_chain_read',
  sql('after', 'upTo', 'limit')`
   select r.*, s.sealed_at, s.hash as sealed_hash, s.signature
   from audit_record r left join audit_seal s on s.position = r.position
   where r.position > :after and r.position <= :upTo order by r.position limit :limit`,
);

/** A repeat, and another worker at the same head, change nothing. */
export const insertSeal = statement<
  {
    readonly position: bigint;
    readonly sealedAt: Date;
    readonly hash: Buffer;
    readonly signature: Buffer;
  },
  never
>(
  'audit_seal_insert',
  sql('position', 'sealedAt', 'hash', 'signature')`
   insert into audit_seal (position, sealed_at, hash, signature)
   values (:position, :sealedAt, :hash, :signature) on conflict (position) do nothing`,
  { guardedBy: 'primary key: a record is sealed once' },
);

type RecordOfMerchant = ReplyOf<typeof listAudit>['data'][number];

export type MerchantRow = Continued &
  RowOf<Omit<RecordOfMerchant, 'summary' | 'detail' | 'madeIds'>, 'startedAt' | 'endedAt'> & {
    readonly detail: string;
    readonly made_ids: string | null;
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
   select n.position::text as position, n.position::text as goes_on, n.record_id,
     n.at as started_at, n.actor_kind, n.actor_id, coalesce(p.name, s.name) as actor,
     n.address as address_prefix, n.action as operation, n.environment, n.detail,
     coalesce(n.outcome, o.outcome) as outcome, o.detail as made_ids,
     encode(n.hash, 'hex') as hash, encode(n.previous_hash, 'hex') as previous_hash,
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

/** Many at once, in their order: a JSON list. */
export const insertRecords = statement<{ readonly records: string }, never>(
  'audit_record_insert',
  sql('records')`
   insert into audit_record (kind, record_id, channel, actor_kind, actor_id, actor, address, action,
     merchant_id, environment, detail, outcome)
   select r->>'kind', (r->>'recordId')::uuid, r->>'channel', r->>'actorKind',
     (r->>'actorId')::uuid, r->>'actor', r->>'address', r->>'action', (r->>'merchantId')::uuid,
     r->>'environment', r->>'detail', r->>'outcome'
   from jsonb_array_elements(:records::jsonb) with ordinality e (r, n) order by n`,
  { guardedBy: 'the lock on the head, which the trigger of the table takes: one after the other' },
);

type AuditRecord = ReplyOf<typeof listAuditRecords>['data'][number];

export type AuditRow = RowOf<Omit<AuditRecord, 'detail'>, 'startedAt' | 'endedAt'> & {
  readonly detail: string;
};

/** Of everybody, the newest first. */
export const listAuditRows = statement<
  {
    readonly merchantId: string | null;
    readonly actorId: string | null;
    readonly merchant: string | null;
    /** Actions that are left out. */
    readonly without: readonly string[];
    readonly limit: number;
    readonly skipped: number;
  },
  AuditRow
>(
  'audit_record_list',
  sql('merchantId', 'actorId', 'merchant', 'without', 'limit', 'skipped')`
   select a.position::float8 as position, a.record_id, a.at as started_at, a.channel, a.actor_kind,
     a.actor_id, coalesce(a.actor, p.name, s.name, '') as actor, a.address, a.action, a.merchant_id,
     m.business_name, a.environment, a.detail, coalesce(a.outcome, o.outcome) as outcome,
     encode(a.hash, 'hex') as hash,
     case when a.outcome is null then o.at else a.at end as ended_at
   from audit_record a
   left join audit_record o on o.record_id = a.record_id and o.kind = 'OUTCOME'
   left join person p on p.person_id = a.actor_id
   left join access_secret s on s.merchant_id = a.merchant_id and s.environment = a.environment
     and s.secret_id = a.actor_id
   left join merchant m on m.merchant_id = a.merchant_id
   -- Who looked at this list stands in it, and is not shown by each look at it.
   where a.kind = 'ACT' and a.action <> 'listAuditRecords' and a.action <> all (:without::text[])
     and (:merchant::text is null or a.merchant_id::text = lower(:merchant::text)
       or strpos(lower(m.business_name), lower(:merchant::text)) > 0)
     and (:merchantId::uuid is null or a.merchant_id = :merchantId::uuid)
     and (:actorId::uuid is null or a.actor_id = :actorId::uuid)
   order by a.position desc limit :limit offset :skipped`,
  { isPlannedPerCall: true, readsWholeTables: true },
);
