import type { Environment, Tenant } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';

export type ClaimedDetachment = {
  readonly merchant_id: string;
  readonly environment: Environment;
  /** References that the processor must detach. */
  readonly kind: 'CARD' | 'CUSTOMER';
  readonly customer_id: string;
  readonly account_key: string;
  readonly reference_id: string;
  readonly reference_encrypted: Buffer;
  readonly attempts: number;
  /** References by which this customer's cards are charged, in hex. */
  readonly saved: readonly { readonly referenceId: string; readonly reference: string }[];
};

const isFree = '(leased_until is null or leased_until < statement_timestamp())';

export const detachDueAt = earliestDue({
  at: 'due_at',
  from: 'card_detachment',
  indexed: 'done_at is null',
  and: isFree,
});

// A lease, so that one worker at a time talks to the processor about a card or a customer.
export const claimDetachments = statement<
  { readonly limit: number; readonly leaseMs: number },
  ClaimedDetachment
>(
  'card_claim_detachments',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select merchant_id, environment, reference_id from card_detachment
     where ${ofShare()} and done_at is null and due_at <= statement_timestamp()
       and ${isFree}
     order by due_at limit :limit for update skip locked`)})
   update card_detachment d set attempts = d.attempts + 1,
     leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where d.merchant_id = due.merchant_id and d.environment = due.environment
     and d.reference_id = due.reference_id
   returning d.merchant_id, d.environment, d.kind, d.customer_id, d.account_key,
     d.reference_id, d.reference_encrypted, d.attempts,
     (select coalesce(jsonb_agg(jsonb_build_object('referenceId', k.reference_id,
         'reference', encode(k.reference_encrypted, 'hex'))), '[]')
       from card k
       where k.merchant_id = d.merchant_id and k.environment = d.environment
         and k.customer_id = d.customer_id and k.account_key = d.account_key
         and k.deleted_at is null) as saved`,
  {
    guardedBy: 'lease and skip locked: one worker at a time; attempts is the fence of its outcome',
  },
);

type Claim = Pick<ClaimedDetachment, 'merchant_id' | 'environment' | 'reference_id' | 'attempts'>;

/** The reference is no longer stored. */
export const finishDetachment = statement<
  Claim & { readonly outcome: 'DETACHED' | 'STILL_SAVED' | 'DELETED' },
  never
>(
  'card_finish_detachment',
  sql('outcome', 'merchant_id', 'environment', 'reference_id', 'attempts')`
   update card_detachment set done_at = clock_timestamp(), outcome = :outcome,
     reference_encrypted = null, leased_until = null, last_error = null
   where merchant_id = :merchant_id and environment = :environment
     and reference_id = :reference_id and attempts = :attempts and done_at is null`,
  { guardedBy: 'fence: attempts as claimed and done_at is null' },
);

export const putOffDetachment = statement<
  Claim & { readonly error: string; readonly retryMs: number },
  never
>(
  'card_put_off_detachment',
  sql('error', 'retryMs', 'merchant_id', 'environment', 'reference_id', 'attempts')`
   update card_detachment set leased_until = null, last_error = :error,
     due_at = clock_timestamp() + :retryMs::bigint * interval '1 millisecond'
   where merchant_id = :merchant_id and environment = :environment
     and reference_id = :reference_id and attempts = :attempts and done_at is null`,
  { guardedBy: 'fence: attempts as claimed and done_at is null' },
);

export const pruneDetachments = statement<
  { readonly retentionDays: number },
  { merchant_id: string }
>(
  'card_prune_detachments',
  sql('retentionDays')`
   delete from card_detachment where done_at < now() - :retentionDays::int * interval '1 day'
   returning merchant_id`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);

const count = statement<Tenant & { readonly accountKey: string }, { readonly open: bigint }>(
  'card_count_open_detachments',
  sql('merchantId', 'environment', 'accountKey')`
   select count(*) as open from card_detachment
   where merchant_id = :merchantId and environment = :environment
     and account_key = :accountKey and done_at is null`,
  { readsWholeTables: true },
);

export const countOpenDetachments = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  accountKey: string,
): Promise<bigint> => {
  const [row] = await database.tenant(tenant.merchantId, count, { ...tenant, accountKey });
  return row?.open ?? 0n;
};

/** Cards and customers that are still at the processor. */
export const stuckDetachments = [
  stuckRows({
    ...{ kind: 'DETACH_CARD', merchantId: 'w.merchant_id', workId: 'w.reference_id' },
    ...{ from: 'card_detachment w', where: 'w.done_at is null', dueAt: 'w.due_at' },
    ...{ since: 'w.written_at', leasedUntil: 'w.leased_until', lastError: 'w.last_error' },
    ...{ attempts: 'w.attempts', longestPause: '6 hours' },
  }),
];

export const hurryDetachment = statement<
  Tenant & { readonly workId: string },
  { readonly reference_id: string }
>(
  'card_hurry_detachment',
  sql('merchantId', 'environment', 'workId')`
   update card_detachment set due_at = least(due_at, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment
     and reference_id = :workId::uuid and done_at is null
   returning reference_id`,
  { guardedBy: 'a due time that is only made earlier; a lease is left alone' },
);
