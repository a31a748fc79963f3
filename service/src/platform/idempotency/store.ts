import type { Tenant } from '#kernel/environment.ts';
import type { Database } from '../database/open-database.ts';
import { sql } from '../database/sql.ts';
import { statement } from '../database/statement.ts';

export type SavedReply = {
  readonly body_sha256: Buffer;
  readonly status_code: number | null;
  readonly reply: string | null;
};

type Key = {
  readonly merchantId: string;
  readonly environment: string;
  readonly operation: string;
  readonly idempotencyKey: string;
};

// A dead worker's claim is taken over once its lease is over, by the same body only.
const claim = statement<Key & { bodySha256: Buffer; leaseMs: number }, { claimed: boolean }>(
  'idempotency_claim',
  sql('merchantId', 'environment', 'operation', 'idempotencyKey', 'bodySha256', 'leaseMs')`
   with taken_over as (
     update idempotency set leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
     where merchant_id = :merchantId and environment = :environment and operation = :operation
       and idempotency_key = :idempotencyKey and status_code is null
       and leased_until < statement_timestamp() and body_sha256 = :bodySha256
     returning true as claimed),
   made as (
     insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256,
       leased_until)
     select :merchantId, :environment, :operation, :idempotencyKey, :bodySha256,
       clock_timestamp() + :leaseMs * interval '1 millisecond'
     where not exists (select from taken_over)
     returning true as claimed)
   select claimed from taken_over union all select claimed from made`,
  {
    guardedBy:
      'trigger idempotency_unique: a key that is known inserts nothing; taken over only after the ' +
      'lease, by the same body',
  },
);

const read = statement<Key, SavedReply>(
  'idempotency_read',
  sql('merchantId', 'environment', 'operation', 'idempotencyKey')`
   select body_sha256, status_code, reply from idempotency
   where merchant_id = :merchantId and environment = :environment
     and operation = :operation and idempotency_key = :idempotencyKey`,
);

const save = statement<Key & { statusCode: number; reply: string }, never>(
  'idempotency_save',
  sql('statusCode', 'reply', 'merchantId', 'environment', 'operation', 'idempotencyKey')`
   update idempotency set status_code = :statusCode, reply = :reply, leased_until = null
   where merchant_id = :merchantId and environment = :environment
     and operation = :operation and idempotency_key = :idempotencyKey and status_code is null`,
  { guardedBy: 'status_code is null: the first reply stays' },
);

const release = statement<Key, never>(
  'idempotency_release',
  sql('merchantId', 'environment', 'operation', 'idempotencyKey')`
   delete from idempotency
   where merchant_id = :merchantId and environment = :environment
     and operation = :operation and idempotency_key = :idempotencyKey and status_code is null`,
  { guardedBy: 'status_code is null: a reply is never removed' },
);

export const idempotencyStore = (database: Database) => {
  const key = (tenant: Tenant, operation: string, idempotencyKey: string): Key => ({
    ...tenant,
    operation,
    idempotencyKey,
  });
  return {
    claim: async (
      tenant: Tenant,
      operation: string,
      name: string,
      bodySha256: Buffer,
      leaseMs: number,
    ) => {
      const values = { ...key(tenant, operation, name), bodySha256, leaseMs };
      return (await database.tenant(tenant.merchantId, claim, values)).length === 1;
    },
    read: async (tenant: Tenant, operation: string, name: string) =>
      (await database.tenant(tenant.merchantId, read, key(tenant, operation, name)))[0],
    save: async (
      tenant: Tenant,
      operation: string,
      name: string,
      statusCode: number,
      reply: string,
    ) => {
      const values = { ...key(tenant, operation, name), statusCode, reply };
      await database.tenant(tenant.merchantId, save, values);
    },
    release: async (tenant: Tenant, operation: string, name: string) => {
      await database.tenant(tenant.merchantId, release, key(tenant, operation, name));
    },
  };
};

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;
