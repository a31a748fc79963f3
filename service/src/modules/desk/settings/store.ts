import type { Tenant } from '#kernel/environment.ts';
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
  'desk_offer_read',
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
