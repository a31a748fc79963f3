import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';

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
