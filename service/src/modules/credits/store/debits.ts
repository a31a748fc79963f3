import type { Environment } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { CreditStatus } from '../credit-lifecycle.ts';

type Credit = {
  readonly environment: string;
  readonly endToEndId: string;
  readonly amountPence: string;
};

/** Whether the bank has taken the same amount under the same id as often as it was credited. */
export const findDebit = statement<Credit, { readonly is_there: boolean }>(
  'debit_find',
  sql('environment', 'endToEndId', 'amountPence')`
   select (select count(*) from account_debit where environment = :environment
       and end_to_end_id = :endToEndId and amount_pence = :amountPence::bigint)
     >= (select count(*) from account_credit where environment = :environment
       and known_as = :endToEndId and amount_pence = :amountPence::bigint) as is_there`,
);

export type DueDebit = {
  readonly environment: Environment;
  readonly entry_key: string;
  readonly end_to_end_id: string | null;
  readonly amount_pence: bigint;
  readonly bank_reference: string | null;
  readonly booked_on: string | null;
  readonly tries: number;
};

export const reverseDueAt = earliestDue({ at: 'due_at', from: 'account_debit' });

/** The next try is due after the lease, if this one is lost. */
export const claimDebits = statement<
  { readonly limit: number; readonly leaseMs: number },
  DueDebit
>(
  'debit_claim',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select environment, entry_key from account_debit
     where ${ofShare()} and due_at is not null and due_at <= statement_timestamp()
     order by due_at limit :limit for update skip locked`)})
   update account_debit d set tries = d.tries + 1,
     due_at = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due where d.environment = due.environment and d.entry_key = due.entry_key
   returning d.environment, d.entry_key, d.end_to_end_id, d.amount_pence, d.bank_reference,
     d.booked_on::text, d.tries`,
  { guardedBy: 'lease and skip locked: one worker takes a debit' },
);

/** `delayMs` null: nothing explains it. */
export const moveDebit = statement<
  {
    readonly environment: string;
    readonly entryKey: string;
    readonly delayMs: number | null;
    readonly error: string | null;
  },
  never
>(
  'debit_move',
  sql('environment', 'entryKey', 'delayMs', 'error')`
   update account_debit set last_error = :error::text,
     due_at = clock_timestamp() + :delayMs::bigint * interval '1 millisecond'
   where environment = :environment and entry_key = :entryKey and due_at is not null`,
  { guardedBy: 'due_at: one that is done stays done' },
);

/**
 * It took the money of this credit, and holds no payment itself. Its payment is held no longer where it has
 * failed, or where no other debit waits for one of its credits.
 */
export const linkDebit = statement<
  { readonly environment: string; readonly entryKey: string; readonly creditId: string },
  never
>(
  'debit_link',
  sql('environment', 'entryKey', 'creditId')`
   with taken as (
     update account_debit set credit_id = :creditId::uuid, due_at = null, last_error = null
     where environment = :environment and entry_key = :entryKey
       and (credit_id is null or credit_id = :creditId::uuid)
     returning environment, entry_key, end_to_end_id, amount_pence),
   explained as (
     delete from held_payment h using taken t
     join public_id named on named.public_id = t.end_to_end_id
       and named.environment = t.environment
     where h.merchant_id = named.merchant_id and h.environment = named.environment
       and h.entry_key = t.entry_key)
   delete from held_payment h using taken t
   join account_credit c on c.environment = t.environment and c.known_as = t.end_to_end_id
     and c.amount_pence = t.amount_pence
   join attempt a on a.merchant_id = c.merchant_id and a.environment = c.environment
     and a.attempt_id = c.attempt_id
   where h.merchant_id = c.merchant_id and h.environment = c.environment
     and h.attempt_id = c.attempt_id and h.entry_key = ''
     and (a.status <> 'COMPLETED' or not exists (select from account_debit d
       where d.environment = t.environment and d.end_to_end_id = t.end_to_end_id
         and d.amount_pence = t.amount_pence and d.entry_key <> t.entry_key
         and d.due_at is not null))`,
  { guardedBy: 'unique account_debit_of_credit: a credit is taken once' },
);

/** By what it is listed under. */
export const hurryDebit = statement<{ readonly workId: string }, { readonly work_id: string }>(
  'debit_hurry',
  sql('workId')`
   update account_debit set due_at = least(due_at, statement_timestamp())
   where due_at is not null and coalesce(end_to_end_id, entry_key) = :workId
   returning entry_key as work_id`,
  { guardedBy: 'due_at: one that is done stays done' },
);

/**
 * Before anything is done to the credit or its payment: the debit takes this credit and no other from now on,
 * also when it is tried again. That of a payment only where no other credit is left, and never while its bank
 * has not accepted it. `entryKey` null: any debit of it that has taken none.
 */
export const reserveCredit = statement<
  { readonly creditId: string; readonly entryKey: string | null },
  { readonly entry_key: string }
>(
  'debit_reserve_credit',
  sql('creditId', 'entryKey')`
   update account_debit d set credit_id = c.credit_id, due_at = coalesce(d.due_at, clock_timestamp())
   from account_credit c
   where c.credit_id = :creditId::uuid and d.environment = c.environment
     and d.end_to_end_id = c.known_as and d.amount_pence = c.amount_pence
     and d.entry_key = coalesce(:entryKey::text, (select o.entry_key from account_debit o
       where o.environment = c.environment and o.end_to_end_id = c.known_as
         and o.amount_pence = c.amount_pence and (o.credit_id is null or o.credit_id = c.credit_id)
       order by o.credit_id nulls last, o.due_at nulls last limit 1))
     and (d.credit_id = c.credit_id or d.credit_id is null and (
       c.status not in ('OPEN', 'MATCHED') or not exists (select from account_credit o
         where o.environment = c.environment and o.known_as = c.known_as
           and o.amount_pence = c.amount_pence and o.credit_id <> c.credit_id
           and not exists (select from account_debit t where t.credit_id = o.credit_id))
         and not exists (select from attempt a where a.merchant_id = c.merchant_id
           and a.environment = c.environment and a.attempt_id = c.attempt_id
           and a.status = 'PENDING')))
   returning d.entry_key`,
  {
    guardedBy: 'credit_id null or its own; unique account_debit_of_credit: a credit is taken once',
  },
);

export type TakenCredit = {
  readonly environment: Environment;
  readonly credit_id: string;
  readonly status: CreditStatus;
  readonly merchant_id: string | null;
  readonly payment_request_id: string | null;
  readonly attempt_id: string | null;
};

/**
 * What arrived under this id and no other debit has taken: what this one has reserved, else one that is known
 * to be reversed, then what nothing explains; that of a payment last.
 */
export const findCreditOf = statement<Credit & { readonly entryKey: string }, TakenCredit>(
  'credit_find_of_debit',
  sql('environment', 'endToEndId', 'amountPence', 'entryKey')`
   select c.environment, c.credit_id, c.status, c.merchant_id, c.payment_request_id, c.attempt_id
   from account_credit c
   where c.environment = :environment and c.known_as = :endToEndId
     and c.amount_pence = :amountPence::bigint
     and not exists (select from account_debit d
       where d.credit_id = c.credit_id and d.entry_key <> :entryKey)
   order by not exists (select from account_debit d where d.credit_id = c.credit_id),
     array_position(array['REVERSED', 'UNMATCHED', 'OPEN', 'MATCHED'], c.status), c.credit_id
   limit 1`,
);

/** For the case of a debit of another amount. */
export const otherCreditOf = statement<
  { readonly environment: string; readonly endToEndId: string },
  {
    readonly amount_pence: bigint;
    readonly status: CreditStatus;
    readonly payment_request_id: string | null;
  }
>(
  'credit_find_other_of_debit',
  sql('environment', 'endToEndId')`
   select amount_pence, status, payment_request_id from account_credit
   where environment = :environment and known_as = :endToEndId
   order by status = 'MATCHED' desc, credit_id limit 1`,
);

/**
 * It left the account again: no person has to say what it was for. Its payment stays known. A debit that
 * had been given up is looked at again.
 */
export const reverseCreditRow = statement<
  { readonly creditId: string; readonly fromStatus: CreditStatus; readonly toStatus: CreditStatus },
  { readonly credit_id: string }
>(
  'credit_reverse',
  sql('creditId', 'fromStatus', 'toStatus')`
   with credit as (
     update account_credit set status = :toStatus, due_at = null, unmatched_reason = null,
       payer_name = null, remittance = null
     where credit_id = :creditId::uuid and status = :fromStatus
     returning credit_id, environment, known_as, amount_pence),
   waiting as (
     select d.environment, d.entry_key from account_debit d
     join credit c on d.environment = c.environment and d.end_to_end_id = c.known_as
       and d.amount_pence = c.amount_pence
     where d.credit_id is null or d.credit_id = c.credit_id and d.due_at is not null
     order by d.credit_id nulls last, d.due_at nulls last limit 1),
   again as (
     update account_debit d set due_at = clock_timestamp() from waiting w
     where d.environment = w.environment and d.entry_key = w.entry_key
       and (d.credit_id is null or d.due_at is not null))
   select credit_id from credit`,
  { guardedBy: 'the status it leaves' },
);
