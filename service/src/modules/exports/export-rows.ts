import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber, poundsText } from '#kernel/pence.ts';
import { type ListedMatch, lineTypeOf, listExportedMatches } from '#modules/payouts/index.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type ExportedLine,
  type ExportedPayment,
  listExportedLines,
  listExportedPayments,
  type Period,
} from './store.ts';
import type { Cell } from './write-export.ts';

/** Page by page: however much there is, one page of it is held. */
export type ExportedRows = {
  readonly columns: readonly string[];
  /** The cells of each row, in the order of the columns. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
};

export type Exported = keyof typeof readers;

export const exportRows = (
  tools: Uses<'database'>,
  tenant: Tenant,
  what: Exported,
  period: Period,
): ExportedRows => ({
  columns: Object.keys(columns[what]),
  pages: readers[what](tools, tenant, period),
});

type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const cellsOf = <Row>(row: Row, of: Columns<Row>): readonly Cell[] =>
  Object.values(of).map((cellOf) => cellOf(row));

async function* payoutRows(
  { database }: Uses<'database'>,
  tenant: Tenant,
  period: Period,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const limit = limits.exportPageRows;
  let last: ExportedLine | null = null;
  for (;;) {
    const after = {
      afterAt: last?.payout_created_at ?? null,
      afterId: last?.payout_id ?? null,
      afterEntry: last?.entry_id.toString() ?? null,
    };
    const values = { ...tenant, ...period, ...after, limit };
    const lines: ExportedLine[] = await database.tenant(
      tenant.merchantId,
      listExportedLines,
      values,
    );
    yield lines.map((line) => cellsOf(line, payoutColumns));
    last = lines.at(-1) ?? null;
    if (lines.length < limit) return;
  }
}

async function* paymentRows(
  { database }: Uses<'database'>,
  tenant: Tenant,
  period: Period,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const limit = limits.exportPageRows;
  let last: ExportedPayment | null = null;
  for (;;) {
    const after = {
      afterAt: last?.created_at ?? null,
      afterId: last?.payment_request_id ?? null,
      afterPosition: last?.position ?? null,
    };
    const values = { ...tenant, ...period, ...after, limit };
    const payments: ExportedPayment[] = await database.tenant(
      tenant.merchantId,
      listExportedPayments,
      values,
    );
    yield payments.map((row) => cellsOf(row, paymentColumns));
    last = payments.at(-1) ?? null;
    if (payments.length < limit) return;
  }
}

async function* matchRows(
  { database }: Uses<'database'>,
  tenant: Tenant,
  { fromDate: fromDay, toDate: toDay }: Period,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const limit = limits.exportPageRows;
  let last: ListedMatch | null = null;
  for (;;) {
    const after = { afterAt: last?.settled_at ?? null, afterId: last?.payout_id ?? null };
    const values = { ...tenant, fromDay, toDay, ...after, limit };
    const matches: ListedMatch[] = await database.tenant(
      tenant.merchantId,
      listExportedMatches,
      values,
    );
    yield matches.map((row) => cellsOf(row, matchColumns));
    last = matches.at(-1) ?? null;
    if (matches.length < limit) return;
  }
}

const readers = {
  payouts: payoutRows,
  'payout-matches': matchRows,
  payments: paymentRows,
} as const satisfies Record<string, typeof payoutRows>;

export const exported = Object.keys(readers) as readonly Exported[];

const amountText = (amount: bigint): Cell => ({ amount: poundsText(pence(amount)) });

/** Amounts as payouts print them: text with two decimals. */
const payoutColumns: Columns<ExportedLine> = {
  payoutId: (line) => line.payout_id,
  payoutReferenceId: (line) => line.reference,
  payoutStatus: (line) => line.status,
  payoutAmount: (line) => amountText(line.payout_pence),
  settlementPeriodEnd: (line) => line.period_ends_business_at.toISOString(),
  payoutCreatedAt: (line) => line.payout_created_at.toISOString(),
  lineType: (line) => lineTypeOf(line.reason),
  amount: (line) => amountText(line.amount_pence),
  currency: () => 'GBP',
  paymentRequestId: (line) => line.payment_request_id,
  paymentIdempotencyId: (line) => line.payment_idempotency_id,
  orderId: (line) => line.order_id,
  refundId: (line) => line.refund_id,
  refundPaymentReference: (line) => line.refund_reference,
  isRefund: (line) => line.refund_id !== null,
  notes: (line) => line.notes,
  createdAt: (line) => line.created_at.toISOString(),
  transactionFinalizedAt: (line) => line.occurred_at.toISOString(),
};

/** Amounts as the search prints them: numbers. */
const paymentColumns: Columns<ExportedPayment> = {
  paymentIdempotencyId: (row) => row.payment_idempotency_id,
  paymentRequestId: (row) => row.payment_request_id,
  orderId: (row) => row.order_id,
  customerId: (row) => row.customer_reference,
  consumerName: (row) => row.consumer_name,
  status: (row) => row.status,
  transactionType: (row) => row.method,
  paidAmount: (row) => poundsNumber(pence(row.paid_pence)),
  tipAmount: (row) => poundsNumber(pence(row.tip_pence)),
  totalRefundAmount: (row) => poundsNumber(pence(row.refunded_pence)),
  currency: () => 'GBP',
  storeId: (row) => row.store_id,
  locationName: (row) => row.location_name,
  notes: (row) => row.notes,
  createdAt: (row) => row.created_at.toISOString(),
  updatedAt: (row) => row.updated_at.toISOString(),
};

const matchColumns: Columns<ListedMatch> = {
  payoutId: (row) => row.payout_id,
  payoutReferenceId: (row) => row.reference,
  amount: (row) => amountText(row.amount_pence),
  currency: () => 'GBP',
  settledAt: (row) => row.settled_at.toISOString(),
  match: (row) => row.match,
  creditedAmount: (row) => ({ amount: row.credited }),
  credits: (row) => row.credits,
  creditedAt: (row) => row.credited_at?.toISOString() ?? null,
  bankAccountId: (row) => row.account_id,
  bankTransactionId: (row) => row.transaction_id,
  isPayoutAccount: (row) => row.is_payout_account,
};

const columns = {
  payouts: payoutColumns,
  'payout-matches': matchColumns,
  payments: paymentColumns,
} as const satisfies Record<Exported, object>;
