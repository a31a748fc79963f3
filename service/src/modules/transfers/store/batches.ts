import type { Environment, Tenant } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';
import type { SubmitOutcome, TransferAccount } from '#rails/transfer-rail.ts';
import type { TransferSubject } from '../report-transfers.ts';

export type Refusal = Extract<SubmitOutcome, { readonly kind: 'REFUSED' }>;

export type BatchRow = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly message_id: string;
  readonly subject: TransferSubject;
  /** Number of claims, this one included. Writes under an older claim have no effect. */
  readonly submissions: number;
  readonly execution_date: string;
  readonly debtor: TransferAccount;
  readonly on_behalf_of: string;
  readonly created_at: Date;
  readonly refusal: Refusal | null;
};

const isFree = '(leased_until is null or leased_until < statement_timestamp())';

export const submitDueAt = earliestDue({
  at: 'due_at',
  from: 'transfer_batch',
  indexed: `status = 'OPEN'`,
  and: isFree,
});

/** The submission is counted before the bank is called: after a crash the next worker looks it up first. */
export const claimBatches = statement<{ limit: number; leaseMs: number }, BatchRow>(
  'transfer_claim_batches',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select merchant_id, environment, message_id from transfer_batch
     where ${ofShare()} and status = 'OPEN' and due_at <= statement_timestamp()
       and ${isFree}
       -- After a restore the bank may have them under other ids: a person says first that it is known.
       and not exists (select from cluster_epoch where confirmed_at is null)
     order by due_at limit :limit for update skip locked`)})
   update transfer_batch b set submissions = b.submissions + 1,
     leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where b.merchant_id = due.merchant_id and b.environment = due.environment
     and b.message_id = due.message_id
   returning b.merchant_id, b.environment, b.message_id, b.subject, b.submissions,
     b.execution_date::text, b.debtor, b.on_behalf_of, b.created_at, b.refusal`,
  { guardedBy: 'lease and skip locked: one worker at a time' },
);

export type TransferRow = {
  readonly end_to_end_id: string;
  readonly subject_id: string;
  readonly amount_pence: bigint;
  readonly creditor_encrypted: Buffer;
  readonly reference: string;
};

export const readTransfers = statement<Tenant & { readonly messageId: string }, TransferRow>(
  'transfer_read',
  sql('merchantId', 'environment', 'messageId')`
   select end_to_end_id, subject_id, amount_pence, creditor_encrypted, reference from transfer
   where merchant_id = :merchantId and environment = :environment and message_id = :messageId
   order by position`,
);

/** The batch as a worker claimed it. */
export type BatchClaim = Tenant & { readonly messageId: string; readonly submissions: number };
type Held = { readonly message_id: string };

const isHeld = sql('merchantId', 'environment', 'messageId', 'submissions')`
  merchant_id = :merchantId and environment = :environment and message_id = :messageId
  and status = 'OPEN' and submissions = :submissions`;
const guardedBy = 'status is OPEN and no later claim: only the newest claim of a batch changes it';

export const endBatch = statement<BatchClaim & { status: 'SUBMITTED' | 'REFUSED' }, Held>(
  'transfer_end_batch',
  sql('status')`
   update transfer_batch set status = :status, leased_until = null
   where ${isHeld} returning message_id`,
  { guardedBy },
);

export const postponeBatch = statement<BatchClaim & { delayMs: number; error: string }, Held>(
  'transfer_postpone_batch',
  sql('delayMs', 'error')`
   update transfer_batch set leased_until = null, last_error = :error,
     due_at = clock_timestamp() + :delayMs * interval '1 millisecond'
   where ${isHeld} returning message_id`,
  { guardedBy },
);

/** Before the transfers of a refused batch are failed: from here on it is never sent again. */
export const noteRefusal = statement<BatchClaim & { leaseMs: number; refusal: string }, Held>(
  'transfer_note_refusal',
  sql('leaseMs', 'refusal')`
   update transfer_batch set refusal = :refusal::jsonb,
     leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   where ${isHeld} returning message_id`,
  { guardedBy },
);

export type FoundTransfer = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly subject: TransferSubject;
  readonly subject_id: string;
  readonly end_to_end_id: string;
  readonly amount_pence: bigint;
};

export type FoundOrder = FoundTransfer & { readonly creditor_encrypted: Buffer };

/** A message of the bank names no merchant. */
export const findTransfers = statement<
  { readonly environment: string; readonly endToEndIds: readonly string[] },
  FoundOrder
>(
  'transfer_find',
  sql('environment', 'endToEndIds')`
   select t.merchant_id, t.environment, b.subject, t.subject_id, t.end_to_end_id,
     t.amount_pence, t.creditor_encrypted
   from transfer t join transfer_batch b on b.merchant_id = t.merchant_id
     and b.environment = t.environment and b.message_id = t.message_id
   where t.end_to_end_id = any (:endToEndIds::text[]) and t.environment = :environment`,
);

export const findTransfersOfBatch = statement<
  { readonly environment: string; readonly messageId: string },
  FoundTransfer
>(
  'transfer_find_of_batch',
  sql('environment', 'messageId')`
   select b.merchant_id, b.environment, b.subject, t.subject_id, t.end_to_end_id,
     t.amount_pence
   from transfer_batch b join transfer t on t.merchant_id = b.merchant_id
     and t.environment = b.environment and t.message_id = b.message_id
   where b.message_id = :messageId and b.environment = :environment order by t.position`,
);

/** Batches that the bank has not taken, and notices that were not followed. */
export const stuckTransfers = [
  stuckRows({
    ...{ kind: 'SUBMIT_TRANSFERS', merchantId: 'w.merchant_id', workId: 'w.message_id' },
    ...{ from: 'transfer_batch w', where: `w.status = 'OPEN'`, dueAt: 'w.due_at' },
    ...{ since: 'w.created_at', leasedUntil: 'w.leased_until', lastError: 'w.last_error' },
    ...{ attempts: 'w.submissions', longestPause: '1 minute' },
  }),
  stuckRows({
    ...{ kind: 'READ_BANK_MESSAGES', workId: 'w.environment' },
    ...{ from: 'bank_notice w', where: 'w.noticed > w.followed', dueAt: 'w.noticed_at' },
  }),
];

/** The next claim still looks first whether the bank has the batch. */
export const hurryBatch = statement<
  Tenant & { readonly workId: string },
  { readonly message_id: string }
>(
  'transfer_hurry_batch',
  sql('merchantId', 'environment', 'workId')`
   update transfer_batch set due_at = least(due_at, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment and message_id = :workId
     and status = 'OPEN' and submissions > 0
   returning message_id`,
  { guardedBy: 'a due time that is only made earlier; a lease is left alone' },
);

/** Read before the balance: a decision is committed only while its turn is the present one. */
export const readTurn = statement<Tenant, { readonly version: number }>(
  'outgoing_turn_read',
  sql('merchantId', 'environment')`
   with made as (
     insert into outgoing_turn (merchant_id, environment) values (:merchantId, :environment)
     on conflict do nothing returning version)
   select version from made union all
   select version from outgoing_turn
   where merchant_id = :merchantId and environment = :environment`,
  { guardedBy: 'primary key: the first row stays' },
);
