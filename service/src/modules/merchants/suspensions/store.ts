import type { listMerchants, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const insertSuspension = statement<
  Tenant & {
    readonly suspensionId: string;
    readonly reason: string;
    readonly suspendedBy: string;
  },
  never
>(
  'merchant_suspend',
  sql('merchantId', 'environment', 'suspensionId', 'reason', 'suspendedBy')`
   with suspended as (
     update merchant_switch set suspension_id = :suspensionId::uuid
     where merchant_id = :merchantId and environment = :environment and suspension_id is null
     returning suspension_id)
   insert into merchant_suspension (merchant_id, environment, suspension_id, reason, suspended_by)
   select :merchantId, :environment, suspension_id, :reason::text, :suspendedBy::text
   from suspended`,
  { guardedBy: 'the row is suspended once: a second suspension writes nothing' },
);

/** Names the suspension that it ends, so that one that began meanwhile stays. */
export const endSuspension = statement<
  Tenant & { readonly suspensionId: string; readonly resumedBy: string },
  never
>(
  'merchant_resume',
  sql('merchantId', 'environment', 'suspensionId', 'resumedBy')`
   with resumed as (
     update merchant_switch set suspension_id = null
     where merchant_id = :merchantId and environment = :environment
       and suspension_id = :suspensionId::uuid
     returning merchant_id)
   update merchant_suspension s set resumed_by = :resumedBy::text,
     resumed_at = date_trunc('milliseconds', clock_timestamp())
   from resumed
   where s.merchant_id = :merchantId and s.environment = :environment
     and s.suspension_id = :suspensionId::uuid`,
  { guardedBy: 'the id of the suspension as read: a second resumption writes nothing' },
);

export const findSuspension = statement<Tenant, { readonly suspension_id: string }>(
  'merchant_suspension_find',
  sql('merchantId', 'environment')`
   select suspension_id from merchant_switch
   where merchant_id = :merchantId and environment = :environment and suspension_id is not null`,
);

export type Suspension = ReplyOf<typeof listMerchants>['data'][number]['suspensions'][number];

/** Of both environments, the newest first. */
export const listSuspensionRows = statement<
  { readonly merchantId: string; readonly limit: number },
  RowOf<Suspension, 'suspendedAt' | 'resumedAt'>
>(
  'merchant_suspension_list',
  sql('merchantId', 'limit')`
   select environment, reason, suspended_by, suspended_at, resumed_by, resumed_at
   from merchant_suspension where merchant_id = :merchantId
   order by suspended_at desc, suspension_id limit :limit`,
);

/** Transactions whose statement read the switches, or may be about to. */
export const listSwitchReaders = statement<Record<never, never>, { readonly reader: string }>(
  'merchant_switch_readers',
  sql()`
   select distinct virtualtransaction as reader from pg_locks
   where locktype = 'relation' and relation = 'merchant_switch'::regclass and granted
     and database = (select d.oid from pg_database d where d.datname = current_database())
     and pid <> pg_backend_pid()`,
);
