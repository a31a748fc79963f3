import type { Tenant } from '#kernel/environment.ts';
import { changeAccountCtes } from '#modules/merchants/index.ts';
import { mailOwnersCtes } from '#modules/webhooks/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** No row: there is no such store. */
export const setAccount = statement<
  Tenant & {
    readonly storeId: string;
    readonly changeId: string;
    readonly personId: string;
    readonly personName: string;
    readonly sortCode: string;
    readonly accountNumber: string;
    readonly accountName: string;
    readonly mailKind: string;
    readonly mailSubject: string;
    readonly mailText: string;
  },
  { readonly is_changed: boolean }
>(
  'desk_store_account_set',
  sql('merchantId', 'environment', 'storeId', 'changeId', 'mailText')`
   with ${changeAccountCtes},
   mail as (
     select :changeId::text as key, replace(:mailText::text, '{store}', s.location_name) as text
     from account_changed c
     join store s on s.merchant_id = :merchantId and s.environment = :environment
       and s.store_id = c.store_id),
   ${mailOwnersCtes}
   select exists (select from account_changed) as is_changed from store
   where merchant_id = :merchantId and environment = :environment and store_id = :storeId::uuid`,
  { guardedBy: 'the row of the account is locked; one that it has already changes nothing' },
);
