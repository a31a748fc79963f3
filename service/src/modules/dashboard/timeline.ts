import { failures, limits } from '@florin/contract';
import { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import type { BankRails } from '#modules/payments/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { answersSql, type DisputesRow, openingsSql, shownDisputes } from './disputes.ts';
import {
  answerEntry,
  approvalEntry,
  bookedReasons,
  changeEntry,
  type Made,
  moneyEntry,
  type Names,
  requestEntry,
  sentEntries,
} from './timeline-entries.ts';

type OfPayment = Tenant & { readonly paymentRequestId: string };

export type RequestRow = {
  readonly status: string;
  readonly amount_pence: bigint;
  readonly paid_pence: bigint;
  readonly order_id: string;
  readonly customer_reference: string;
  readonly customer_id: string | null;
  readonly notes: string | null;
  readonly store_name: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly maker_id: string;
  readonly secret_name: string | null;
  readonly channel: string;
};

const readRequest = statement<OfPayment, RequestRow>(
  'dashboard_timeline_request',
  sql('merchantId', 'environment', 'paymentRequestId')`
   select r.status, r.amount_pence, r.paid_pence, r.order_id,
     r.merchant_customer_reference as customer_reference, r.customer_id, r.notes,
     ${shownStoreNameSql('s')} as store_name,
     r.created_at, r.expires_business_at as expires_at, r.secret_id as maker_id,
     k.name as secret_name, r.channel
   from payment_request r
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = r.store_id
   left join access_secret k on k.merchant_id = :merchantId and k.environment = :environment
     and k.secret_id = r.secret_id
   where r.merchant_id = :merchantId and r.environment = :environment
     and r.payment_request_id = :paymentRequestId::uuid`,
);

export type ChangeRow = {
  readonly subject: 'REQUEST' | 'ATTEMPT' | 'REFUND';
  readonly subject_id: string;
  readonly trigger: string;
  readonly to_status: string;
  readonly detail: string | null;
  readonly occurred_at: Date;
  readonly institution_id: string | null;
  readonly pence: bigint | null;
  readonly why: string | null;
  readonly maker_id: string | null;
  readonly secret_name: string | null;
};

/** Every change of state of the request, its attempts and its refunds. */
const listChanges = statement<OfPayment & { readonly limit: number }, ChangeRow>(
  'dashboard_timeline_changes',
  sql('merchantId', 'environment', 'paymentRequestId', 'limit')`
   select h.subject, h.subject_id, h.trigger, h.to_status, h.detail, h.occurred_at,
     a.institution_id, (a.amount_pence + a.tip_pence)::bigint as pence,
     case when h.to_status in ('FAILED', 'CANCELLED') then a.error_description end as why,
     null::uuid as maker_id, null as secret_name, h.version, h.position
   from payment_history h
   left join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = h.subject_id
   where h.merchant_id = :merchantId and h.environment = :environment
     and h.payment_request_id = :paymentRequestId::uuid
   union all
   select 'REFUND', f.refund_id, h.trigger, h.to_status, h.detail, h.occurred_at, null,
     f.amount_pence, case when h.to_status = 'FAILED' then f.error_description end,
     case when h.from_status is null then f.secret_id end, k.name, h.version, h.position
   from refund f
   join refund_history h on h.merchant_id = :merchantId and h.environment = :environment
     and h.refund_id = f.refund_id
   left join access_secret k on k.merchant_id = :merchantId and k.environment = :environment
     and k.secret_id = f.secret_id and h.from_status is null
   where f.merchant_id = :merchantId and f.environment = :environment
     and f.payment_request_id = :paymentRequestId::uuid
   order by occurred_at, version, position limit :limit::int`,
);

export type MoneyRow = {
  readonly reason: string;
  readonly pence: bigint;
  readonly occurred_at: Date;
  readonly resource_id: string;
};

/** What was booked for it at other times than a change of its state. */
const listBookings = statement<
  OfPayment & { readonly limit: number; readonly reasons: readonly string[] },
  MoneyRow
>(
  'dashboard_timeline_bookings',
  sql('merchantId', 'environment', 'paymentRequestId', 'reasons', 'limit')`
   select e.reason, sum(e.amount_pence)::bigint as pence, e.occurred_at, e.resource_id
   from ledger_entry e
   where e.merchant_id = :merchantId and e.environment = :environment
     and e.resource_id = :paymentRequestId::uuid and e.amount_pence > 0
     and e.account <> 'MERCHANT_UNSETTLED' and e.reason = any (:reasons::text[])
   group by e.transaction_id, e.reason, e.occurred_at, e.resource_id
   order by e.occurred_at limit :limit::int`,
);

export type SentRow = {
  readonly event_id: string;
  readonly event_type: string;
  readonly occurred_at: Date;
  readonly event_status: string | null;
  readonly delivery_id: bigint | null;
  readonly endpoint_id: string | null;
  readonly url: string | null;
  readonly state: string | null;
  readonly kind: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly delivered_at: Date | null;
};

/** Events of the payment and of its refunds, with a row for each delivery. */
const listSent = statement<OfPayment & { readonly limit: number }, SentRow>(
  'dashboard_timeline_sent',
  sql('merchantId', 'environment', 'paymentRequestId', 'limit')`
   with resource as materialized (
     select :paymentRequestId::uuid as id
     union all
     select f.refund_id from refund f where f.merchant_id = :merchantId
       and f.environment = :environment and f.payment_request_id = :paymentRequestId::uuid)
   select e.event_id, e.event_type, e.occurred_at, b.body::json->>'status' as event_status,
     d.delivery_id, d.endpoint_id, w.url, d.state, d.kind, d.last_status, d.last_error,
     coalesce(d.completed_at, d.created_at) as delivered_at
   from resource r
   join event e on e.merchant_id = :merchantId and e.environment = :environment
     and e.resource_id = r.id
   left join event_body b on b.merchant_id = :merchantId and b.environment = :environment
     and b.event_id = e.event_id and b.written_at = e.written_at
   left join delivery d on d.merchant_id = :merchantId and d.environment = :environment
     and d.event_id = e.event_id and d.event_written_at = e.written_at
   left join webhook_endpoint w on w.merchant_id = :merchantId and w.environment = :environment
     and w.endpoint_id = d.endpoint_id
   order by e.occurred_at, e.sequence, d.delivery_id limit :limit::int`,
);

/** Who of the merchant's members made something: a secret makes it under its own id. */
const listMembers = statement<
  { readonly merchantId: string; readonly personIds: readonly string[] },
  { readonly person_id: string; readonly name: string }
>(
  'dashboard_member_names',
  sql('merchantId', 'personIds')`
   select p.person_id, p.name from membership m join person p on p.person_id = m.person_id
   where m.merchant_id = :merchantId and m.person_id = any (:personIds::uuid[])`,
);

export type ApprovalRow = {
  readonly approval_id: string;
  readonly trigger: string;
  readonly person_name: string;
  readonly detail: string | null;
  readonly amount_pence: bigint;
  readonly occurred_at: Date;
};

export type AnswerRow = {
  readonly answer_id: string;
  readonly from_status: string | null;
  readonly trigger: string;
  readonly person_name: string | null;
  readonly detail: string | null;
  readonly occurred_at: Date;
};

/** Refunds that a second person decides about: who proposed them, and who said what. */
const listApprovalSteps = statement<OfPayment & { readonly limit: number }, ApprovalRow>(
  'dashboard_timeline_approvals',
  sql('merchantId', 'environment', 'paymentRequestId', 'limit')`
   select h.approval_id, h.trigger, h.person_name, h.detail, a.amount_pence, h.occurred_at
   from refund_approval a
   join refund_approval_history h on h.merchant_id = a.merchant_id
     and h.environment = a.environment and h.approval_id = a.approval_id
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = :paymentRequestId::uuid
   order by h.occurred_at, h.approval_id, h.version limit :limit`,
);

/** What members answered to its disputes, and what the card processor made of it. */
const listAnswerSteps = statement<OfPayment & { readonly limit: number }, AnswerRow>(
  'dashboard_timeline_answers',
  sql('merchantId', 'environment', 'paymentRequestId', 'limit')`
   select h.answer_id, h.from_status, h.trigger, h.person_name, h.detail, h.occurred_at
   from dispute_answer d
   join dispute_answer_history h on h.merchant_id = d.merchant_id
     and h.environment = d.environment and h.answer_id = d.answer_id
   where d.merchant_id = :merchantId and d.environment = :environment
     and d.payment_request_id = :paymentRequestId::uuid
   order by h.occurred_at, h.answer_id, h.version limit :limit`,
);

const listDisputes = statement<OfPayment, DisputesRow>(
  'dashboard_timeline_disputes',
  sql('merchantId', 'environment', 'paymentRequestId')`
   select a.disputes, ${answersSql('a')} as answers, ${openingsSql('a')} as openings
   from attempt a
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = :paymentRequestId::uuid and a.disputes is not null
   order by a.position`,
);

type Tools = Uses<'database'> & { readonly bankRails: BankRails };

/** DASHBOARD-43: what is known of a payment, in one order. */
export const timelineRoutes = (tools: Tools): readonly Route[] => [
  route(getPaymentTimeline, async ({ params: { paymentRequestId } }, { tenant }) => {
    const { database } = tools;
    const { merchantId } = tenant;
    const limit = limits.timelineEntriesMax;
    const values = { ...tenant, paymentRequestId, limit };
    const [[request], changes, approved, answered, money, sent, disputed] = await Promise.all([
      database.tenant(merchantId, readRequest, values),
      database.tenant(merchantId, listChanges, values),
      database.tenant(merchantId, listApprovalSteps, values),
      database.tenant(merchantId, listAnswerSteps, values),
      database.tenant(merchantId, listBookings, { ...values, reasons: bookedReasons }),
      database.tenant(merchantId, listSent, values),
      database.tenant(merchantId, listDisputes, values),
    ]);
    if (!request) throw new Failure(failures.notFound);
    const names = await namesOf(tools, tenant, [request, ...changes]);
    const entries = [
      requestEntry(paymentRequestId, request, names),
      ...changes.map((row) => changeEntry(row, names)),
      ...approved.map(approvalEntry),
      ...answered.map(answerEntry),
      ...money.map(moneyEntry),
      ...sent.flatMap(sentEntries),
    ];
    return {
      paymentRequestId,
      status: request.status,
      amount: poundsNumber(pence(request.amount_pence)),
      paidAmount: poundsNumber(pence(request.paid_pence)),
      orderId: request.order_id,
      customerId: request.customer_reference,
      savedCustomerId: request.customer_id,
      notes: request.notes,
      storeName: request.store_name,
      createdAt: request.created_at.toISOString(),
      expiresAt: request.expires_at.toISOString(),
      disputes: disputed.flatMap(shownDisputes),
      entries: entries.toSorted((one, other) =>
        one.at < other.at ? -1 : Number(one.at > other.at),
      ),
      isWhole: [changes, approved, answered, money, sent].every(({ length }) => length < limit),
    };
  }),
];

const namesOf = async (
  { database, bankRails }: Tools,
  { merchantId, environment }: Tenant,
  made: readonly Made[],
): Promise<Names> => {
  const personIds = made.flatMap(({ maker_id: id, secret_name: name }) =>
    id !== null && name === null ? [id] : [],
  );
  const people =
    personIds.length === 0 ? [] : await database.system(listMembers, { merchantId, personIds });
  const banks = bankRails.find(environment)?.institutions() ?? [];
  return {
    people: new Map(people.map(({ person_id: id, name }) => [id, name])),
    banks: new Map(banks.map(({ id, name }) => [id, name])),
  };
};
