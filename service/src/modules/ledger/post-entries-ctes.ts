import { sql } from '#platform/database/sql.ts';
import type { Posting } from './posting.ts';

/**
 * Entries, to be composed into the statement that changes the state. `guard` names a common table
 * expression with a row for each resource whose change won, identified by its `column`; the value
 * is `:postings`.
 */
export const postEntriesCtes = (guard: string, column: string) => sql(
  'merchantId',
  'environment',
  'postings',
)`
  ledger as (
    insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
      reason, resource_id, attempt_id, store_id, creditor_account, occurred_at)
    select :merchantId, :environment, p.transaction_id, p.account, p.amount_pence,
      p.reason, p.resource_id, p.attempt_id, p.store_id, p.creditor_account, p.occurred_at
    from jsonb_to_recordset(:postings::jsonb) as p (transaction_id uuid, account text,
      amount_pence bigint, reason text, resource_id uuid, attempt_id uuid, store_id uuid,
      creditor_account text, occurred_at timestamptz)
    where p.resource_id in (select ${guard}.${column} from ${guard})
  )`;

export const postingsValue = (postings: readonly Posting[]): string =>
  JSON.stringify(
    postings.map((posting) => ({
      transaction_id: posting.transactionId,
      account: posting.account,
      amount_pence: posting.amountPence.toString(),
      reason: posting.reason,
      resource_id: posting.resourceId,
      attempt_id: posting.attemptId,
      store_id: posting.storeId ?? null,
      creditor_account: posting.creditorAccount ?? null,
      occurred_at: posting.occurredAt,
    })),
  );
