import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { type Columns, columnNames, columnTypes, statement } from '#platform/database/statement.ts';
import { type Claim, isHeld } from './refreshes.ts';

const transactionColumns = {
  transaction_id: 'text',
  booked_at: 'timestamptz',
  type: 'text',
  status: 'text',
  is_mutable: 'boolean',
  amount: 'numeric',
  currency: 'text',
  description: 'text',
  reference: 'text',
  merchant_name: 'text',
  category: 'text',
  payer: 'jsonb',
  payee: 'jsonb',
  balance: 'numeric',
  balance_currency: 'text',
} as const satisfies Columns;

/** A transaction as the table holds it. */
export type StoredTransaction = {
  readonly transaction_id: string;
  readonly booked_at: Date;
  readonly type: 'CREDIT' | 'DEBIT';
  readonly status: 'BOOKED' | 'PENDING';
  readonly is_mutable: boolean;
  /** Signed, as a decimal. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string | null;
  readonly reference: string | null;
  readonly merchant_name: string | null;
  readonly category: string | null;
  readonly payer: object | null;
  readonly payee: object | null;
  readonly balance: string | null;
  readonly balance_currency: string | null;
};

const assignments = Object.keys(transactionColumns)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

type Page = Claim & {
  readonly accountId: string;
  readonly rows: string;
  readonly seenAt: Date;
  readonly leaseMs: number;
};

/** Under another consent no newer reading of the account has begun. */
const isNewest = 'b.read_since <= :seenAt::timestamptz';

/**
 * Writes what is new or may still change; a booked transaction stays as it is. It also renews the
 * lease. No row: the claim is lost, so nothing was written; nor was anything for an older reading.
 */
export const storeTransactions = statement<
  Page,
  { readonly written: number; readonly is_newest: boolean }
>(
  'bank_transaction_store',
  sql('merchantId', 'environment', 'accountId', 'rows', 'seenAt', 'leaseMs')`
   with held as (
     update bank_authorisation set
       refresh_leased_until = statement_timestamp() + :leaseMs::int * interval '1 millisecond'
     where ${isHeld} returning authorisation_id),
   newest as materialized (
     select b.account_id from bank_account b
     where b.merchant_id = :merchantId and b.environment = :environment
       and b.account_id = :accountId::uuid and ${isNewest} for share),
   written as (
     insert into bank_transaction as t (merchant_id, environment, account_id,
       ${columnNames(transactionColumns)}, seen_at)
     select :merchantId, :environment, :accountId::uuid, ${columnNames(transactionColumns, 'r')},
       :seenAt::timestamptz
     from held, newest, jsonb_to_recordset(:rows::jsonb) as r (${columnTypes(transactionColumns)})
     order by r.transaction_id
     on conflict (merchant_id, environment, account_id, transaction_id) do update
       set ${assignments}, seen_at = excluded.seen_at
       where t.status = 'PENDING' or t.is_mutable
     returning 1)
   select (select count(*) from written)::int as written,
     exists (select from newest) as is_newest from held`,
  {
    guardedBy:
      'the claim; the newest reading of the account; a transaction has one row, also when two write it',
  },
);

type Account = Claim & { readonly accountId: string };

/** What the bank no longer lists of what was pending, in the range that was read as a whole. */
export const removeUnlisted = statement<
  Account & { readonly from: Date; readonly seenAt: Date },
  never
>(
  'bank_transaction_remove_unlisted',
  sql('merchantId', 'environment', 'accountId', 'from', 'seenAt')`
   delete from bank_transaction t
   where t.merchant_id = :merchantId and t.environment = :environment
     and t.account_id = :accountId::uuid and t.status = 'PENDING'
     and t.booked_at >= :from::timestamptz and t.seen_at < :seenAt::timestamptz
     and exists (select from bank_account b where b.merchant_id = :merchantId
       and b.environment = :environment and b.account_id = :accountId::uuid and ${isNewest})
     and exists (select from bank_authorisation where ${isHeld})`,
  { guardedBy: 'the claim, the newest reading, and the time at which it was last listed' },
);

/** From then on an older reading under another consent stores nothing. No row: this is the older one. */
export const storeBalance = statement<
  Account & {
    readonly balance: string | null;
    readonly balanceCurrency: string | null;
    readonly seenAt: Date;
  },
  { readonly account_id: string }
>(
  'bank_account_store_balance',
  sql('merchantId', 'environment', 'accountId', 'balance', 'balanceCurrency', 'seenAt')`
   update bank_account b set balance = :balance::numeric,
     balance_currency = :balanceCurrency::text, read_since = :seenAt::timestamptz
   where (b.read_since is null or ${isNewest})
     and b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = :accountId::uuid
     and exists (select from bank_authorisation where ${isHeld})
   returning b.account_id`,
  { guardedBy: 'the claim; the newest reading of the account' },
);

/** The bank will not show it under this consent: it is asked again when the next reading is due. */
export const noteRefused = statement<Account, never>(
  'bank_account_refused',
  sql('merchantId', 'environment', 'accountId')`
   update bank_account b set refused_at = statement_timestamp()
   where b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = :accountId::uuid
     and exists (select from bank_authorisation where ${isHeld})`,
  { guardedBy: 'the claim' },
);

/**
 * The next reading begins where something may have changed, unless pages are still to be read; not after
 * now, whatever date a bank gives an entry.
 */
export const finishAccount = statement<
  Account & { readonly seenAt: Date; readonly now: Date; readonly isToTheEnd: boolean },
  never
>(
  'bank_account_refreshed',
  sql('merchantId', 'environment', 'accountId', 'seenAt', 'now', 'isToTheEnd')`
   update bank_account b set refreshed_at = :seenAt::timestamptz, refused_at = null,
     changes_from = case when :isToTheEnd::boolean then least(:now::timestamptz,
       (select min(t.booked_at) from bank_transaction t where t.merchant_id = :merchantId
         and t.environment = :environment and t.account_id = :accountId::uuid
         and t.status = 'PENDING'),
       (select max(t.booked_at) from bank_transaction t where t.merchant_id = :merchantId
         and t.environment = :environment and t.account_id = :accountId::uuid
         and t.status = 'BOOKED')) else b.changes_from end
   where ${isNewest} and b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = :accountId::uuid
     and exists (select from bank_authorisation where ${isHeld})`,
  { guardedBy: 'the claim; the newest reading of the account' },
);

export type AccountToRead = {
  readonly account_id: string;
  readonly reference: string;
  readonly refreshed_at: Date | null;
  /** From where its transactions may have changed since it was read to the end; null: never was. */
  readonly changes_from: Date | null;
};

/** The accounts of an authorisation, the one that waits longest first. */
export const listAccountsToRead = statement<
  Tenant & { readonly authorisationId: string },
  AccountToRead
>(
  'bank_account_to_read',
  sql('merchantId', 'environment', 'authorisationId')`
   select l.account_id, l.bank_account_reference as reference, b.refreshed_at, b.changes_from
   from bank_account_link l
   join bank_account b on b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = l.account_id
   where l.merchant_id = :merchantId and l.environment = :environment
     and l.authorisation_id = :authorisationId::uuid
   order by b.refreshed_at nulls first, l.position`,
);
