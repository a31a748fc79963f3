import type { ReplyOf } from '@florin/contract';
import { listDisputes } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import {
  type Continued,
  continuedPage,
  goesOn,
  type NewestFirst,
  newestFirst,
  newestFirstSql,
} from '#platform/database/pages.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type Row = ReplyOf<typeof listDisputes>['data'][number];
type Dispute = Row['disputes'][number];

/** As the payment keeps it. */
export type StoredDispute = {
  readonly reference: string;
  readonly status: Dispute['status'];
  readonly amountPence: string;
  readonly reason: string;
  readonly respondBy?: string | null;
};

type DisputedRow = Continued & {
  readonly payment_request_id: string;
  readonly order_id: string;
  readonly store_name: string | null;
  readonly total_pence: bigint;
  readonly created_at: Date;
  readonly disputes: readonly StoredDispute[];
};

/** The index holds disputed payments alone, which are few. */
const listDisputed = statement<
  Tenant & NewestFirst & { readonly status: string | null },
  DisputedRow
>(
  'dashboard_dispute_list',
  sql('merchantId', 'environment', 'status')`
   select f.payment_request_id, q.order_id, ${shownStoreNameSql('s')} as store_name, f.total_pence,
     f.created_at, f.disputes, f.goes_on
   from (select a.*, (a.amount_pence + a.tip_pence)::bigint as total_pence,
       ${goesOn('a', 'attempt_id')}
     from attempt a
     where a.merchant_id = :merchantId and a.environment = :environment and a.disputes is not null
       and (:status::text is null
         or a.disputes @> jsonb_build_array(jsonb_build_object('status', :status::text)))
       ${newestFirstSql('a', 'attempt_id')} offset 0) f
   join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = f.payment_request_id
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = q.store_id
   order by f.created_at desc, f.attempt_id desc`,
);

/** What members see of disputes (CARD-15). */
export const disputeRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(listDisputes, async ({ query }, { tenant }) => {
    const values = { ...tenant, status: query.status ?? null, ...newestFirst(query) };
    const rows = await database.tenant(tenant.merchantId, listDisputed, values);
    return continuedPage(rows, query.limit, (row) => ({
      paymentRequestId: row.payment_request_id,
      orderId: row.order_id,
      storeName: row.store_name,
      paidAmount: poundsNumber(pence(row.total_pence)),
      createdAt: row.created_at.toISOString(),
      disputes: row.disputes.map(shownDispute),
    }));
  }),
];

export const shownDispute = (stored: StoredDispute): Dispute => ({
  reference: stored.reference,
  status: stored.status,
  amount: poundsNumber(pence(BigInt(stored.amountPence))),
  reason: reasons[stored.reason] ?? reasons.general,
  reasonCode: stored.reason,
  respondBy: stored.status === 'OPEN' ? (stored.respondBy ?? null) : null,
});

const reasons: Readonly<Record<string, string>> & { readonly general: string } = {
  general: 'The card holder disputes the payment and gives no reason.',
  fraudulent: 'The card holder says that they did not make this payment.',
  unrecognized: 'The card holder does not recognise this payment.',
  duplicate: 'The card holder says that they were charged twice.',
  product_not_received: 'The card holder says that nothing was delivered.',
  product_unacceptable: 'The card holder says that what they got was not as described.',
  credit_not_processed: 'The card holder says that a promised refund did not come.',
  subscription_canceled: 'The card holder says that they had cancelled the subscription.',
  insufficient_funds: 'The card holder’s bank says that there was not enough money.',
  bank_cannot_process: 'The card holder’s bank could not process the payment.',
  incorrect_account_details: 'The card holder’s bank says that the account is not right.',
  debit_not_authorized: 'The card holder says that they did not authorise the debit.',
};
