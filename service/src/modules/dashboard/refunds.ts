import type { refundStatuses } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type RefundRow = {
  readonly refund_id: string;
  readonly payment_request_id: string;
  readonly payment_idempotency_id: string;
  readonly order_id: string;
  readonly amount_pence: bigint;
  readonly status: (typeof refundStatuses)[number];
  readonly waits_for: string | null;
  readonly error_description: string | null;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly notes: string | null;
  readonly created_at: Date;
  readonly created_micros: bigint;
  readonly updated_at: Date;
};

const listNewestRefunds = statement<
  Tenant & {
    readonly status: string | null;
    readonly fromDay: string;
    readonly toDay: string;
    readonly beforeMicros: string | null;
    readonly beforeId: string | null;
    readonly limit: number;
  },
  RefundRow
>(
  'dashboard_refund_list',
  sql(
    'merchantId',
    'environment',
    'status',
    'fromDay',
    'toDay',
    'beforeMicros',
    'beforeId',
    'limit',
  )`
   select f.refund_id, f.payment_request_id, f.payment_idempotency_id, f.order_id, f.amount_pence,
     f.status, f.waits_for, f.error_description, f.method, f.notes, f.created_at,
     (extract(epoch from f.created_at) * 1000000)::bigint as created_micros, f.updated_at
   from refund f
   where f.merchant_id = :merchantId and f.environment = :environment
     and f.created_at >= london_midnight(:fromDay::date)
     and f.created_at < london_midnight(:toDay::date + 1)
     and (:status::text is null or f.status = :status::text)
     and f.created_at <= (select coalesce(
       to_timestamp(:beforeMicros::numeric / 1000000), 'infinity'::timestamptz))
     and (:beforeMicros::numeric is null or (f.created_at, f.refund_id)
       < (to_timestamp(:beforeMicros::numeric / 1000000), :beforeId::uuid))
   order by f.created_at desc, f.refund_id desc limit :limit::int`,
);

export const refundRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(listMerchantRefunds, async ({ query }, { tenant }) => {
    const { status = null, from = '1900-01-01', to = '2999-12-31', before, limit } = query;
    const [beforeMicros = null, beforeId = null] = before?.split('.') ?? [];
    const rows = await database.tenant(tenant.merchantId, listNewestRefunds, {
      ...{ ...tenant, status, fromDay: from, toDay: to },
      ...{ beforeMicros, beforeId, limit: limit + 1 },
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rows.length > limit && last;
    return {
      data: page.map(shown),
      nextBefore: hasMore ? `${last.created_micros}.${last.refund_id}` : null,
    };
  }),
];

const shown = (row: RefundRow) => ({
  refundId: row.refund_id,
  paymentRequestId: row.payment_request_id,
  paymentIdempotencyId: row.payment_idempotency_id,
  orderId: row.order_id,
  amount: poundsNumber(pence(row.amount_pence)),
  status: row.status,
  waitsFor: row.waits_for,
  why: row.waits_for ? (waits[row.waits_for] ?? null) : row.error_description,
  method: row.method,
  notes: row.notes,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

const waits: Readonly<Record<string, string>> = {
  BALANCE: 'It waits for enough money that payments to the account of its store have brought in.',
  SETTLEMENT: 'It waits until the money of its payment has arrived.',
  OPERATOR: 'It could not be handed over: the operator was told, and it is tried again.',
  REFUND_ACCOUNT_NEEDED: 'The bank did not say which account paid: ask the customer for it.',
};
