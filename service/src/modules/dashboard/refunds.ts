import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listMerchantRefunds as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import { listNewestRefunds, type RefundRow } from './store/refunds.ts';

type Shown = ReplyOf<typeof operation>['data'][number];

export const listMerchantRefunds = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { status, from, to, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const [beforeMicros = null, beforeId = null] = before?.split('.') ?? [];
  const rows = await database.tenant(tenant.merchantId, listNewestRefunds, {
    ...tenant,
    status: status ?? null,
    fromDay: from ?? '1900-01-01',
    toDay: to ?? '2999-12-31',
    beforeMicros,
    beforeId,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last;
  return {
    data: page.map(shown),
    nextBefore: hasMore ? `${last.created_micros}.${last.refund_id}` : null,
  };
};

const shown = (row: RefundRow): Shown => ({
  refundId: row.refund_id,
  paymentRequestId: row.payment_request_id,
  paymentIdempotencyId: row.payment_idempotency_id,
  orderId: row.order_id,
  amount: poundsNumber(pence(row.amount_pence)),
  status: row.status as Shown['status'],
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
