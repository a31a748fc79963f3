import type { Pence } from '#kernel/pence.ts';
import { sql } from '#platform/database/sql.ts';

export const accounts = [
  /** Money that a bank announced and that has not arrived yet. */
  'DUE_FROM_BANK',
  /** The operator's account, which payouts and refunds leave from. */
  'COLLECTING_ACCOUNT',
  /** The merchant's own account: the money never passes through the operator. */
  'STORE_ACCOUNT',
  /** Authorised by a card, and neither captured nor released. */
  'HELD_AT_PROCESSOR',
  'MERCHANT_AUTHORISED',
  'SETTLED_BY_PROCESSOR',
  /** Came by card when nothing was to be paid any more: it goes back to the payer. */
  'LATE_MONEY',
  /** Owed to the merchant once the money has arrived. */
  'MERCHANT_UNSETTLED',
  'MERCHANT_PAYABLE',
  'MERCHANT_PAID_DIRECTLY',
  /** Handed to the bank for a customer, not yet seen leaving. */
  'REFUNDS_IN_TRANSIT',
  /** The bank could not credit it and returned it. */
  'RETURNS',
  'PAYOUTS_IN_TRANSIT',
  /** What the merchant has received on the accounts of its stores, and by payouts altogether. */
  'STORE_PAID_OUT',
  'MERCHANT_PAID_OUT',
  /** What the operator earns. */
  'FEES',
  /** Booked by the bank otherwise than ordered: it keeps the collecting account equal to the bank's. */
  'BANK_DIFFERENCES',
  /** Not payable until an operator has decided: it may have left already. */
  'HELD_FOR_CASES',
] as const;

/** One side of a transaction: positive is a debit, negative a credit. */
export type Posting = {
  readonly transactionId: string;
  readonly account: Account;
  readonly amountPence: bigint;
  readonly reason: string;
  readonly resourceId: string;
  readonly attemptId: string | null;
  /** The store, and the account the money came from or went to, if known. */
  readonly storeId?: string;
  /** Sort code and account number. */
  readonly creditorAccount?: string;
  readonly occurredAt: Date;
};

export type Account = (typeof accounts)[number];

/** Two entries of one amount. */
export type EntryPair = {
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: Pence;
};

/** Each pair debits one account and credits another, so a transaction always sums to nothing. */
export const post = (
  transaction: Omit<Posting, 'account' | 'amountPence'>,
  pairs: readonly EntryPair[],
): readonly Posting[] =>
  pairs.flatMap(({ debit, credit, amount }) => [
    { ...transaction, account: debit, amountPence: amount },
    { ...transaction, account: credit, amountPence: -amount },
  ]);

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
