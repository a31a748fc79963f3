import { setTimeout as sleep } from 'node:timers/promises';
import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { shown } from '#platform/database/rows.ts';
import type { Operator } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  endSuspension,
  findSuspension,
  insertSuspension,
  listSuspensionRows,
  listSwitchReaders,
  type Suspension,
} from './store.ts';

/** Nothing was tried: the same Idempotency-Key works once the merchant is resumed. */
export const merchantSuspended = (message?: string): Failure =>
  new Failure(failures.merchantSuspended, { isUntried: true, ...(message ? { message } : {}) });

/** Of both environments, the newest first. */
export const listSuspensions = async (
  { database }: Uses<'database'>,
  merchantId: string,
): Promise<Suspension[]> => {
  const values = { merchantId, limit: limits.suspensionsShown };
  return (await database.tenant(merchantId, listSuspensionRows, values)).map(shown);
};

const lookEveryMs = 20;
// No statement of ours runs longer; a backup, which also holds the table, must not be awaited.
const longestStatementMs = 9_000;

/**
 * Waits for the statements that may have read the switches as they were before. A lock that each of
 * them takes would make every payment pay for what happens once in a year.
 */
const awaitSwitchReaders = async ({ database }: Uses<'database'>): Promise<void> => {
  const endsAtMs = performance.now() + longestStatementMs;
  const running = async (): Promise<readonly string[]> =>
    (await database.system(listSwitchReaders, {})).map(({ reader }) => reader);
  let earlier = new Set(await running());
  while (earlier.size > 0 && performance.now() < endsAtMs) {
    await sleep(lookEveryMs);
    earlier = new Set((await running()).filter((reader) => earlier.has(reader)));
  }
};

/**
 * Once it has answered, nothing new of this merchant appears: what starts something reads the suspension
 * in its own statement, and statements that began before are awaited (ACCESS-12).
 */
export const suspendMerchant = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  reason: string,
  { name: suspendedBy }: Pick<Operator, 'name'>,
): Promise<void> => {
  const suspensionId = tools.ids.uuid();
  const values = { ...tenant, suspensionId, reason: reason.trim(), suspendedBy };
  await tools.database.tenant(tenant.merchantId, insertSuspension, values);
  await awaitSwitchReaders(tools);
};

/** What was held goes on: the next jobs find it due. */
export const resumeMerchant = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { name: resumedBy }: Pick<Operator, 'name'>,
): Promise<void> => {
  const [current] = await database.tenant(tenant.merchantId, findSuspension, tenant);
  if (!current) return;
  const values = { ...tenant, suspensionId: current.suspension_id, resumedBy };
  await database.tenant(tenant.merchantId, endSuspension, values);
};
