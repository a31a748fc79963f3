import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { AuthorisationStatus } from '../../authorisations/authorisation-lifecycle.ts';

export type AccountAccess = {
  readonly account_id: string;
  readonly institution_id: string;
  readonly bank_name: string;
  readonly sort_code: string | null;
  readonly account_number: string | null;
  readonly currency: string;
  readonly balance: number | null;
  readonly balance_currency: string | null;
  readonly refreshed_at: Date | null;
  /** When its bank last refused to show it; null: it has shown it since. */
  readonly refused_at: Date | null;
  /** Of the authorisation under which it is read, or was last. */
  readonly authorisation_id: string;
  readonly status: AuthorisationStatus;
  readonly is_readable: boolean;
  readonly refresh_failures: number;
  readonly real_now: Date;
};

/** An account and the best authorisation that shows it. */
export const readAccountAccess = statement<Tenant & { readonly accountId: string }, AccountAccess>(
  'bank_account_access',
  sql('merchantId', 'environment', 'accountId')`
   select b.account_id, b.institution_id, b.bank_name, b.sort_code, b.account_number, b.currency,
     b.balance::float8 as balance, b.balance_currency, b.refreshed_at, b.refused_at,
     a.authorisation_id, a.status,
     a.status = 'LINKED' and a.due_at > statement_timestamp() as is_readable, a.refresh_failures,
     statement_timestamp() as real_now
   from bank_account b
   join bank_account_link l on l.merchant_id = :merchantId and l.environment = :environment
     and l.account_id = b.account_id
   join bank_authorisation a on a.merchant_id = :merchantId and a.environment = :environment
     and a.authorisation_id = l.authorisation_id
   where b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = :accountId::uuid
   order by is_readable desc, a.linked_at desc, a.authorisation_id limit 1`,
);
