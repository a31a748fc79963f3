import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { ActorKind } from '../act.ts';

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

export type AuditRow = {
  readonly position: bigint;
  readonly record_id: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly channel: 'API' | 'COMMAND' | 'DASHBOARD';
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  readonly actor: string;
  readonly address: string;
  readonly action: string;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  readonly detail: string;
  readonly outcome: string | null;
  readonly hash: Buffer;
};

/** Of everybody, the newest first. */
export const listAuditRows = statement<
  {
    readonly merchantId: string | null;
    readonly actorId: string | null;
    readonly limit: number;
    readonly skipped: number;
  },
  AuditRow
>(
  'audit_record_list',
  sql('merchantId', 'actorId', 'limit', 'skipped')`
   select a.position, a.record_id, a.at as started_at, a.channel, a.actor_kind,
     a.actor_id, coalesce(a.actor, p.name, s.name, '') as actor, a.address, a.action, a.merchant_id,
     a.environment, a.detail, coalesce(a.outcome, o.outcome) as outcome, a.hash,
     case when a.outcome is null then o.at else a.at end as ended_at
   from audit_record a
   left join audit_record o on o.record_id = a.record_id and o.kind = 'OUTCOME'
   left join person p on p.person_id = a.actor_id
   left join access_secret s on s.merchant_id = a.merchant_id and s.environment = a.environment
     and s.secret_id = a.actor_id
   where a.kind = 'ACT' and (:merchantId::uuid is null or a.merchant_id = :merchantId::uuid)
     and (:actorId::uuid is null or a.actor_id = :actorId::uuid)
   order by a.position desc limit :limit offset :skipped`,
  { isPlannedPerCall: true, readsWholeTables: true },
);
