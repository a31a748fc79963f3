import type { Tenant } from '#kernel/environment.ts';
import { runEach } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { endDue } from './authorisations/end-due.ts';
import { findDueAuthorisations } from './authorisations/store/due-authorisations.ts';
import {
  type RefreshTools,
  refreshAuthorisation,
  refreshLeaseMs,
} from './reading/refresh-authorisation.ts';
import { forgetEarlierByDays, type RemovalTools, removeEnded } from './reading/remove-ended.ts';
import { type ClaimedRefresh, claimRefreshes } from './reading/store/refreshes.ts';
import { claimRemovals, forgetWaysBack } from './reading/store/removals.ts';

const batchSize = 50;
const maxPerBank = 5;
const removalLeaseMs = 120_000;
const removalsAtOnce = 5;

type JobTools = RefreshTools & RemovalTools & Uses<'config'>;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const bankFeedJobs = (
  tools: JobTools,
  {
    patience,
  }: {
    /** How long a round waits for its slowest bank; left out: until all have answered. */
    readonly patience?: () => Promise<unknown>;
  } = {},
) => {
  const refreshes = openRefreshes(tools);
  return {
    endDueAuthorisations: async (): Promise<number> => {
      const due = await tools.database.system(findDueAuthorisations, { limit: batchSize });
      let ended = 0;
      const idOf = (row: Item): string => row.authorisation_id;
      await runEach(tools, 'END_LINK', due, idOf, async (row) => {
        if (await endDue(tools, tenantOf(row), row.authorisation_id, row.is_lease_over)) ended += 1;
      });
      return ended;
    },
    refreshBankAccounts: () => refreshes.run(patience?.()),
    removeEndedAuthorisations: async (): Promise<number> => {
      const claim = { limit: removalsAtOnce, leaseMs: removalLeaseMs };
      const due = await tools.database.system(claimRemovals, claim);
      const done = await Promise.all(
        due.map((row) => trying(tools, row, () => removeEnded(tools, row))),
      );
      return done.filter((isDone) => isDone).length;
    },
    forgetWaysBack: async (): Promise<number> => {
      const earlierByDays = forgetEarlierByDays(tools.config.personalDataDays);
      const values = { earlierByDays, limit: batchSize };
      const [done] = await tools.database.system(forgetWaysBack, values);
      return done?.forgotten ?? 0;
    },
    settle: refreshes.settle,
  };
};

/** Each bank is read for some authorisations at a time: one that hangs delays no other. */
const openRefreshes = (tools: RefreshTools) => {
  const running = new Map<Promise<boolean>, string>();
  const start = (item: ClaimedRefresh): Promise<boolean> => {
    const reading = trying(tools, item, () => refreshAuthorisation(tools, item)).finally(() => {
      running.delete(reading);
    });
    running.set(reading, item.bank);
    return reading;
  };
  return {
    run: async (enough: Promise<unknown> = new Promise(() => undefined)): Promise<number> => {
      const banks = [...new Set(running.values())];
      const due = await tools.database.system(claimRefreshes, {
        limit: batchSize,
        maxPerBank,
        leaseMs: refreshLeaseMs,
        banks,
        running: banks.map((bank) => [...running.values()].filter((each) => each === bank).length),
      });
      let answered = 0;
      const requested = due.map(async (item) => {
        if (await start(item)) answered += 1;
      });
      if (requested.length > 0) await Promise.race([Promise.all(requested), enough]);
      return answered;
    },
    settle: async (): Promise<void> => {
      await Promise.all(running.keys());
    },
  };
};

type Item = Pick<ClaimedRefresh, 'merchant_id' | 'environment' | 'authorisation_id'>;

const trying = async (
  { log }: Uses<'log'>,
  item: Item,
  run: () => Promise<boolean>,
): Promise<boolean> => {
  try {
    return await run();
  } catch (error) {
    const { authorisation_id: authorisationId } = item;
    const { message } = error as Error;
    log.warn({ authorisationId, error: message }, 'a job of the bank feed will try again');
    return false;
  }
};

const tenantOf = ({ merchant_id, environment }: Item): Tenant => ({
  merchantId: merchant_id,
  environment,
});
