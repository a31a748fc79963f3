import { limits, type ReplyOf } from '@florin/contract';
import { findReference } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type Row = {
  readonly kind: ReplyOf<typeof findReference>['data'][number]['kind'];
  readonly payment_request_id: string | null;
  readonly order_id: string | null;
  readonly payout_id: string | null;
};

type Values = Tenant & {
  readonly reference: string;
  /** Of a try to pay: its letters are capitals. */
  readonly attemptReference: string;
  readonly id: string | null;
};

/** Each branch reads by a key or a small index, whatever is typed. */
const findNamed = statement<Values, Row>(
  'dashboard_reference_find',
  sql('merchantId', 'environment', 'reference', 'attemptReference', 'id')`
   with of_refund_or_payout as materialized (
     select :id::uuid as subject_id
     union all
     select t.subject_id from transfer t
     where t.merchant_id = :merchantId and t.environment = :environment
       and t.end_to_end_id = :attemptReference),
   named as (
     select 'PAYMENT' as kind, q.payment_request_id from payment_request q
     where q.merchant_id = :merchantId and q.environment = :environment
       and q.payment_request_id = :id::uuid
     union
     select 'PAYMENT', p.target_id from public_id p
     where p.public_id = :attemptReference and p.kind = 'ATTEMPT'
       and p.merchant_id = :merchantId and p.environment = :environment
     union
     select 'PAYMENT', a.payment_request_id from attempt a
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.rail_reference = :reference and a.method = 'CARD'
     union
     select 'PAYMENT', a.payment_request_id from attempt a
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.bank_payment_reference = :reference
     union
     select 'DISPUTE', a.payment_request_id from attempt a
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.disputes is not null
       and a.disputes @> jsonb_build_array(jsonb_build_object('reference', :reference::text))
     union
     select 'REFUND', f.payment_request_id from of_refund_or_payout o
     join refund f on f.merchant_id = :merchantId and f.environment = :environment
       and f.refund_id = o.subject_id)
   select n.kind, n.payment_request_id, q.order_id, null::uuid as payout_id from named n
   join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = n.payment_request_id
   union all
   select 'PAYOUT', null, null, p.payout_id from of_refund_or_payout o
   join payout p on p.merchant_id = :merchantId and p.environment = :environment
     and p.payout_id = o.subject_id
   limit ${limits.referencesFound}`,
);

/** What a whole id or reference names (DASHBOARD-51). */
export const referenceRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(findReference, async ({ query }, { tenant }) => {
    const reference = query.reference.trim();
    const rows = await database.tenant(tenant.merchantId, findNamed, {
      ...tenant,
      reference,
      attemptReference: reference.toUpperCase(),
      id: isUuid(reference) ? reference : null,
    });
    return {
      data: rows.map((row) => ({
        kind: row.kind,
        paymentRequestId: row.payment_request_id,
        orderId: row.order_id,
        payoutId: row.payout_id,
      })),
    };
  }),
];
