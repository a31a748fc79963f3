import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { type Change, draftChange } from './draft-change.ts';
import type { Refund } from './refund.ts';
import { commitRefunds } from './store/commit-refunds.ts';
import { readRefunds } from './store/read-refunds.ts';

const maxTries = 50;

/**
 * One read, a decision for each refund, one guarded statement for all. Those that lost a race are
 * decided again on their new state. `decide` says whether there is anything to write.
 */
export const changeRefunds = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  refundIds: readonly string[],
  decide: (refund: Refund, change: Change) => boolean,
): Promise<void> => {
  let left = refundIds;
  for (let attempt = 0; attempt < maxTries && left.length > 0; attempt += 1) {
    const refunds = await readRefunds(tools.database, tenant, left);
    if (refunds.length < left.length) throw new Failure(failures.notFound);
    const changes = refunds.map(draftChange).filter((change) => decide(change.refund, change));
    if (changes.length === 0) return;
    const won = await commitRefunds(tools.database, tenant, changes);
    tools.wakeDispatcher(won.endpoints);
    left = changes
      .map(({ refund }) => refund.refundId)
      .filter((refundId) => !won.refundIds.includes(refundId));
  }
  if (left.length > 0) throw changesTooOften();
};

const changesTooOften = (): Failure =>
  new Failure(failures.unavailable, {
    message: 'The refund keeps changing. Read it, then retry.',
    retryAfterSeconds: 1,
  });

export { changesTooOften, maxTries };
