import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber, poundsText } from '#kernel/pence.ts';
import { type ListedMatch, lineTypeOf, listExportedMatches } from '#modules/payouts/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { Cell } from './csv-cell.ts';
import {
  type ExportedLine,
  type ExportedPayment,
  listExportedLines,
  listExportedPayments,
  type Period,
} from './store/exported-rows.ts';

/** The members of a row are the same in each row, and in this order. */
export type ExportedRow = Readonly<Record<string, Cell>>;

export type Exported = keyof typeof readers;

/** Page by page: however much there is, one page of it is held. */
export const exportRows = (
  tools: Uses<'database'>,
  tenant: Tenant,
  what: Exported,
  period: Period,
): AsyncGenerator<readonly ExportedRow[]> => readers[what](tools, tenant, period);

async function* payoutRows(
  { database }: Uses<'database'>,
  tenant: Tenant,
  period: Period,
): AsyncGenerator<readonly ExportedRow[]> {
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
    yield lines.map(payoutRow);
    last = lines.at(-1) ?? null;
    if (lines.length < limit) return;
  }
}

async function* paymentRows(
  { database }: Uses<'database'>,
  tenant: Tenant,
  period: Period,
): AsyncGenerator<readonly ExportedRow[]> {
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
    yield payments.map(paymentRow);
    last = payments.at(-1) ?? null;
    if (payments.length < limit) return;
  }
}

async function* matchRows(
  { database }: Uses<'database'>,
  tenant: Tenant,
  { fromDate: fromDay, toDate: toDay }: Period,
): AsyncGenerator<readonly ExportedRow[]> {
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
    yield matches.map(matchRow);
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
const payoutRow = (line: ExportedLine): ExportedRow => ({
  payoutId: line.payout_id,
  payoutReferenceId: line.reference,
  payoutStatus: line.status,
  payoutAmount: amountText(line.payout_pence),
  settlementPeriodEnd: line.period_ends_business_at.toISOString(),
  payoutCreatedAt: line.payout_created_at.toISOString(),
  lineType: lineTypeOf(line.reason),
  amount: amountText(line.amount_pence),
  currency: 'GBP',
  paymentRequestId: line.payment_request_id,
  paymentIdempotencyId: line.payment_idempotency_id,
  orderId: line.order_id,
  refundId: line.refund_id,
  refundPaymentReference: line.refund_reference,
  isRefund: line.refund_id !== null,
  notes: line.notes,
  createdAt: line.created_at.toISOString(),
  transactionFinalizedAt: line.occurred_at.toISOString(),
});

/** Amounts as the search prints them: numbers. */
const paymentRow = (row: ExportedPayment): ExportedRow => ({
  paymentIdempotencyId: row.payment_idempotency_id,
  paymentRequestId: row.payment_request_id,
  orderId: row.order_id,
  customerId: row.customer_reference,
  consumerName: row.consumer_name,
  status: row.status,
  transactionType: row.method,
  paidAmount: poundsNumber(pence(row.paid_pence)),
  tipAmount: poundsNumber(pence(row.tip_pence)),
  totalRefundAmount: poundsNumber(pence(row.refunded_pence)),
  currency: 'GBP',
  storeId: row.store_id,
  locationName: row.location_name,
  notes: row.notes,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

const matchRow = (row: ListedMatch): ExportedRow => ({
  payoutId: row.payout_id,
  payoutReferenceId: row.reference,
  amount: amountText(row.amount_pence),
  currency: 'GBP',
  settledAt: row.settled_at.toISOString(),
  match: row.match,
  creditedAmount: { amount: row.credited },
  credits: row.credits,
  creditedAt: row.credited_at?.toISOString() ?? null,
  bankAccountId: row.account_id,
  bankTransactionId: row.transaction_id,
  isPayoutAccount: row.is_payout_account,
});
