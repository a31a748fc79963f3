import { limits } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type Named = {
  readonly environment: Environment;
  readonly institutionId: string;
  /** By which the bank names the payment. */
  readonly reference: string;
};

/**
 * The next poll of the payment that a bank names is due now, or some seconds after the last time it
 * said so. A poll that runs meanwhile may have been answered before the change: another follows it.
 * To the millisecond, because the plan is compared with what a program has read of it.
 */
export const hurryPoll = statement<Named, never>(
  'payment_hurry_poll',
  sql('environment', 'institutionId', 'reference')`
   with named as materialized (
     select p.merchant_id, p.environment, p.attempt_id,
       greatest(date_trunc('milliseconds', statement_timestamp()), p.hinted_at
         + interval '${limits.bankEventSpacingSeconds} seconds') as due_at
     from attempt a join attempt_poll p on p.merchant_id = a.merchant_id
       and p.environment = a.environment and p.attempt_id = a.attempt_id
     where a.environment = :environment and a.institution_id = :institutionId
       and a.bank_payment_reference = :reference and a.step = 'SUBMITTED'
     for update of p)
   update attempt_poll p set poll_at = n.due_at, hinted_at = n.due_at, leased_until = null,
     poll_business_at = n.due_at + (p.poll_business_at - p.poll_at),
     watch_from = least(p.watch_from, n.due_at)
   from named n
   where p.merchant_id = n.merchant_id and p.environment = n.environment
     and p.attempt_id = n.attempt_id and (p.poll_at > n.due_at
       or p.poll_at <= statement_timestamp() and p.leased_until > statement_timestamp())`,
  { guardedBy: 'a due time that is only made earlier, or that of a poll which runs already' },
);
