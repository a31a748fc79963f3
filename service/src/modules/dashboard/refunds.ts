import type { ReplyOf } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import {
  type Continued,
  continuedPage,
  goesOn,
  type NewestFirst,
  newestFirst,
  newestFirstSql,
} from '#platform/database/pages.ts';
import { type RowOf, shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type Refund = ReplyOf<typeof listMerchantRefunds>['data'][number];
type RefundRow = Continued &
  RowOf<Omit<Refund, 'amount' | 'why'>, 'createdAt' | 'updatedAt'> & {
    readonly amount_pence: bigint;
    readonly error_description: string | null;
  };

const listNewestRefunds = statement<
  Tenant &
    NewestFirst & {
      readonly status: string | null;
      readonly fromDay: string;
      readonly toDay: string;
    },
  RefundRow
>(
  'dashboard_refund_list',
  sql('merchantId', 'environment', 'status', 'fromDay', 'toDay')`
   select f.refund_id, f.payment_request_id, f.payment_idempotency_id, f.order_id, f.amount_pence,
     f.status, f.waits_for, f.error_description, f.method, f.notes, f.created_at, f.updated_at,
     ${goesOn('f', 'refund_id')}
   from refund f
   where f.merchant_id = :merchantId and f.environment = :environment
     and f.created_at >= london_midnight(:fromDay::date)
     and f.created_at < london_midnight(:toDay::date + 1)
     and (:status::text is null or f.status = :status::text)${newestFirstSql('f', 'refund_id')}`,
);

export const refundRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(listMerchantRefunds, async ({ query }, { tenant }) => {
    const { status = null, from = '1900-01-01', to = '2999-12-31' } = query;
    const filter = { ...tenant, status, fromDay: from, toDay: to };
    const values = { ...filter, ...newestFirst(query) };
    const rows = await database.tenant(tenant.merchantId, listNewestRefunds, values);
    return continuedPage(rows, query.limit, refundOf);
  }),
];

const refundOf = (row: RefundRow): Refund => ({
  ...shown(row),
  amount: poundsNumber(pence(row.amount_pence)),
  why: row.waits_for ? (waits[row.waits_for] ?? null) : row.error_description,
});

const waits: Readonly<Record<string, string>> = {
  BALANCE: 'It waits for enough money that payments to the account of its store have brought in.',
  SETTLEMENT: 'It waits until the money of its payment has arrived.',
  OPERATOR: 'It could not be handed over: the operator was told, and it is tried again.',
  REFUND_ACCOUNT_NEEDED: 'The bank did not say which account paid: ask the customer for it.',
};
