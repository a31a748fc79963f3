import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type AuditValues = {
  readonly recordId: string;
  readonly channel: 'API' | 'COMMAND' | 'DASHBOARD';
  readonly actor: string;
  readonly operatorSecretId: string | null;
  readonly personId: string | null;
  readonly address: string;
  readonly action: string;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly detail: string;
};

export const insertAuditRecord = statement<AuditValues, never>(
  'operator_audit_insert',
  sql(
    'recordId',
    'channel',
    'actor',
    'operatorSecretId',
    'personId',
    'address',
    'action',
    'merchantId',
    'environment',
    'detail',
  )`
   insert into operator_audit (record_id, channel, actor, operator_secret_id, person_id, address,
     action, merchant_id, environment, detail)
   values (:recordId, :channel, :actor, :operatorSecretId::uuid, :personId::uuid, :address,
     :action, :merchantId::uuid, :environment, :detail::jsonb)`,
  { guardedBy: 'primary key; the table is append-only' },
);

export const insertAuditOutcome = statement<
  { readonly recordId: string; readonly outcome: string },
  never
>(
  'operator_audit_outcome_insert',
  sql('recordId', 'outcome')`
   insert into operator_audit_outcome (record_id, outcome) values (:recordId, :outcome)`,
  { guardedBy: 'primary key: a record ends once; the table is append-only' },
);

export type AuditRow = {
  readonly record_id: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly channel: 'API' | 'COMMAND' | 'DASHBOARD';
  readonly actor: string;
  readonly address: string;
  readonly action: string;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly outcome: string | null;
};

export const listAuditRows = statement<
  { readonly merchantId: string | null; readonly limit: number; readonly skipped: number },
  AuditRow
>(
  'operator_audit_list',
  sql('merchantId', 'limit', 'skipped')`
   select a.record_id, a.started_at, o.ended_at, a.channel, a.actor, a.address, a.action,
     a.merchant_id, a.environment, a.detail, o.outcome
   from operator_audit a left join operator_audit_outcome o on o.record_id = a.record_id
   where :merchantId::uuid is null or a.merchant_id = :merchantId::uuid
   order by a.started_at desc, a.record_id limit :limit offset :skipped`,
  { isPlannedPerCall: true, readsWholeTables: true },
);
