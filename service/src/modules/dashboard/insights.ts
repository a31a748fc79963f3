import { limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type {
  getFunnel as operationGetFunnel,
  listFailures as operationListFailures,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { BankRails } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { readDays } from './days.ts';
import { explainFailure } from './explain-failure.ts';
import { countOpened, type FunnelRow, readFailures, readFunnel } from './store/insights.ts';

export type InsightTools = Uses<'database'> & { readonly bankRails: BankRails };

/** DASHBOARD-42: attempts of these days, by how far they came. */
export const getFunnel = async (
  tools: InsightTools,
  tenant: Tenant,
  query: QueryOf<typeof operationGetFunnel>,
): Promise<ReplyOf<typeof operationGetFunnel>> => {
  const days = await readDays(tools, tenant, query);
  const read = limits.insightAttemptsMax;
  const values = { ...tenant, ...days, read };
  const [rows, [counted]] = await Promise.all([
    tools.database.tenant(tenant.merchantId, readFunnel, values),
    tools.database.tenant(tenant.merchantId, countOpened, values),
  ]);
  const opened = counted?.opened ?? 0;
  const banks = tools.bankRails.find(tenant.environment)?.institutions() ?? [];
  const names = new Map(banks.map(({ id, name }) => [id, name]));
  const all = stepsOf(rows);
  return {
    from: days.fromDay,
    to: days.toDay,
    isSample: all.started >= read || opened >= read,
    opened,
    ...all,
    banks: rows.map((row) => ({
      institutionId: row.institution_id,
      bankName:
        row.method === 'CARD' ? 'Card' : (names.get(row.institution_id) ?? row.institution_id),
      method: row.method,
      ...stepsOf([row]),
    })),
  };
};

const stepsOf = (rows: readonly FunnelRow[]) => {
  const sum = (of: (row: FunnelRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    started: sum((row) => row.started),
    handedOver: sum((row) => row.handed_over),
    approved: sum((row) => row.approved),
    paid: sum((row) => row.paid),
    failed: sum((row) => row.failed),
  };
};

export const listFailures = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof operationListFailures>,
): Promise<ReplyOf<typeof operationListFailures>> => {
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
