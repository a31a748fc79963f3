import { limits } from '@florin/contract';
import { earliestDueOfAll } from '#platform/database/earliest-due.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { longestMailPause } from '#rails/mail-rail.ts';
import type { MailKind } from '../queue-link-mail.ts';

export type MailRow = {
  readonly mail_id: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly detail: Readonly<Record<string, string | null>>;
};

const open = 'sent_at is null and given_up_at is null';
const isFree = '(leased_until is null or leased_until < statement_timestamp())';

export const personMailDueAt = earliestDueOfAll({
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

type ListedMailRow = MailRow & {
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

/** Until a member chooses another. */
export const failingHoursDefault = 24;

/**
 * `reader`: the members who want what the rows of `from` are about, and may know it. These rows have
 * merchant_id, environment, kind and detail; `more` names further columns that are passed on. An address
 * that is not proven gets nothing about a business.
 */
export const readersSql = (
  from: string,
  more: readonly string[] = [],
): Fragment<'roles' | 'defaults'> =>
  sql('roles', 'defaults')`
   reader as materialized (
     select p.person_id, p.email, d.kind, d.merchant_id, d.environment,
       d.detail || jsonb_build_object('merchantId', d.merchant_id,
         'environment', lower(d.environment), 'businessName', b.business_name) as detail,
       coalesce(s.failing_hours, ${failingHoursDefault}) as failing_hours
       ${more.map((column) => `, d.${column}`).join('')}
     from ${from} d
     join membership m on m.merchant_id = d.merchant_id
     join person p on p.person_id = m.person_id and p.email_verified
     join merchant b on b.merchant_id = d.merchant_id
     left join member_notification s on s.merchant_id = d.merchant_id
       and s.environment = d.environment and s.person_id = m.person_id
     where (d.environment = 'SANDBOX' or m.in_production)
       and jsonb_exists(:roles::jsonb -> d.kind, m.role)
       and case when s.person_id is null
         then d.environment = 'PRODUCTION' and d.kind = any (:defaults::text[])
         else d.kind = any (s.kinds) end)`;

/** Mails to rows of `reader`, as `from` names them. */
export const memberMailsSql = (from: string): Fragment<'expiresAt'> =>
  sql('expiresAt')`
   mailed as (
     insert into person_mail (person_id, kind, recipient, detail, expires_at)
     select r.person_id, r.kind, r.email, r.detail, :expiresAt::timestamptz from ${from}
     returning 1)`;
