import { earliestDue } from '#platform/database/earliest-due.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { MailKind } from '../person-kinds.ts';

export type MailRow = {
  readonly mail_id: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly detail: Readonly<Record<string, string | null>>;
};

const open = 'sent_at is null and given_up_at is null';
const isFree = '(leased_until is null or leased_until < statement_timestamp())';

export const personMailDueAt = earliestDue({
  at: 'due_at',
  from: 'person_mail',
  indexed: open,
  and: isFree,
});

export type ClaimedMail = MailRow & {
  readonly attempts: number;
  /** What it says is of no use any more. */
  readonly is_late: boolean;
};

export const claimPersonMails = statement<
  { readonly limit: number; readonly leaseMs: number },
  ClaimedMail
>(
  'person_mail_claim',
  sql('limit', 'leaseMs')`
   with due as materialized (
     select mail_id from person_mail
     where ${open} and due_at <= statement_timestamp() and ${isFree}
     order by due_at limit :limit for update skip locked)
   update person_mail m set attempts = m.attempts + 1,
     leased_until = now() + :leaseMs::int * interval '1 millisecond'
   from due where m.mail_id = due.mail_id
   returning m.mail_id, m.kind, m.recipient, m.detail, m.attempts,
     m.expires_at <= statement_timestamp() as is_late`,
  {
    guardedBy: 'lease and skip locked: one worker at a time; attempts is the fence of its outcome',
  },
);

/** `error` null: handed over. Otherwise it is sent again later; `retryMs` null: never again. */
export const finishPersonMail = statement<
  {
    readonly mailId: string;
    readonly attempts: number;
    readonly error: string | null;
    readonly retryMs: number | null;
  },
  never
>(
  'person_mail_finish',
  sql('error', 'retryMs', 'mailId', 'attempts')`
   update person_mail set leased_until = null, last_error = :error::text,
     sent_at = case when :error::text is null then clock_timestamp() end,
     given_up_at = case when :error::text is not null and :retryMs::bigint is null
       then clock_timestamp() end,
     due_at = case when :error::text is null or :retryMs::bigint is null then due_at
       else now() + :retryMs::bigint * interval '1 millisecond' end
   where mail_id = :mailId::uuid and attempts = :attempts::smallint and ${open}`,
  { guardedBy: 'fence: attempts as claimed, neither sent nor given up' },
);

export type ListedMailRow = MailRow & {
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly last_error: string | null;
};

export const listPersonMails = statement<{ readonly limit: number }, ListedMailRow>(
  'person_mail_list',
  sql('limit')`
   select mail_id, kind, recipient, detail, created_at, sent_at, last_error
   from person_mail order by created_at desc, mail_id limit :limit`,
);

/** What was not sent and still holds. */
export const listPersonMailsTo = statement<
  { readonly email: string; readonly limit: number },
  MailRow
>(
  'person_mail_list_to',
  sql('email', 'limit')`
   select mail_id, kind, recipient, detail from person_mail
   where recipient = :email and sent_at is null and expires_at > statement_timestamp()
   order by created_at desc, mail_id limit :limit`,
);

/** With the links and allowances that have ended. */
export const prunePersonMails = statement<
  { readonly storedDays: number; readonly limit: number },
  { readonly pruned: bigint }
>(
  'person_mail_prune',
  sql('storedDays', 'limit')`
   with old as materialized (
     select mail_id from person_mail
     where created_at < now() - :storedDays::int * interval '1 day' order by created_at limit :limit),
   gone as (delete from person_mail m using old where m.mail_id = old.mail_id returning 1),
   ended as materialized (
     select token_sha256 from person_link where expires_at < now() order by expires_at limit :limit),
   unlinked as (
     delete from person_link l using ended where l.token_sha256 = ended.token_sha256),
   free as materialized (
     select subject, kind from mail_allowance
     where window_ends_at < now() order by window_ends_at limit :limit),
   freed as (
     delete from mail_allowance a using free
     where a.subject = free.subject and a.kind = free.kind and a.window_ends_at < now())
   select count(*) as pruned from gone`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);
