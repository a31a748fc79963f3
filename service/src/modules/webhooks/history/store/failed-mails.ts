import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { longestMailPause } from '#rails/mail-rail.ts';

/** Mails to a merchant that failed, as rows of the operator's list (DASHBOARD-23). */
export const failedMails = sql('limit')`
   (select 'MERCHANT' as source, m.kind, m.merchant_id, m.environment,
      concat_ws('.', m.merchant_id, m.environment, m.mail_id) as mail_id,
      m.recipient, null::bytea as recipient_encrypted, null::uuid as attempt_id, m.created_at,
      m.due_at, m.leased_until, false as is_given_up, false as is_late,
      m.attempts::int as attempts, m.last_error
    from (select * from mail_outbox
      where sent_at is null and due_at <= statement_timestamp() + ${longestMailPause}
      order by due_at limit ${limits.stuckScanMax}) m
    where m.last_error is not null order by m.created_at desc limit :limit)`;

export const sendMailAgain = statement<
  Tenant & { readonly mailId: string },
  { readonly mail_id: bigint }
>(
  'mail_send_again',
  sql('merchantId', 'environment', 'mailId')`
   update mail_outbox set due_at = least(due_at, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment and mail_id = :mailId::bigint
     and sent_at is null
   returning mail_id`,
  { guardedBy: 'sent_at is null, and a due time that is only made earlier' },
);
