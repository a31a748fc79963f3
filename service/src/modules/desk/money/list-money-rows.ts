import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listMoneyRows as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import { figures } from './figures.ts';
import { listMoneyEntries, type MoneyRow } from './store/money-days.ts';

const last = '9223372036854775807';

/** The entries that a figure of the same days is the sum of. */
export const listMoneyRows = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { figure, from, to, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const { accounts, reasons, sign } = figures[figure];
  const [beforeIn = last, beforeId = last] = before?.split('.') ?? [];
  const rows = await tools.database.tenant(tenant.merchantId, listMoneyEntries, {
    ...tenant,
    accounts,
    reasons,
    fromDay: from ?? '1900-01-01',
    toDay: to ?? '2999-12-31',
    beforeIn,
    beforeId,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const end = page.at(-1);
  return {
    data: page.map((row) => ({
      figure,
      reason: row.reason,
      amount: poundsNumber(pence(sign * row.amount_pence)),
      occurredAt: row.occurred_at.toISOString(),
      resource: resourceOf(row),
      resourceId: row.resource_id,
      paymentRequestId: row.payment_request_id,
      orderId: row.order_id,
    })),
    nextBefore: rows.length > limit && end ? `${end.written_in}.${end.entry_id}` : null,
  };
};

const resourceOf = (row: MoneyRow): 'PAYMENT' | 'REFUND' | 'PAYOUT' => {
  if (row.refund_id !== null) return 'REFUND';
  return row.payment_request_id === null ? 'PAYOUT' : 'PAYMENT';
};
