import type { Tenant } from '#kernel/environment.ts';
import { changeAccountCtes } from '#modules/merchants/index.ts';
import { isUnattachedSql } from '#modules/transfers/index.ts';
import { mailOwnersCtes } from '#modules/webhooks/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type OfferRow = {
  readonly tips_enabled: boolean | null;
  readonly tip_type: 'FIXED' | 'PERCENTAGE' | null;
  readonly options: readonly number[] | null;
  readonly allows_custom: boolean | null;
  readonly tax_percentage: string | null;
  readonly service_percentage: string | null;
  readonly approval_above_pence: bigint | null;
  readonly expires_in_ms: bigint | null;
};

/** What the hosted page offers in an environment; null: it was never set. */
export const readOffer = statement<Tenant, OfferRow>(
  'dashboard_offer_read',
  sql('merchantId', 'environment')`
   select t.is_enabled as tips_enabled, t.tip_type, t.options, t.allows_custom,
     p.tax_percentage::text, p.service_percentage::text,
     w.refund_approval_above_pence as approval_above_pence, w.expires_in_ms
   from merchant_switch w
   left join tip_setting t on t.merchant_id = :merchantId and t.environment = :environment
   left join amount_part_setting p on p.merchant_id = :merchantId
     and p.environment = :environment
   where w.merchant_id = :merchantId and w.environment = :environment`,
);

export const readBusinessNow = statement<Tenant, { readonly now: Date }>(
  'dashboard_business_now',
  sql('merchantId', 'environment')`select business_now(:merchantId, :environment) as now`,
);

/**
 * No row: there is no such store. Not decided: a refund that was handed over is no line of a payout yet, or
 * another is just handed over. It is paid by the account before, so it becomes a line of its payout first.
 */
export const setAccount = statement<
  Tenant & {
    readonly storeId: string;
    readonly changeId: string;
    readonly turnVersion: number;
    readonly personId: string;
    readonly personName: string;
    readonly sortCode: string;
    readonly accountNumber: string;
    readonly accountName: string;
    readonly mailKind: string;
    readonly mailSubject: string;
    readonly mailText: string;
  },
  {
    readonly is_changed: boolean;
    readonly is_decided: boolean;
    readonly is_suspended: boolean;
  }
>(
  'dashboard_store_account_set',
  sql('merchantId', 'environment', 'storeId', 'changeId', 'turnVersion', 'mailText')`
   with stopped as materialized (
     select from merchant_switch where merchant_id = :merchantId and environment = :environment
       and suspension_id is not null),
   turn as (
     update outgoing_turn set version = version + 1
     where merchant_id = :merchantId and environment = :environment
       and version = :turnVersion::int
       and not exists (select from stopped)
       and exists (select from store where merchant_id = :merchantId
         and environment = :environment and store_id = :storeId::uuid)
     returning version),
   may_change as materialized (
     select version from turn
     where not exists (select from ledger_entry e where ${isUnattachedSql}
       and e.reason = 'REFUND_HANDED_OVER' and e.store_id = :storeId::uuid)),
   ${changeAccountCtes},
   mail as (
     select :changeId::text as key, replace(:mailText::text, '{store}', s.location_name) as text
     from account_changed c
     join store s on s.merchant_id = :merchantId and s.environment = :environment
       and s.store_id = c.store_id),
   ${mailOwnersCtes}
   select exists (select from account_changed) as is_changed,
     exists (select from may_change) as is_decided,
     exists (select from stopped) as is_suspended from store
   where merchant_id = :merchantId and environment = :environment and store_id = :storeId::uuid`,
  {
    guardedBy:
      'the version of the turn of outgoing money; the row of the account is locked; one that it has ' +
      'already changes nothing',
  },
);
