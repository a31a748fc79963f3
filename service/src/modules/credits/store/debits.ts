import { earliestDue } from '#platform/database/earliest-due.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { CreditStatus } from '../credit-lifecycle.ts';

export const insertDebits = statement<
  { readonly environment: string; readonly debits: string },
  never
>(
  'debit_insert',
  sql('environment', 'debits')`
   insert into account_debit (environment, entry_key, end_to_end_id, amount_pence, bank_reference,
     booked_on)
   select :environment, d.entry_key, d.end_to_end_id, d.amount_pence, d.bank_reference, d.booked_on
   from jsonb_to_recordset(:debits::jsonb) as d (entry_key text, end_to_end_id text,
     amount_pence bigint, bank_reference text, booked_on date)
   on conflict (environment, entry_key) do nothing`,
  { guardedBy: 'primary key (environment, entry_key): an entry that is listed again adds nothing' },
);

type Credit = {
  readonly environment: string;
  readonly endToEndId: string;
  readonly amountPence: string;
};

/** Whether the bank has taken the same amount under the same id. */
export const findDebit = statement<Credit, { readonly is_there: boolean }>(
  'debit_find',
  sql('environment', 'endToEndId', 'amountPence')`
   select exists (select from account_debit where environment = :environment
     and end_to_end_id = :endToEndId and amount_pence = :amountPence::bigint) as is_there`,
);

export type DueDebit = {
  readonly environment: string;
  readonly entry_key: string;
  readonly end_to_end_id: string;
  readonly amount_pence: bigint;
  readonly tries: number;
};

export const reverseDueAt = earliestDue({ at: 'due_at', from: 'account_debit' });

/** The next try is due after the lease, if this one is lost. */
export const claimDebits = statement<
  { readonly limit: number; readonly leaseMs: number },
  DueDebit
>(
  'debit_claim',
  sql('limit', 'leaseMs')`
   with due as materialized (
     select environment, entry_key from account_debit
     where due_at is not null and due_at <= statement_timestamp()
     order by due_at limit :limit for update skip locked)
   update account_debit d set tries = d.tries + 1,
     due_at = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due where d.environment = due.environment and d.entry_key = due.entry_key
   returning d.environment, d.entry_key, d.end_to_end_id, d.amount_pence, d.tries`,
  { guardedBy: 'lease and skip locked: one worker takes a debit' },
);

/** `delayMs` null: nothing is left to do. */
export const moveDebit = statement<
  { readonly environment: string; readonly entryKey: string; readonly delayMs: number | null },
  never
>(
  'debit_move',
  sql('environment', 'entryKey', 'delayMs')`
   update account_debit
   set due_at = clock_timestamp() + :delayMs::bigint * interval '1 millisecond'
   where environment = :environment and entry_key = :entryKey and due_at is not null`,
  { guardedBy: 'due_at: one that is done stays done' },
);

/** What arrived under this id, what nothing explains first. */
export const findCreditOf = statement<
  Credit,
  { readonly credit_id: string; readonly status: CreditStatus }
>(
  'credit_find_of_debit',
  sql('environment', 'endToEndId', 'amountPence')`
   select credit_id, status from account_credit
   where environment = :environment and end_to_end_id = :endToEndId
     and amount_pence = :amountPence::bigint
   order by status = 'UNMATCHED' desc, status = 'OPEN' desc, credit_id limit 1`,
);

/** It left the account again: no person has to say what it was for. */
export const reverseCreditRow = statement<
  { readonly creditId: string; readonly fromStatus: CreditStatus; readonly toStatus: CreditStatus },
  { readonly credit_id: string }
>(
  'credit_reverse',
  sql('creditId', 'fromStatus', 'toStatus')`
   update account_credit set status = :toStatus, due_at = null, unmatched_reason = null,
     payer_name = null, remittance = null, merchant_id = null, payment_request_id = null,
     attempt_id = null, matched_by = null
   where credit_id = :creditId::uuid and status = :fromStatus
   returning credit_id`,
  { guardedBy: 'the status it leaves' },
);
