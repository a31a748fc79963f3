import {
  type listPayoutMatches as described,
  type listPayouts as describedPayouts,
  type listPayoutTransactions as describedTransactions,
  limits,
  listPayouts as listOperation,
  listPayoutMatches as matchesOperation,
  type QueryOf,
  type ReplyOf,
  listPayoutTransactions as transactionsOperation,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { pence, penceFromPounds, poundsText } from '#kernel/pence.ts';
import { missingPublicId } from '#modules/merchants/index.ts';
import { type Sort, totalsOf } from '#platform/database/pages.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  addPayouts,
  countFoundPayouts,
  countMatches,
  countPayouts,
  type ListedMatch,
  listLines,
  listMatches,
  listPayoutRows,
  type PayoutLine,
} from './store/list-payouts.ts';
import { readPayout } from './store/payouts.ts';

const listPayouts = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof describedPayouts>,
): Promise<ReplyOf<typeof describedPayouts>> => {
  const { page, limit } = query;
  const search = query.search?.trim() ?? '';
  const amountPence = penceFromPounds(search)?.toString() ?? null;
  const filter = {
    ...tenant,
    fromDay: query.fromDate ?? '-infinity',
    toDay: query.toDate ?? 'infinity',
    status: query.status === 'COMPLETED' ? ('SETTLED' as const) : (query.status ?? null),
    // No reference is an amount, so one of the two is searched.
    reference: amountPence !== null ? null : prefixOf(search),
    amountPence,
  };
  const isSearch = filter.reference !== null || amountPence !== null;
  const max = limits.totalsReadMax;
  const [rows, counted, added] = await Promise.all([
    database.tenant(tenant.merchantId, listPayoutRows[sortOf(query.orderBy)], {
      ...filter,
      limit,
      skipped: page * limit,
    }),
    isSearch
      ? database.tenant(tenant.merchantId, countFoundPayouts, filter)
      : database.tenant(tenant.merchantId, countPayouts, filter),
    query.totals ? database.tenant(tenant.merchantId, addPayouts, { ...filter, max }) : null,
  ]);
  const data = rows.map((row) => ({
    id: row.payout_id,
    amount: poundsText(pence(row.amount_pence)),
    currency: 'GBP',
    settlementPeriodEnd: row.period_ends_business_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    status: row.status,
    reference: row.reference,
    account: { name: row.account_name, lastFour: row.account_number.slice(-4) },
    lineCount: row.line_count,
  }));
  const totals = added && { totals: totalsOf(added, max) };
  return { data, page, itemPerPage: limit, totalCount: counted[0]?.total ?? 0, ...totals };
};

type OrderBy = QueryOf<typeof describedPayouts>['orderBy'];

const sortOf = (orderBy: OrderBy = 'NEWEST'): Sort => {
  if (orderBy === 'ASC') return 'OLDEST';
  return orderBy === 'DESC' || orderBy === 'createdAt' ? 'NEWEST' : orderBy;
};

/** Null: every reference begins so. */
const prefixOf = (search: string): string | null =>
  'FPY'.startsWith(search.toUpperCase()) ? null : search.toUpperCase();

const listPayoutTransactions = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  payoutId: string,
  { page, limit }: QueryOf<typeof describedTransactions>,
): Promise<ReplyOf<typeof describedTransactions>> => {
  const { database } = tools;
  const values = { ...tenant, payoutId };
  const [found] = await database.tenant(tenant.merchantId, readPayout, values);
  if (!found) {
    const message = 'There is no payout with this id.';
    throw await missingPublicId(tools, tenant, message, payoutId, 'PAYOUT');
  }
  const paged = (skipped: number, rows: number) =>
    database.tenant(tenant.merchantId, listLines, { ...values, skipped, limit: rows });
  const lines = await paged(page * limit, limit);
  // After the last page no row has the total.
  const [first] = lines.length > 0 ? lines : await paged(0, 1);
  return {
    data: lines.map(lineView),
    page,
    itemPerPage: limit,
    totalCount: first?.total ?? 0,
  };
};

const lineView = (line: PayoutLine) => ({
  paymentIdempotencyId: line.payment_idempotency_id,
  paymentRequestId: line.payment_request_id,
  createdAt: line.created_at.toISOString(),
  amount: poundsText(pence(line.amount_pence)),
  currency: 'GBP',
  lineType: lineTypeOf(line.reason),
  refundId: line.refund_id,
  refundPaymentReference: line.refund_reference,
  payoutReferenceId: line.reference,
  transactionFinalizedAt: line.occurred_at.toISOString(),
  isRefund: line.refund_id !== null,
  callbackParams: line.callback_params ?? {},
  notes: line.notes,
  orderId: line.order_id,
  storeName: line.store_name,
});

/** By the reason of its ledger entry. */
export const lineTypeOf = (reason: string): LineType => lineTypes[reason] ?? 'PAYMENT';

type LineType = ReplyOf<typeof describedTransactions>['data'][number]['lineType'];

const lineTypes: Readonly<Record<string, LineType>> = {
  PAYMENT_SETTLED: 'PAYMENT',
  PAYMENT_REVERSED: 'REVERSAL',
  REFUND_HANDED_OVER: 'REFUND',
  REFUND_FAILED: 'REFUND_RETURNED',
  REFUND_RETURNED: 'REFUND_RETURNED',
  FEE_CHARGED: 'FEE',
  FEE_RETURNED: 'FEE_RETURNED',
  TRANSFER_DIFFERENCE: 'HELD',
  TRANSFER_REJECTED: 'PAYOUT_RETURNED',
  TRANSFER_RETURNED: 'PAYOUT_RETURNED',
};

/** PAYOUT-7. */
const listPayoutMatches = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { page, limit, ...query }: QueryOf<typeof described>,
): Promise<ReplyOf<typeof described>> => {
  const filter = {
    ...tenant,
    fromDay: query.fromDate ?? '-infinity',
    toDay: query.toDate ?? 'infinity',
    match: query.match ?? null,
  };
  const [rows, counted] = await Promise.all([
    database.tenant(tenant.merchantId, listMatches, { ...filter, limit, skipped: page * limit }),
    database.tenant(tenant.merchantId, countMatches, filter),
  ]);
  return {
    data: rows.map(matchView),
    page,
    itemPerPage: limit,
    totalCount: counted[0]?.total ?? 0,
  };
};

const matchView = (row: ListedMatch) => ({
  payoutId: row.payout_id,
  reference: row.reference,
  amount: poundsText(pence(row.amount_pence)),
  currency: 'GBP',
  settledAt: row.settled_at.toISOString(),
  match: row.match,
  creditedAmount: row.credited,
  credits: row.credits,
  creditedAt: row.credited_at?.toISOString() ?? null,
  bankAccountId: row.account_id,
  bankTransactionId: row.transaction_id,
  isPayoutAccount: row.is_payout_account,
});

export const merchantRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(listOperation, ({ query }, { tenant }) => listPayouts(tools, tenant, query)),
  route(matchesOperation, ({ query }, { tenant }) => listPayoutMatches(tools, tenant, query)),
  route(transactionsOperation, ({ params, query }, { tenant }) =>
    listPayoutTransactions(tools, tenant, params.payoutId, query),
  ),
];
