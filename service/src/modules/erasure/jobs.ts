import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { deleteCustomer } from '#modules/cards/index.ts';
import type { Job } from '#platform/jobs.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { erasePayments, eraseReplies } from './erase-payments.ts';
import {
  type ClaimedErasure,
  claimErasures,
  findErasedAgain,
  findOldCustomers,
  findOldPayments,
  finishErasure,
  pruneErasures,
} from './store/claims.ts';
import { listPaymentsOfCustomer } from './store/payments.ts';

type JobTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'config'>;

const claim = { limit: 5, leaseMs: 10 * 60_000 } as const;
const againAfterMs = 60 * 60_000;
const retentionEveryMs = 60 * 60_000;
const batchSize = 200;

export const erasureJobs = (tools: JobTools): readonly Job[] => [
  { name: 'eraseDeletedCustomers', run: () => eraseDeletedCustomers(tools) },
  { name: 'eraseOldData', everyMs: retentionEveryMs, run: () => eraseOldData(tools) },
  { name: 'pruneErasures', everyMs: retentionEveryMs, run: () => prune(tools) },
];

/** What payments say about customers who were deleted; again later where something is under way. */
const eraseDeletedCustomers = async (tools: JobTools): Promise<number> => {
  const claimed = await tools.database.system(claimErasures, claim);
  for (const each of claimed) {
    const isDone = await eraseCustomer(tools, each);
    await tools.database.system(finishErasure, {
      ...tenantOf(each),
      customerId: each.customer_id,
      retryMs: isDone ? null : againAfterMs,
    });
    if (isDone) metrics.add('florin_customers_erased_total');
  }
  return claimed.length;
};

const eraseCustomer = async (tools: JobTools, erasure: ClaimedErasure): Promise<boolean> => {
  const tenant = tenantOf(erasure);
  const { customer_id: customerId } = erasure;
  await eraseReplies(tools, tenant, [customerId]);
  const found = await tools.database.system(listPaymentsOfCustomer, { ...tenant, customerId });
  const ended = found.filter((each) => !each.is_live).map((each) => each.payment_request_id);
  let isDone = ended.length === found.length;
  for (let at = 0; at < ended.length; at += batchSize)
    isDone = (await erasePayments(tools, tenant, ended.slice(at, at + batchSize))) && isDone;
  return isDone;
};

/**
 * What came after an erasure; and by age, where the operator has set one, payments that have ended and
 * customers without later ones.
 */
export const eraseOldData = async (tools: JobTools): Promise<number> => {
  const { personalDataDays: days } = tools.config;
  const again = await tools.database.system(findErasedAgain, { limit: batchSize });
  const erasedAgain = await eraseByTenant(tools, again);
  if (days === null) return erasedAgain;
  const found = { days, limit: batchSize };
  const erased = await eraseByTenant(tools, await tools.database.system(findOldPayments, found));
  const customers = await tools.database.system(findOldCustomers, found);
  for (const row of customers)
    await deleteCustomer(tools, tenantOf(row), row.customer_id).catch(ignoreDeleted);
  return erasedAgain + erased + customers.length;
};

type FoundPayment = Omit<ClaimedErasure, 'customer_id'> & { readonly payment_request_id: string };

const eraseByTenant = async (tools: JobTools, found: readonly FoundPayment[]): Promise<number> => {
  const byTenant = new Map<string, { readonly tenant: Tenant; readonly ids: string[] }>();
  for (const row of found) {
    const tenant = tenantOf(row);
    const key = `${tenant.merchantId}/${tenant.environment}`;
    const known = byTenant.get(key) ?? { tenant, ids: [] };
    known.ids.push(row.payment_request_id);
    byTenant.set(key, known);
  }
  let erased = 0;
  for (const { tenant, ids } of byTenant.values())
    if (await erasePayments(tools, tenant, ids)) erased += ids.length;
  return erased;
};

/** Another worker, or the merchant, was first. */
const ignoreDeleted = (error: unknown): void => {
  if (!(error instanceof Failure)) throw error;
};

const prune = async ({ database }: JobTools): Promise<number> =>
  (await database.system(pruneErasures, { retentionDays: limits.doneWorkRetentionDays })).length;

const tenantOf = (row: Pick<ClaimedErasure, 'merchant_id' | 'environment'>): Tenant => ({
  merchantId: row.merchant_id,
  environment: row.environment,
});
