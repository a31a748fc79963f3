import { limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { mayMailSql } from '#modules/people/index.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql, value } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { longestMailPause, neverMailed } from '#rails/mail-rail.ts';

export type NewReceipt = Tenant & {
  readonly kind: 'RECEIPT' | 'REFUND';
  /** Of a refund its own id. */
  readonly attemptId: string;
  readonly paymentRequestId: string;
  readonly recipientEncrypted: Buffer;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly limit: number;
  /** Who gets it, to be compared with the members. */
  readonly recipient: string;
};

const ofMail = [
  ...(['merchantId', 'environment', 'paymentRequestId', 'limit'] as const),
  ...(['recipientEncrypted', 'subject', 'text', 'html'] as const),
] as const;

/** No row: the receipt of this payment or refund was requested as often as allowed. */
export const insertReceipt = statement<NewReceipt, { readonly is_caught: boolean }>(
  'receipt_insert',
  sql(...ofMail, 'kind', 'attemptId')`
   with allowed as (
     insert into receipt_allowance as known (merchant_id, environment, attempt_id, request_count)
     select merchant_id, environment, attempt_id, 1 from attempt
     where merchant_id = :merchantId and environment = :environment
       and attempt_id = :attemptId::uuid and status = 'COMPLETED' and :kind::text = 'RECEIPT'
     union all
     select merchant_id, environment, refund_id, 1 from refund
     where merchant_id = :merchantId and environment = :environment
       and refund_id = :attemptId::uuid and status in ('PENDING', 'COMPLETED')
       and :kind::text = 'REFUND'
     on conflict (merchant_id, environment, attempt_id) do update
       set request_count = known.request_count + 1
       where known.request_count < :limit::int
     returning request_count)
   insert into receipt_mail (merchant_id, environment, attempt_id, position, payment_request_id, kind,
     recipient_encrypted, subject, body_text, body_html, due_at)
   select :merchantId::uuid, :environment::text, :attemptId::uuid, request_count,
     :paymentRequestId::uuid, :kind::text,
     :recipientEncrypted::bytea, :subject::text, :text::text, :html::text,
     case when ${mayMailSql(value('recipient'))} then clock_timestamp() else ${neverMailed} end
   from allowed
   returning due_at = ${neverMailed} as is_caught`,
  { guardedBy: 'receipt_allowance row is locked by the upsert: never more than the limit' },
);

export type ReceiptedRefund = {
  readonly refund_id: string;
  readonly payment_idempotency_id: string;
  readonly status: string;
  readonly amount_pence: bigint;
  readonly refunded_at: Date;
};

export const findReceiptedRefund = statement<
  Tenant & { readonly paymentRequestId: string; readonly refundId: string },
  ReceiptedRefund
>(
  'receipt_refund',
  sql('merchantId', 'environment', 'paymentRequestId', 'refundId')`
   select refund_id, payment_idempotency_id, status, amount_pence,
     coalesce(handed_over_at, created_at) as refunded_at
   from refund where merchant_id = :merchantId and environment = :environment
     and refund_id = :refundId::uuid and payment_request_id = :paymentRequestId::uuid`,
);

export type NewLinkMail = Tenant & {
  readonly paymentRequestId: string;
  readonly recipientEncrypted: Buffer;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly limit: number;
  readonly dayLimit: number;
  readonly idempotencyKey: string | null;
  readonly bodySha256: Buffer | null;
  readonly reply: string;
};

/** No row: it is not open, or this link or the merchant's day has had as many as allowed. */
export const insertLinkMail = statement<NewLinkMail, { readonly position: number }>(
  'link_mail_insert',
  sql(...ofMail, 'dayLimit', 'idempotencyKey', 'bodySha256', 'reply')`
   with day as (
     insert into link_mail_day as known (merchant_id, environment, day, mails)
     select r.merchant_id, r.environment, (clock_timestamp() at time zone 'Europe/London')::date, 1
     from payment_request r
     where r.merchant_id = :merchantId and r.environment = :environment
       and r.payment_request_id = :paymentRequestId::uuid and r.status = 'OPEN'
       and not exists (select from merchant_switch w where w.merchant_id = :merchantId
         and w.environment = :environment and w.suspension_id is not null)
       and not exists (select from receipt_allowance a where a.merchant_id = :merchantId
         and a.environment = :environment and a.attempt_id = :paymentRequestId::uuid
         and a.request_count >= :limit::int)
     on conflict (merchant_id, environment, day) do update set mails = known.mails + 1
       where known.mails < :dayLimit::int
     returning day),
   allowed as (
     insert into receipt_allowance as known (merchant_id, environment, attempt_id, request_count)
     select :merchantId::uuid, :environment::text, :paymentRequestId::uuid, 1 from day
     on conflict (merchant_id, environment, attempt_id) do update
       set request_count = known.request_count + 1
       where known.request_count < :limit::int
     returning request_count),
   mailed as (
     insert into receipt_mail (merchant_id, environment, attempt_id, position, payment_request_id,
       kind, recipient_encrypted, subject, body_text, body_html)
     select :merchantId::uuid, :environment::text, :paymentRequestId::uuid, request_count,
       :paymentRequestId::uuid, 'LINK', :recipientEncrypted::bytea, :subject::text, :text::text,
       :html::text
     from allowed
     returning position),
   claimed as (
     insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256,
       status_code, reply)
     select :merchantId, :environment, 'mailPaymentLink', :idempotencyKey::text,
       :bodySha256::bytea, 200, :reply
     from mailed where :idempotencyKey::text is not null
     on conflict do nothing returning idempotency_key)
   select position from mailed
   where require_idempotency_key(:idempotencyKey::text is null or exists (select from claimed))`,
  {
    guardedBy:
      'rows of day and link are locked by their upserts: never more than the limits; unique ' +
      'Idempotency-Key',
  },
);

/** How many mails this link and the merchant's day have had, and when the next day of London begins. */
export const countLinkMails = statement<
  Tenant & { readonly paymentRequestId: string },
  { readonly of_link: number; readonly of_day: number; readonly next_day_seconds: number }
>(
  'link_mail_count',
  sql('merchantId', 'environment', 'paymentRequestId')`
   select
     coalesce((select request_count from receipt_allowance where merchant_id = :merchantId
       and environment = :environment and attempt_id = :paymentRequestId::uuid), 0)::int as of_link,
     coalesce((select mails from link_mail_day where merchant_id = :merchantId
       and environment = :environment and day = london.today), 0)::int as of_day,
     ceil(extract(epoch from (london.today + 1)::timestamp at time zone 'Europe/London'
       - clock_timestamp()))::int as next_day_seconds
   from (select (clock_timestamp() at time zone 'Europe/London')::date as today) london`,
);

export type ReceiptRow = {
  readonly payment_request_id: string;
  readonly attempt_id: string;
  readonly recipient_encrypted: Buffer | null;
  readonly subject: string;
  readonly body_text: string;
  readonly body_html: string;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly last_error: string | null;
};

export const listReceipts = statement<Tenant & { readonly limit: number }, ReceiptRow>(
  'receipt_list',
  sql('merchantId', 'environment', 'limit')`
   select payment_request_id, attempt_id, recipient_encrypted, subject, body_text, body_html,
     created_at, sent_at, last_error
   from receipt_mail where merchant_id = :merchantId and environment = :environment
   order by created_at desc, attempt_id, position desc limit :limit`,
);

export type ClaimedReceipt = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly attempt_id: string;
  readonly position: number;
  readonly attempts: number;
  readonly recipient_encrypted: Buffer;
  readonly subject: string;
  readonly body_text: string;
  readonly body_html: string;
};

const isFree = '(leased_until is null or leased_until < statement_timestamp())';

export const receiptDueAt = earliestDue({
  at: 'due_at',
  from: 'receipt_mail',
  indexed: 'sent_at is null',
  and: isFree,
});

export const claimReceipts = statement<
  { readonly limit: number; readonly leaseMs: number },
  ClaimedReceipt
>(
  'receipt_claim',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select merchant_id, environment, attempt_id, position from receipt_mail
     where ${ofShare()} and sent_at is null and due_at <= statement_timestamp() and ${isFree}
     order by due_at limit :limit for update skip locked`)})
   update receipt_mail m set attempts = m.attempts + 1,
     leased_until = now() + :leaseMs::int * interval '1 millisecond'
   from due where m.merchant_id = due.merchant_id and m.environment = due.environment
     and m.attempt_id = due.attempt_id and m.position = due.position
   returning m.merchant_id, m.environment, m.attempt_id, m.position, m.attempts,
     m.recipient_encrypted, m.subject, m.body_text, m.body_html`,
  {
    guardedBy: 'lease and skip locked: one worker at a time; attempts is the fence of its outcome',
  },
);

/** `error` null: handed over, and the address is deleted. Otherwise it is retried later. */
export const finishReceipt = statement<
  Tenant & {
    readonly attemptId: string;
    readonly position: number;
    readonly attempts: number;
    readonly error: string | null;
    readonly retryMs: number;
  },
  never
>(
  'receipt_finish',
  sql('error', 'retryMs', 'merchantId', 'environment', 'attemptId', 'position', 'attempts')`
   update receipt_mail set leased_until = null, last_error = :error,
     sent_at = case when :error::text is null then clock_timestamp() end,
     recipient_encrypted = case when :error::text is null then null else recipient_encrypted end,
     due_at = case when :error::text is null then due_at
       else now() + :retryMs::bigint * interval '1 millisecond' end
   where merchant_id = :merchantId and environment = :environment and attempt_id = :attemptId
     and position = :position::smallint and attempts = :attempts::int and sent_at is null`,
  { guardedBy: 'fence: attempts as claimed and sent_at is null' },
);

export const pruneReceipts = statement<
  { readonly storedDays: number; readonly limit: number },
  { readonly pruned: bigint; readonly unsent: bigint }
>(
  'receipt_prune',
  sql('storedDays', 'limit')`
   with old as materialized (
     select merchant_id, environment, attempt_id, position from receipt_mail
     where created_at < now() - :storedDays::int * interval '1 day' order by created_at limit :limit),
   gone as (
     delete from receipt_mail m using old
     where m.merchant_id = old.merchant_id and m.environment = old.environment
       and m.attempt_id = old.attempt_id and m.position = old.position
     returning m.merchant_id, m.environment, m.attempt_id, m.sent_at, m.due_at),
   days as (
     delete from link_mail_day
     where day < (now() - :storedDays::int * interval '1 day')::date),
   freed as (
     delete from receipt_allowance known using gone
     where known.merchant_id = gone.merchant_id and known.environment = gone.environment
       and known.attempt_id = gone.attempt_id)
   select count(*) as pruned, count(*) filter (where sent_at is null and due_at < ${neverMailed}) as unsent
   from gone`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);

/** Those that failed, as rows of the operator's list (DASHBOARD-23). */
export const failedReceipts = sql()`
   (${ofEachEnvironment(sql('limit')`
    select 'RECEIPT' as source, m.kind, m.merchant_id, m.environment,
      concat_ws('.', m.merchant_id, m.environment, m.attempt_id, m.position) as mail_id,
      null::text as recipient, m.recipient_encrypted, m.attempt_id, m.created_at, m.due_at,
      m.leased_until, false as is_given_up, false as is_late, m.attempts::int as attempts,
      m.last_error
    from (select * from receipt_mail
      where ${ofShare()} and sent_at is null and due_at <= statement_timestamp() + ${longestMailPause}
      order by due_at limit ${limits.stuckScanMax}) m
    where m.last_error is not null order by m.created_at desc limit :limit`)})`;

export const sendReceiptAgain = statement<
  Tenant & { readonly attemptId: string; readonly position: number },
  { readonly position: number }
>(
  'receipt_send_again',
  sql('merchantId', 'environment', 'attemptId', 'position')`
   update receipt_mail set due_at = least(due_at, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment
     and attempt_id = :attemptId::uuid and position = :position::int and sent_at is null
     and last_error is not null
   returning position`,
  { guardedBy: 'one that failed and is not sent, and a due time that is only made earlier' },
);
