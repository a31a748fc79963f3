import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listRefundApprovals as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { Member } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { approvalView } from './approval-view.ts';
import { listApprovals as listRows } from './store/approvals.ts';

export const listApprovals = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  person: Member,
  { status, paymentRequestId, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const [beforeMicros = null, beforeId = null] = before?.split('.') ?? [];
  const found = await database.tenant(tenant.merchantId, listRows, {
    ...tenant,
    status: status ?? null,
    paymentRequestId: paymentRequestId ?? null,
    beforeMicros,
    beforeId,
    limit: limit + 1,
  });
  const abovePence = found[0]?.above_pence ?? null;
  const rows = found.flatMap((row) => (row.approval_id === null ? [] : [row]));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last;
  return {
    approvalAbove: abovePence === null ? null : poundsNumber(pence(abovePence)),
    data: page.map((row) => approvalView(row, person)),
    nextBefore: hasMore ? `${last.created_micros}.${last.approval_id}` : null,
  };
};
