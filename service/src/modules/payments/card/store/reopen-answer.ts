import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import { answerLifecycle } from '../../core/payment-lifecycles.ts';

const answered = 'SUBMITTED';
const trigger = 'reopened';

/** No row: no answer was sent of an inquiry, or the bank has taken nothing, or it is decided. */
const reopen = statement<
  Tenant & { readonly disputeReference: string; readonly toStatus: string },
  { readonly answer_id: string }
>(
  'dispute_answer_reopen',
  sql('merchantId', 'environment', 'disputeReference', 'toStatus')`
   with moved as (
     update dispute_answer d set status = :toStatus::text, version = d.version + 1,
       updated_at = t.instant
     from attempt a cross join lateral jsonb_array_elements(a.disputes) as e (dispute),
       (select business_now(:merchantId, :environment) as instant) t
     where d.merchant_id = :merchantId and d.environment = :environment
       and d.dispute_reference = :disputeReference and d.status = '${answered}'
       and d.answers_inquiry
       and a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = d.attempt_id and e.dispute->>'reference' = :disputeReference
       and e.dispute->>'status' = 'OPEN' and (e.dispute->>'amountPence')::bigint > 0
     returning d.answer_id, d.version, d.updated_at),
   history as (
     insert into dispute_answer_history (merchant_id, environment, answer_id, version, from_status,
       to_status, trigger, occurred_at)
     select :merchantId, :environment, answer_id, version, '${answered}', :toStatus::text,
       '${trigger}', updated_at from moved)
   select answer_id from moved`,
  { guardedBy: 'the status, and that it was sent of an inquiry, which the next one is not' },
);

/** A bank that only asked takes the money now, under the same id: the answer is a draft again (CARD-21). */
export const reopenAnswer = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  disputeReference: string,
): Promise<void> => {
  const toStatus = answerLifecycle.next(answered, trigger);
  if (toStatus)
    await database.tenant(tenant.merchantId, reopen, { ...tenant, disputeReference, toStatus });
};
