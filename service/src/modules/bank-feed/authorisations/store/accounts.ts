import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type AccountRow = {
  readonly account_id: string;
  readonly bank_name: string;
  readonly sort_code: string | null;
  readonly account_number: string | null;
};

/** In the order of the bank. */
export const listLinkedAccounts = statement<
  Tenant & { readonly authorisationId: string },
  AccountRow
>(
  'bank_authorisation_accounts',
  sql('merchantId', 'environment', 'authorisationId')`
   select b.account_id, b.bank_name, b.sort_code, b.account_number
   from bank_account_link l
   join bank_account b on b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = l.account_id
   where l.merchant_id = :merchantId and l.environment = :environment
     and l.authorisation_id = :authorisationId::uuid
   order by l.position`,
);
