import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';

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
