import { limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { longestMailPause, neverMailed } from '#rails/mail-rail.ts';

type MailRow = {
  readonly recipient: string | null;
  readonly subject: string;
  readonly body: string;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly last_error: string | null;
};

/** Without the statements of production: who reads the log of webhooks may know nothing of the money. */
export const listMails = statement<Tenant & { readonly limit: number }, MailRow>(
  'mail_list',
  sql('merchantId', 'environment', 'limit')`
   select recipient, subject, body, created_at, sent_at, last_error from mail_outbox
   where merchant_id = :merchantId and environment = :environment
     and (kind <> 'STATEMENT' or environment = 'SANDBOX')
   order by mail_id desc limit :limit`,
);

export type ClaimedMail = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly mail_id: bigint;
  readonly attempts: number;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly body_html: string | null;
};

const isFree = `recipient is not null
       and (leased_until is null or leased_until < statement_timestamp())`;

export const mailDueAt = earliestDue({
  at: 'due_at',
  from: 'mail_outbox',
  indexed: 'sent_at is null',
  and: isFree,
});

export const claimMails = statement<
  { readonly limit: number; readonly leaseMs: number },
  ClaimedMail
>(
  'mail_claim',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select merchant_id, environment, mail_id from mail_outbox
     where ${ofShare()} and sent_at is null and due_at <= statement_timestamp() and ${isFree}
     order by due_at limit :limit for update skip locked`)})
   update mail_outbox m set attempts = m.attempts + 1,
     leased_until = now() + :leaseMs::int * interval '1 millisecond'
   from due where m.merchant_id = due.merchant_id and m.environment = due.environment
     and m.mail_id = due.mail_id
   returning m.merchant_id, m.environment, m.mail_id, m.attempts, m.recipient, m.subject, m.body,
     m.body_html`,
  {
    guardedBy: 'lease and skip locked: one worker at a time; attempts is the fence of its outcome',
  },
);

/** `error` null: it was sent. Otherwise it is tried again, later each time, without end. */
export const finishMail = statement<
  Tenant & {
    readonly mailId: bigint;
    readonly attempts: number;
    readonly error: string | null;
    readonly retryMs: number;
  },
  never
>(
  'mail_finish',
  sql('error', 'retryMs', 'merchantId', 'environment', 'mailId', 'attempts')`
   update mail_outbox set leased_until = null, last_error = :error,
     sent_at = case when :error::text is null then clock_timestamp() end,
     due_at = case when :error::text is null then due_at
       else now() + :retryMs::bigint * interval '1 millisecond' end
   where merchant_id = :merchantId and environment = :environment and mail_id = :mailId
     and attempts = :attempts::smallint and sent_at is null`,
  { guardedBy: 'fence: attempts as claimed and sent_at is null' },
);

export const pruneMails = statement<{ readonly retentionDays: number }, { merchant_id: string }>(
  'mail_prune',
  sql('retentionDays')`
   delete from mail_outbox where sent_at < now() - :retentionDays::int * interval '1 day'
     or environment = 'SANDBOX' and sent_at is null and due_at >= ${neverMailed}
       and created_at < now() - :retentionDays::int * interval '1 day'
   returning merchant_id`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);

/**
 * Queues a mail to the merchant's address and to each owner who signs in, as part of a statement with a
 * row of `mail` (key, text) if there is anything to say. Sent once, however often it is queued.
 */
export const mailOwnersCtes = sql('merchantId', 'environment', 'mailKind', 'mailSubject')`
   mailed_owner as (
     select lower(m.owner_email) as address from merchant m
     where m.merchant_id = :merchantId and m.owner_email is not null
     union select p.email from membership w join person p on p.person_id = w.person_id
     where w.merchant_id = :merchantId and w.role = 'owner'),
   queued_mail as (
     insert into mail_outbox (merchant_id, environment, kind, dedupe_key, recipient, subject, body,
       created_at)
     select :merchantId, :environment, :mailKind, concat_ws(':', :mailKind::text, mail.key, o.address),
       o.address, :mailSubject, mail.text, clock_timestamp()
     from mail, mailed_owner o
     on conflict (merchant_id, environment, dedupe_key) do nothing)`;

/** Mails to a merchant that failed, as rows of the operator's list (DASHBOARD-23). */
export const failedMails = sql()`
   (${ofEachEnvironment(sql('limit')`
    select 'MERCHANT' as source, m.kind, m.merchant_id, m.environment,
      concat_ws('.', m.merchant_id, m.environment, m.mail_id) as mail_id,
      m.recipient, null::bytea as recipient_encrypted, null::uuid as attempt_id, m.created_at,
      m.due_at, m.leased_until, false as is_given_up, false as is_late,
      m.attempts::int as attempts, m.last_error
    from (select * from mail_outbox
      where ${ofShare()} and sent_at is null and due_at <= statement_timestamp() + ${longestMailPause}
      order by due_at limit ${limits.stuckScanMax}) m
    where m.last_error is not null order by m.created_at desc limit :limit`)})`;

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
