import { limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';
import type { CreditStatus } from '../credit-lifecycle.ts';

export type MatchedBy = 'END_TO_END_ID' | 'AMOUNT_AND_NAME' | 'OPERATOR';

export type CreditRow = {
  readonly environment: Environment;
  readonly credit_id: string;
  readonly status: CreditStatus;
  readonly amount_pence: bigint;
  readonly bank_reference: string | null;
  readonly booked_on: string | null;
  readonly end_to_end_id: string | null;
  readonly payer_name: string | null;
  readonly remittance: string | null;
  readonly is_returned: boolean;
  readonly merchant_id: string | null;
  readonly payment_request_id: string | null;
  readonly attempt_id: string | null;
  readonly matched_by: MatchedBy | null;
  readonly matched_at: Date | null;
  readonly unmatched_reason: string | null;
  readonly tries: number;
  readonly received_at: Date;
};

const columns = (row: 'c') => sql()`${row}.environment, ${row}.credit_id, ${row}.status,
  ${row}.amount_pence, ${row}.bank_reference, ${row}.booked_on::text, ${row}.end_to_end_id,
  ${row}.payer_name, ${row}.remittance, ${row}.is_returned, ${row}.merchant_id,
  ${row}.payment_request_id, ${row}.attempt_id, ${row}.matched_by, ${row}.matched_at,
  ${row}.unmatched_reason, ${row}.tries, ${row}.received_at`;

type Report = {
  readonly environment: string;
  readonly sortCode: string | null;
  readonly accountNumber: string;
};

/** Whether the report is about the collecting account at all. */
export const isCollectingAccount = statement<Report, { readonly is_known: boolean }>(
  'credit_is_collecting_account',
  sql('environment', 'sortCode', 'accountNumber')`
   select exists (select from collecting_account where environment = :environment
     and account_number = :accountNumber
     and (:sortCode::text is null or sort_code = :sortCode::text)) as is_known`,
);

/** Both at once: a debit that is seen without the credits of its report would take back another one. */
export const insertEntries = statement<
  { readonly environment: string; readonly credits: string; readonly debits: string },
  { readonly credit_id: string }
>(
  'credit_insert',
  sql('environment', 'credits', 'debits')`
   with debit as (
     insert into account_debit (environment, entry_key, end_to_end_id, amount_pence, bank_reference,
       booked_on)
     select :environment, d.entry_key, d.end_to_end_id, d.amount_pence, d.bank_reference, d.booked_on
     from jsonb_to_recordset(:debits::jsonb) as d (entry_key text, end_to_end_id text,
       amount_pence bigint, bank_reference text, booked_on date)
     on conflict (environment, entry_key) do nothing)
   insert into account_credit (environment, entry_key, amount_pence, bank_reference, booked_on,
     end_to_end_id, payer_name, remittance, is_returned)
   select :environment, c.entry_key, c.amount_pence, c.bank_reference, c.booked_on,
     c.end_to_end_id, c.payer_name, c.remittance, c.is_returned
   from jsonb_to_recordset(:credits::jsonb) as c (entry_key text, amount_pence bigint,
     bank_reference text, booked_on date, end_to_end_id text, payer_name text, remittance text,
     is_returned boolean)
   on conflict (environment, entry_key) do nothing
   returning credit_id`,
  { guardedBy: 'both keys are unique: an entry that is listed again adds nothing' },
);

export const matchDueAt = earliestDue({ at: 'due_at', from: 'account_credit' });

/** The next try is due after the lease, if this one is lost. */
export const claimCredits = statement<{ limit: number; leaseMs: number }, CreditRow>(
  'credit_claim',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select credit_id from account_credit
     where ${ofShare()} and due_at is not null and due_at <= statement_timestamp()
     order by due_at limit :limit for update skip locked`)})
   update account_credit c set tries = c.tries + 1,
     due_at = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due where c.credit_id = due.credit_id and c.status = 'OPEN'
   returning ${columns('c')}`,
  { guardedBy: 'status OPEN and skip locked: one worker tries a credit' },
);

export const readCredit = statement<{ readonly creditId: string }, CreditRow>(
  'credit_read',
  sql('creditId')`
   select ${columns('c')} from account_credit c where c.credit_id = :creditId::uuid`,
);

/** One row more than there are credits, so that an empty page still has the number. */
export const listCreditRows = statement<
  { readonly status: string | null; readonly limit: number; readonly skipped: number },
  { readonly total: number } & (CreditRow | { readonly credit_id: null })
>(
  'credit_list',
  sql('status', 'limit', 'skipped')`
   select n.total, listed.* from (select count(*)::int as total from account_credit
     where :status::text is null or status = :status::text) n
   left join lateral (select ${columns('c')} from account_credit c
     where :status::text is null or c.status = :status::text
     order by c.received_at desc, c.credit_id limit :limit offset :skipped) listed on true`,
  { readsWholeTables: true },
);

/**
 * Payments of this amount by a payer of this name that have no credit yet; at most two, because
 * only a single one is a match. A bank may cut a name short.
 */
export const findCandidates = statement<
  { readonly environment: string; readonly amountPence: string; readonly payerName: string },
  {
    readonly merchant_id: string;
    readonly environment: Environment;
    readonly payment_request_id: string;
    readonly attempt_id: string;
  }
>(
  'credit_find_candidates',
  sql('environment', 'amountPence', 'payerName')`
   select a.merchant_id, a.environment, a.payment_request_id, a.attempt_id from attempt a
   where a.environment = :environment and a.settles_to = 'COLLECTING_ACCOUNT'
     and a.status in ('PENDING', 'COMPLETED')
     and a.amount_pence + a.tip_pence = :amountPence::bigint
     and a.submitted_at > statement_timestamp() - interval '10 days'
     and (plain_name(a.consumer_name) = plain_name(:payerName::text)
       or (length(plain_name(:payerName::text)) >= 18
         and starts_with(plain_name(a.consumer_name), plain_name(:payerName::text))))
     and not exists (select from account_credit c where c.merchant_id = a.merchant_id
       and c.environment = a.environment and c.attempt_id = a.attempt_id
       and c.status <> 'REVERSED')
   limit 2`,
);

/** Which payment it is for: before that payment is settled, so that a lost try goes on with it. */
export const linkCredit = statement<
  Tenant & {
    readonly creditId: string;
    readonly fromStatus: CreditStatus;
    readonly paymentRequestId: string;
    readonly attemptId: string;
    readonly matchedBy: MatchedBy;
  },
  { readonly credit_id: string }
>(
  'credit_link',
  sql(
    'creditId',
    'fromStatus',
    'merchantId',
    'environment',
    'paymentRequestId',
    'attemptId',
    'matchedBy',
  )`
   update account_credit set merchant_id = :merchantId::uuid,
     payment_request_id = :paymentRequestId::uuid, attempt_id = :attemptId::uuid,
     matched_by = :matchedBy::text
   where credit_id = :creditId::uuid and status = :fromStatus and environment = :environment
   returning credit_id`,
  { guardedBy: 'status and environment; unique account_credit_of_attempt: a payment is paid once' },
);

export const matchCreditRow = statement<
  { readonly creditId: string; readonly fromStatus: CreditStatus; readonly toStatus: CreditStatus },
  CreditRow
>(
  'credit_match',
  sql('creditId', 'fromStatus', 'toStatus')`
   update account_credit c set status = :toStatus, matched_at = clock_timestamp(), due_at = null,
     payer_name = null, remittance = null, unmatched_reason = null
   where c.credit_id = :creditId::uuid and c.status = :fromStatus and c.attempt_id is not null
   returning ${columns('c')}`,
  { guardedBy: 'the status it leaves' },
);

/**
 * A person has to say what it is for, unless it is what a debit took back: that is looked at again. The
 * payment that it was linked to has failed: nothing of that is held.
 */
export const endCredit = statement<
  {
    readonly creditId: string;
    readonly fromStatus: CreditStatus;
    readonly toStatus: CreditStatus;
    readonly reason: string;
  },
  never
>(
  'credit_end',
  sql('creditId', 'fromStatus', 'toStatus', 'reason')`
   with before as materialized (
     select merchant_id, environment, attempt_id from account_credit
     where credit_id = :creditId::uuid),
   ended as (
     update account_credit c set status = :toStatus, unmatched_reason = :reason, due_at = null,
       merchant_id = null, payment_request_id = null, attempt_id = null, matched_by = null
     from before b where c.credit_id = :creditId::uuid and c.status = :fromStatus
     returning c.environment, c.end_to_end_id, c.amount_pence, b.merchant_id, b.attempt_id),
   released as (
     delete from held_payment h using ended e where h.merchant_id = e.merchant_id
       and h.environment = e.environment and h.attempt_id = e.attempt_id)
   update account_debit d set due_at = clock_timestamp() from ended
   where d.environment = ended.environment and d.end_to_end_id = ended.end_to_end_id
     and d.amount_pence = ended.amount_pence and d.credit_id is null`,
  { guardedBy: 'the status it leaves' },
);

export const postponeCredit = statement<
  { readonly creditId: string; readonly delayMs: number; readonly error: string | null },
  never
>(
  'credit_postpone',
  sql('creditId', 'delayMs', 'error')`
   update account_credit set last_error = :error::text,
     due_at = clock_timestamp() + :delayMs * interval '1 millisecond'
   where credit_id = :creditId::uuid and status = 'OPEN'`,
  { guardedBy: 'status OPEN' },
);

export const countUnmatched = statement<Record<never, never>, { readonly unmatched: number }>(
  'credit_count_unmatched',
  sql()`select count(*)::int as unmatched from account_credit where status = 'UNMATCHED'`,
);

/** One that a worker tries at this moment may be tried twice: each of its steps is guarded. */
export const hurryCredit = statement<{ readonly workId: string }, { readonly work_id: string }>(
  'credit_hurry',
  sql('workId')`
   update account_credit set due_at = least(due_at, statement_timestamp())
   where credit_id = :workId::uuid and status = 'OPEN'
   returning credit_id::text as work_id`,
  { guardedBy: 'status OPEN, and a due time that is only made earlier' },
);

const ofReport = {
  ...{ dueAt: 'w.due_at', since: 'w.received_at' },
  ...{ attempts: 'w.tries', lastError: 'w.last_error', longestPause: '10 minutes' },
  // One that only waits for its payment is shown later than one that fails.
  maxAttempts: `case when s.last_error is null then ${limits.stuckMatchTries}
      else ${limits.stuckFailures} end`,
} as const;

/** Of the collecting account: what is tried again and again. A try puts it off before it runs. */
export const stuckCredits = [
  stuckRows({
    ...{ ...ofReport, kind: 'MATCH_CREDIT', workId: 'w.credit_id' },
    ...{ from: 'account_credit w', where: 'w.due_at is not null' },
    ...{ merchantId: 'w.merchant_id', paymentRequestId: 'w.payment_request_id' },
  }),
  stuckRows({
    ...{ ...ofReport, kind: 'REVERSE_CREDIT', workId: 'coalesce(w.end_to_end_id, w.entry_key)' },
    ...{ from: 'account_debit w', where: 'w.due_at is not null' },
  }),
];

/** Behind how many equal bookings of earlier messages of its kind those of this one stand. */
export const mentionBookings = statement<
  {
    readonly environment: string;
    readonly list: string;
    readonly messageId: string;
    readonly mentions: string;
  },
  { readonly digest: string; readonly first_ordinal: number }
>(
  'booking_mention',
  sql('environment', 'list', 'messageId', 'mentions')`
   with said as (
     select digest, bookings from jsonb_to_recordset(:mentions::jsonb) as s (digest text, bookings int)),
   known as (
     select m.digest, m.first_ordinal from booking_mention m join said using (digest)
     where m.environment = :environment and m.list = :list and m.message_id = :messageId),
   added as (
     insert into booking_mention (environment, digest, list, message_id, first_ordinal, bookings)
     select :environment, s.digest, :list, :messageId,
       (select coalesce(sum(m.bookings), 0)::int from booking_mention m
         where m.environment = :environment and m.digest = s.digest and m.list = :list), s.bookings
     from said s where not exists (select from known k where k.digest = s.digest)
     on conflict (environment, digest, list, message_id) do nothing
     returning digest, first_ordinal)
   select digest, first_ordinal from known union all select digest, first_ordinal from added`,
  {
    guardedBy:
      'primary key and unique first_ordinal: a message keeps its place, and no other has it',
  },
);
