import type { Tenant } from '#kernel/environment.ts';
import type { Database } from '../database/open-database.ts';
import { sql } from '../database/sql.ts';
import { statement } from '../database/statement.ts';

export type SavedReply = {
  readonly body_sha256: Buffer;
  readonly status_code: number | null;
  readonly reply: string | null;
  /** While it runs: when the key is free again, should its program have died. */
  readonly free_after_seconds: number | null;
};

type Key = Tenant & { readonly operation: string; readonly idempotencyKey: string };
type Claimed = Key & { readonly claimedBy: string };

const isKey = sql('merchantId', 'environment', 'operation', 'idempotencyKey')`
  merchant_id = :merchantId and environment = :environment and operation = :operation
  and idempotency_key = :idempotencyKey`;
const isClaimed = sql('claimedBy')`${isKey} and claimed_by = :claimedBy::uuid
  and status_code is null`;
const guardedBy = 'the claim: one that was taken over, or has its reply, changes nothing';

// A dead program's claim is taken over once its lease has run out, by the same body only.
const claim = statement<
  Key & { bodySha256: Buffer; leaseMs: number },
  { readonly claimed_by: string; readonly intent: string | null }
>(
  'idempotency_claim',
  sql('merchantId', 'environment', 'operation', 'idempotencyKey', 'bodySha256', 'leaseMs')`
   with taken_over as (
     update idempotency set leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond',
       claimed_by = gen_random_uuid()
     where ${isKey} and status_code is null
       and leased_until <= statement_timestamp() and body_sha256 = :bodySha256
     returning claimed_by, intent),
   made as (
     insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256,
       leased_until, claimed_by)
     select :merchantId, :environment, :operation, :idempotencyKey, :bodySha256,
       clock_timestamp() + :leaseMs * interval '1 millisecond', gen_random_uuid()
     where not exists (select from taken_over)
     returning claimed_by, intent)
   select claimed_by, intent from taken_over union all select claimed_by, intent from made`,
  {
    guardedBy:
      'trigger idempotency_unique: a key that is known inserts nothing; taken over only after the ' +
      'lease, by the same body',
  },
);

const read = statement<Key, SavedReply>(
  'idempotency_read',
  sql()`
   select body_sha256, status_code, reply,
     ceil(extract(epoch from leased_until - statement_timestamp()))::int as free_after_seconds
   from idempotency where ${isKey}`,
);

const save = statement<Claimed & { statusCode: number; reply: string }, never>(
  'idempotency_save',
  sql('statusCode', 'reply')`
   update idempotency set status_code = :statusCode, reply = :reply, leased_until = null
   where ${isClaimed}`,
  { guardedBy },
);

const renew = statement<Claimed & { leaseMs: number }, never>(
  'idempotency_renew',
  sql('leaseMs')`
   update idempotency set leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   where ${isClaimed}`,
  { guardedBy },
);

const decide = statement<Claimed & { intent: string }, { readonly intent: string }>(
  'idempotency_decide',
  sql('intent')`
   update idempotency set intent = coalesce(intent, :intent) where ${isClaimed} returning intent`,
  { guardedBy },
);

/** Nothing was tried: the key is free for another body too. */
const release = statement<Claimed, never>(
  'idempotency_release',
  sql()`delete from idempotency where ${isClaimed}`,
  { guardedBy },
);

/** Something may have been done: the same body may go on at once, from what was decided. */
const interrupt = statement<Claimed, never>(
  'idempotency_interrupt',
  sql()`update idempotency set leased_until = statement_timestamp() where ${isClaimed}`,
  { guardedBy },
);

export const idempotencyStore = (database: Database) => {
  const keyOf = (tenant: Tenant, operation: string, idempotencyKey: string): Key => ({
    ...tenant,
    operation,
    idempotencyKey,
  });
  return {
    /** Null: another call has the key, or had it. */
    claim: async (
      tenant: Tenant,
      operation: string,
      { key, bodySha256 }: { readonly key: string; readonly bodySha256: Buffer },
      leaseMs: number,
    ) => {
      const { merchantId } = tenant;
      const named = keyOf(tenant, operation, key);
      const values = { ...named, bodySha256, leaseMs };
      const [row] = await database.tenant(merchantId, claim, values);
      return row ? openClaim(database, { ...named, claimedBy: row.claimed_by }, row.intent) : null;
    },
    read: async (tenant: Tenant, operation: string, key: string) =>
      (await database.tenant(tenant.merchantId, read, keyOf(tenant, operation, key)))[0],
  };
};

/** What a running operation may write of its key, until it is taken over. */
const openClaim = (database: Database, claimed: Claimed, intent: string | null) => {
  const { merchantId } = claimed;
  return {
    intent,
    save: (statusCode: number, reply: string) =>
      database.tenant(merchantId, save, { ...claimed, statusCode, reply }),
    renew: (leaseMs: number) => database.tenant(merchantId, renew, { ...claimed, leaseMs }),
    /** Undefined: another call has taken the key over. */
    decide: async (wanted: string): Promise<string | undefined> =>
      (await database.tenant(merchantId, decide, { ...claimed, intent: wanted }))[0]?.intent,
    release: () => database.tenant(merchantId, release, claimed),
    interrupt: () => database.tenant(merchantId, interrupt, claimed),
  };
};

export type Claim = ReturnType<typeof openClaim>;
export type IdempotencyStore = ReturnType<typeof idempotencyStore>;
