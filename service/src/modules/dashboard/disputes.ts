import { limits, type ReplyOf } from '@florin/contract';
import { listDisputes } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import {
  type Continued,
  continuedPage,
  goesOn,
  inEachOrder,
  type NewestFirst,
  newestFirst,
  newestFirstSql,
  orderSql,
  plannedFor,
  type TotalRow,
  totalsOf,
} from '#platform/database/pages.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type Row = ReplyOf<typeof listDisputes>['data'][number];
type Dispute = Row['disputes'][number];

/** As the payment keeps it. */
type StoredDispute = {
  readonly reference: string;
  readonly status: Dispute['status'];
  readonly amountPence: string;
  readonly reason: string;
  readonly respondBy?: string | null;
};

type Answers = Readonly<Record<string, Dispute['answer']>> | null;

/** What was answered to the disputes of an attempt, by reference. */
export const answersSql = (alias: string): string => `(
       select jsonb_object_agg(w.dispute_reference, w.status) from dispute_answer w
       where w.merchant_id = :merchantId and w.environment = :environment
         and w.attempt_id = ${alias}.attempt_id)`;

type Openings = readonly { readonly reason: string; readonly at: string }[] | null;

/** When disputes of an attempt were reported, each with its reason alone. */
export const openingsSql = (alias: string): string => `(
       select jsonb_agg(jsonb_build_object('reason', h.detail, 'at', h.occurred_at))
       from payment_history h
       where h.merchant_id = :merchantId and h.environment = :environment
         and h.payment_request_id = ${alias}.payment_request_id
         and h.subject_id = ${alias}.attempt_id and h.trigger = 'disputed')`;

export type DisputesRow = {
  readonly disputes: readonly StoredDispute[];
  readonly answers: Answers;
  readonly openings: Openings;
};

type DisputedRow = DisputesRow &
  Continued &
  RowOf<Omit<Row, 'paidAmount' | 'amount' | 'disputes'>, 'createdAt' | 'openedAt'> & {
    readonly paid_pence: bigint;
    readonly amount_pence: bigint;
  };

type Filter = Tenant & {
  readonly search: string | null;
  readonly status: string | null;
  readonly respondBy: string | null;
  readonly storeId: string | null;
};

/** The index holds disputed payments alone, which are few. */
const found = sql('merchantId', 'environment', 'search', 'status', 'respondBy', 'storeId')`
   select a.attempt_id, a.payment_request_id, a.consumer_name as payer, a.created_at, a.disputes,
     (a.amount_pence + a.tip_pence)::bigint as paid_pence, q.order_id, q.store_id,
     contested_pence(a.disputes) as amount_pence
   from attempt a
   join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = a.payment_request_id
   where a.merchant_id = :merchantId and a.environment = :environment and a.disputes is not null
     and (:status::text is null
       or a.disputes @> jsonb_build_array(jsonb_build_object('status', :status::text)))
     and (:respondBy::date is null or exists (select from jsonb_array_elements(a.disputes) d
       where d->>'status' = 'OPEN'
         and (d->>'respondBy')::timestamptz < london_midnight(:respondBy::date + 1)))
     and (:storeId::uuid is null or q.store_id = :storeId::uuid)
     and (:search::text is null
       or strpos(lower(concat_ws(' ', q.order_id, a.consumer_name)), lower(:search::text)) > 0
       or a.disputes @> jsonb_build_array(jsonb_build_object('reference', :search::text)))`;

const listDisputed = inEachOrder((sort) =>
  statement<Filter & NewestFirst, DisputedRow>(
    `dashboard_disputes_${sort.toLowerCase()}`,
    sql('merchantId', 'environment')`
   select f.payment_request_id, f.order_id, f.payer, ${shownStoreNameSql('s')} as store_name,
     f.paid_pence, f.amount_pence, f.created_at, f.disputes, f.goes_on,
     ${answersSql('f')} as answers, ${openingsSql('f')} as openings, (
       select max(h.occurred_at) from payment_history h
       where h.merchant_id = :merchantId and h.environment = :environment
         and h.payment_request_id = f.payment_request_id and h.subject_id = f.attempt_id
         and h.trigger = 'disputed') as opened_at
   from (select a.*, ${goesOn('a', 'attempt_id', sort)} from (${found}) a
     where true ${newestFirstSql('a', 'attempt_id', sort)} offset 0) f
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = f.store_id
   order by ${orderSql('f', 'attempt_id', sort)}`,
    plannedFor(sort),
  ),
);

/** A payment with two disputes counts for each. */
const addDisputes = statement<Filter & { readonly max: number }, TotalRow>(
  'dashboard_dispute_totals',
  sql('max')`
   select d->>'status' as status, count(*) as items,
     sum((d->>'amountPence')::bigint)::bigint as amount_pence
   from (select a.disputes from (${found}) a order by a.created_at desc limit :max::int) f
   cross join lateral jsonb_array_elements(f.disputes) d
   group by 1 order by 1`,
);

/** What members see of disputes (CARD-15). */
export const disputeRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(listDisputes, async ({ query }, { tenant }) => {
    const { search = null, status = null, respondBy = null, storeId = null } = query;
    const { orderBy = 'NEWEST', totals, limit } = query;
    const filter = { ...tenant, search, status, respondBy, storeId };
    const values = { ...filter, ...newestFirst(query) };
    const rows = await database.tenant(tenant.merchantId, listDisputed[orderBy], values);
    const page = continuedPage(rows, limit, rowOf);
    if (!totals) return page;
    const max = limits.totalsReadMax;
    const added = await database.tenant(tenant.merchantId, addDisputes, { ...filter, max });
    return { ...page, totals: totalsOf(added, max) };
  }),
];

const rowOf = (row: DisputedRow): Row => ({
  paymentRequestId: row.payment_request_id,
  orderId: row.order_id,
  payer: row.payer,
  storeName: row.store_name,
  paidAmount: poundsNumber(pence(row.paid_pence)),
  amount: poundsNumber(pence(row.amount_pence)),
  createdAt: row.created_at.toISOString(),
  openedAt: row.opened_at?.toISOString() ?? null,
  disputes: shownDisputes(row),
});

export const shownDisputes = ({ disputes, answers, openings }: DisputesRow): Dispute[] =>
  disputes.map((stored) => ({
    ...shownDispute(stored),
    openedAt: openedAt(stored.reason, openings ?? []),
    answer: answers?.[stored.reference] ?? 'DRAFT',
  }));

const openedAt = (reason: string, openings: NonNullable<Openings>): string | null => {
  const [opening, another] = openings.filter((each) => each.reason === reason);
  return opening && !another ? new Date(opening.at).toISOString() : null;
};

const shownDispute = (stored: StoredDispute): Omit<Dispute, 'answer' | 'openedAt'> => ({
  reference: stored.reference,
  status: stored.status,
  amount: poundsNumber(pence(BigInt(stored.amountPence))),
  reason: reasons[stored.reason] ?? reasons.general,
  reasonCode: stored.reason,
  respondBy: stored.status === 'OPEN' ? (stored.respondBy ?? null) : null,
});

const reasons: Readonly<Record<string, string>> & { readonly general: string } = {
  general: 'The customer disputes the payment and gives no reason.',
  fraudulent: 'The customer says that they did not make this payment.',
  unrecognized: 'The customer does not recognise this payment.',
  duplicate: 'The customer says that they were charged twice.',
  product_not_received: 'The customer says that nothing was delivered.',
  product_unacceptable: 'The customer says that what they got was not as described.',
  credit_not_processed: 'The customer says that a promised refund did not come.',
  subscription_canceled: 'The customer says that they had cancelled the subscription.',
  insufficient_funds: 'The customer’s bank says that there was not enough money.',
  bank_cannot_process: 'The customer’s bank could not process the payment.',
  incorrect_account_details: 'The customer’s bank says that the account is not right.',
  debit_not_authorized: 'The customer says that they did not authorise the debit.',
};
