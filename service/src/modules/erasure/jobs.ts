import { limits } from '@florin/contract';
import { tenantOf } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { deleteCustomer } from '#modules/cards/index.ts';
import { DatabaseUnavailable } from '#platform/database/database-unavailable.ts';
import type { Job } from '#platform/jobs.ts';
import { metrics } from '#platform/metrics.ts';
import { runInTurn } from '#platform/run-each.ts';
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
  releaseErasure,
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
  return runInTurn(tools, 'ERASE', claimed, customerOf, async (each) => {
    const key = { ...tenantOf(each), customerId: each.customer_id };
    try {
      const isDone = await eraseCustomer(tools, each);
      await tools.database.system(finishErasure, { ...key, retryMs: isDone ? null : againAfterMs });
      if (isDone) metrics.add('florin_customers_erased_total');
    } catch (error) {
      await tools.database.system(releaseErasure, key);
      throw error;
    }
  });
};

const customerOf = (row: ClaimedErasure): string => row.customer_id;

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
  const deleted = await runInTurn(tools, 'ERASE', customers, customerOf, (row) =>
    deleteCustomer(tools, tenantOf(row), row.customer_id).catch(ignoreDeleted),
  );
  return erasedAgain + erased + deleted;
};

type FoundPayment = Omit<ClaimedErasure, 'customer_id'> & { readonly payment_request_id: string };

const eraseByTenant = async (tools: JobTools, found: readonly FoundPayment[]): Promise<number> => {
  const groups = new Map<string, FoundPayment[]>();
  for (const row of found) {
    const key = `${row.merchant_id}/${row.environment}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  let erased = 0;
  for (const rows of groups.values()) erased += await eraseEach(tools, rows);
  return erased;
};

/** Those of one merchant together; if that fails in halves, down to the payment that cannot be erased. */
const eraseEach = async (tools: JobTools, rows: readonly FoundPayment[]): Promise<number> => {
  const [first] = rows;
  if (!first) return 0;
  const erase = (some: readonly FoundPayment[]) =>
    erasePayments(tools, tenantOf(first), some.map(paymentOf));
  if (rows.length === 1) {
    let isDone = false;
    await runInTurn(tools, 'ERASE_PAYMENT', rows, paymentOf, async () => {
      isDone = await erase(rows);
    });
    return isDone ? 1 : 0;
  }
  try {
    return (await erase(rows)) ? rows.length : 0;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const middle = Math.ceil(rows.length / 2);
    const done = await eraseEach(tools, rows.slice(0, middle));
    return done + (await eraseEach(tools, rows.slice(middle)));
  }
};

const paymentOf = (row: FoundPayment): string => row.payment_request_id;

/** Another worker, or the merchant, was first. */
const ignoreDeleted = (error: unknown): void => {
  if (!(error instanceof Failure)) throw error;
};

const prune = async ({ database }: JobTools): Promise<number> =>
  (await database.system(pruneErasures, { retentionDays: limits.doneWorkRetentionDays })).length;
