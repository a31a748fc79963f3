import { limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type { listFailures as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import { readDays } from '../days/read-days.ts';
import { explainFailure } from './explain-failure.ts';
import { readFailures } from './store.ts';

export const listFailures = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const days = await readDays(tools, tenant, query);
  const read = limits.insightAttemptsMax;
  const values = { ...tenant, ...days, read };
  const rows = await tools.database.tenant(tenant.merchantId, readFailures, values);
  return {
    from: days.fromDay,
    to: days.toDay,
    isSample: Number(rows[0]?.read ?? 0) >= read,
    data: rows.map((row) => ({
      reason: row.reason,
      ...explainFailure(row.reason, row.description),
      method: row.method,
      count: row.count,
      amount: poundsNumber(pence(row.amount_pence)),
      latestPaymentRequestIds: [...row.latest],
    })),
  };
};
