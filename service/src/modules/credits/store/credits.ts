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

export const matchDueAt = earliestDue({ at: 'due_at', from: 'account_credit' });

/**
 * Those that are due. One under the id of a settled payment, of its amount, changes nothing else and is
 * matched at once, unless the payment has a credit or the bank a debit of it. The next try of the others is
 * due after the lease, if this one is lost.
 */
export const claimCredits = statement<
  { readonly limit: number; readonly leaseMs: number; readonly toStatus: CreditStatus },
  CreditRow
>(
  'credit_claim',
  sql('leaseMs', 'toStatus')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select credit_id, environment, end_to_end_id, amount_pence, is_returned, attempt_id
     from account_credit
     where ${ofShare()} and due_at is not null and due_at <= statement_timestamp()
     order by due_at limit :limit for update skip locked`)}),
   settled as materialized (
     select distinct on (a.merchant_id, a.environment, a.attempt_id)
       due.credit_id, a.merchant_id, a.payment_request_id, a.attempt_id
     from due cross join lateral (
       -- Fenced: by amount a plan would read every payment of that price.
       select a.* from public_id p
       join attempt a on a.merchant_id = p.merchant_id and a.environment = p.environment
         and a.payment_request_id = p.target_id and a.payment_idempotency_id = due.end_to_end_id
       where p.public_id = due.end_to_end_id and p.kind = 'ATTEMPT'
         and p.environment = due.environment offset 0) a
     where due.attempt_id is null and not due.is_returned
       and a.settles_to = 'COLLECTING_ACCOUNT' and a.status = 'COMPLETED' and a.is_settled
       and a.amount_pence + a.tip_pence = due.amount_pence
       and not exists (select from account_credit c where c.merchant_id = a.merchant_id
         and c.environment = a.environment and c.attempt_id = a.attempt_id
         and c.status <> 'REVERSED')
       and not exists (select from account_debit d where d.environment = due.environment
         and d.end_to_end_id = due.end_to_end_id and d.amount_pence = due.amount_pence)
     order by a.merchant_id, a.environment, a.attempt_id, due.credit_id)
   update account_credit c set tries = c.tries + 1,
     status = case when s.credit_id is null then c.status else :toStatus::text end,
     due_at = case when s.credit_id is null
       then clock_timestamp() + :leaseMs * interval '1 millisecond' end,
     merchant_id = coalesce(c.merchant_id, s.merchant_id),
     payment_request_id = coalesce(c.payment_request_id, s.payment_request_id),
     attempt_id = coalesce(c.attempt_id, s.attempt_id),
     matched_by = case when s.credit_id is null then c.matched_by else 'END_TO_END_ID' end,
     matched_at = case when s.credit_id is not null then clock_timestamp() end,
     payer_name = case when s.credit_id is null then c.payer_name end,
     remittance = case when s.credit_id is null then c.remittance end
   from due left join settled s on s.credit_id = due.credit_id
   where c.credit_id = due.credit_id and c.status = 'OPEN'
   returning ${columns('c')}`,
  {
    guardedBy:
      'status OPEN and skip locked: one worker tries a credit; unique account_credit_of_attempt: a ' +
      'payment is paid once',
  },
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

/**
 * One that the bank listed without an id is known by that of its payment from now on, for a debit that
 * takes it back, also one that was given up before.
 */
export const matchCreditRow = statement<
  { readonly creditId: string; readonly fromStatus: CreditStatus; readonly toStatus: CreditStatus },
  CreditRow
>(
  'credit_match',
  sql('creditId', 'fromStatus', 'toStatus')`
   with named as materialized (
     select a.payment_idempotency_id as id from account_credit c
     join attempt a on a.merchant_id = c.merchant_id and a.environment = c.environment
       and a.attempt_id = c.attempt_id
     where c.credit_id = :creditId::uuid and c.known_as is null),
   matched as (
     update account_credit c set status = :toStatus, matched_at = clock_timestamp(), due_at = null,
       payer_name = null, remittance = null, unmatched_reason = null,
       known_as = coalesce(c.known_as, (select id from named))
     where c.credit_id = :creditId::uuid and c.status = :fromStatus and c.attempt_id is not null
     returning c.*),
   again as (
     update account_debit d set due_at = clock_timestamp() from named, matched m
     where d.environment = m.environment and d.end_to_end_id = named.id
       and d.amount_pence = m.amount_pence and d.credit_id is null)
   select ${columns('c')} from matched c`,
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
     returning c.environment, c.known_as, c.amount_pence, b.merchant_id, b.attempt_id),
   released as (
     delete from held_payment h using ended e where h.merchant_id = e.merchant_id
       and h.environment = e.environment and h.attempt_id = e.attempt_id)
   update account_debit d set due_at = clock_timestamp() from ended
   where d.environment = ended.environment and d.end_to_end_id = ended.known_as
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
