import { limits } from '@florin/contract';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { longestMailPause } from '#rails/mail-rail.ts';

const columns = sql()`'PERSON' as source, m.kind, (m.detail->>'merchantId')::uuid as merchant_id,
      upper(m.detail->>'environment') as environment, m.mail_id::text as mail_id, m.recipient,
      null::bytea as recipient_encrypted, null::uuid as attempt_id, m.created_at, m.due_at,
      m.leased_until, m.given_up_at is not null as is_given_up,
      m.expires_at <= statement_timestamp() as is_late, m.attempts::int as attempts, m.last_error`;

/** Mails to people that failed, as rows of the operator's list (DASHBOARD-23). */
export const failedPersonMails = sql('limit')`
   (select ${columns} from (select * from person_mail
      where sent_at is null and given_up_at is null
        and due_at <= statement_timestamp() + ${longestMailPause}
      order by due_at limit ${limits.stuckScanMax}) m
    where m.last_error is not null order by m.created_at desc limit :limit)
   union all
   (select ${columns} from person_mail m where m.given_up_at is not null
    order by m.given_up_at desc limit :limit)`;

/** One that was given up gets one more try. What has ended is not sent. */
export const sendPersonMailAgain = statement<
  { readonly mailId: string },
  { readonly mail_id: string }
>(
  'person_mail_send_again',
  sql('mailId')`
   update person_mail set given_up_at = null, due_at = least(due_at, statement_timestamp())
   where mail_id = :mailId::uuid and sent_at is null and expires_at > statement_timestamp()
   returning mail_id`,
  { guardedBy: 'sent_at is null, and a due time that is only made earlier' },
);
