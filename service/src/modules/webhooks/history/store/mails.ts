import type { Environment } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type MailRow = {
  readonly recipient: string | null;
  readonly subject: string;
  readonly body: string;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly last_error: string | null;
};

export const listMails = statement<
  { readonly merchantId: string; readonly environment: Environment; readonly limit: number },
  MailRow
>(
  'mail_list',
  sql('merchantId', 'environment', 'limit')`
   select recipient, subject, body, created_at, sent_at, last_error from mail_outbox
   where merchant_id = :merchantId and environment = :environment
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
  sql('limit', 'leaseMs')`
   with due as materialized (
     select merchant_id, environment, mail_id from mail_outbox
     where sent_at is null and due_at <= statement_timestamp() and ${isFree}
     order by due_at limit :limit for update skip locked)
   update mail_outbox m set attempts = m.attempts + 1,
     leased_until = now() + :leaseMs::int * interval '1 millisecond'
   from due where m.merchant_id = due.merchant_id and m.environment = due.environment
     and m.mail_id = due.mail_id
   returning m.merchant_id, m.environment, m.mail_id, m.attempts, m.recipient, m.subject, m.body`,
  {
    guardedBy: 'lease and skip locked: one worker at a time; attempts is the fence of its outcome',
  },
);

/** `error` null: it was sent. Otherwise it is tried again, later each time, without end. */
export const finishMail = statement<
  {
    readonly merchantId: string;
    readonly environment: Environment;
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
   returning merchant_id`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);
