import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { changesTooOften, maxTries } from './change-refunds.ts';
import { type Change, draftChange } from './draft-change.ts';
import type { Refund } from './refund.ts';
import { commitRefunds } from './store/commit-refunds.ts';
import { readRefund } from './store/read-refunds.ts';

/**
 * One read, one decision, one guarded statement. After a lost race it decides again on the new
 * state. `decide` says whether there is anything to write.
 */
export const changeRefund = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  refundId: string,
  decide: (refund: Refund, change: Change) => boolean,
): Promise<Refund> => {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const refund = await readRefund(tools.database, tenant, refundId);
    if (!refund) throw new Failure(failures.notFound);
    const change = draftChange(refund);
    if (!decide(refund, change)) return refund;
    const { refundIds, endpoints } = await commitRefunds(tools.database, tenant, [change]);
    if (refundIds.length === 0) continue;
    tools.wakeDispatcher(endpoints);
    return { ...change.refund, version: refund.version + 1 };
  }
  throw changesTooOften();
};
