import { type Tenant, tenantOf } from '#kernel/environment.ts';
import type { Job } from '#platform/jobs.ts';
import { runEach, runEachWithOwnPause } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { endDue } from './authorisations/end-authorisations.ts';
import {
  findDueAuthorisations,
  nextDue,
  recomputeDue,
} from './authorisations/store/authorisations.ts';
import {
  type RefreshTools,
  refreshAuthorisation,
  refreshLeaseMs,
} from './reading/refresh-authorisation.ts';
import {
  forgetEarlierByDays,
  postpone,
  type RemovalTools,
  removeEnded,
} from './reading/remove-ended.ts';
import { type ClaimedRefresh, claimRefreshes } from './reading/store/refreshes.ts';
import { type ClaimedRemoval, claimRemovals, forgetWaysBack } from './reading/store/removals.ts';

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
      await runEach(tools, 'END_LINK', due, idOf, async (row) => {
        if (await endDue(tools, tenantOf(row), row.authorisation_id, row.is_lease_over)) ended += 1;
      });
      return ended;
    },
    refreshBankAccounts: () => refreshes.run(patience?.()),
    removeEndedAuthorisations: async (): Promise<number> => {
      const claim = { limit: removalsAtOnce, leaseMs: removalLeaseMs };
      const due = await tools.database.system(claimRemovals, claim);
      const remove = (row: ClaimedRemoval): Promise<boolean> => removeEnded(tools, row);
      return runEachWithOwnPause(tools, 'removeEndedAuthorisations', due, remove, (row, error) =>
        postpone(tools, row, error),
      );
    },
    forgetWaysBack: async (): Promise<number> => {
      const earlierByDays = forgetEarlierByDays(tools.config.personalDataDays);
      const values = { earlierByDays, limit: batchSize };
      const [done] = await tools.database.system(forgetWaysBack, values);
      return done?.forgotten ?? 0;
    },
    drain: refreshes.drain,
  };
};

const forgetEveryMs = 60_000;

/** What a worker runs. */
export const jobsOfBankFeed = (
  tools: JobTools & { readonly patience: () => Promise<unknown> },
): readonly Job[] => {
  const jobs = bankFeedJobs(tools, { patience: tools.patience });
  return [
    { name: 'endDueAuthorisations', run: jobs.endDueAuthorisations },
    { name: 'refreshBankAccounts', run: jobs.refreshBankAccounts, drain: jobs.drain },
    { name: 'removeEndedAuthorisations', run: jobs.removeEndedAuthorisations },
    { name: 'forgetWaysBack', everyMs: forgetEveryMs, run: jobs.forgetWaysBack },
  ];
};

/** Each bank is read for some authorisations at a time: one that hangs delays no other. */
const openRefreshes = (tools: RefreshTools) => {
  const running = new Map<Promise<boolean>, string>();
  const start = (item: ClaimedRefresh): Promise<boolean> => {
    const reading = refresh(tools, item).finally(() => running.delete(reading));
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
    drain: async (): Promise<void> => {
      await Promise.all(running.keys());
    },
  };
};

const refresh = async (tools: RefreshTools, item: ClaimedRefresh): Promise<boolean> => {
  let isRead = false;
  await runEach(tools, 'READ_ACCOUNTS', [item], idOf, async () => {
    isRead = await refreshAuthorisation(tools, item);
  });
  return isRead;
};

type Item = Pick<ClaimedRefresh, 'merchant_id' | 'environment' | 'authorisation_id'>;

const idOf = (item: Item): string => item.authorisation_id;

const maxRounds = 20;

/** What falls due for a merchant's authorisations when its sandbox clock is moved. */
export const feedDue = (tools: Parameters<typeof bankFeedJobs>[0]) => {
  const { database } = tools;
  const jobs = bankFeedJobs(tools);
  const recompute = async (tenant: Tenant): Promise<void> => {
    await database.tenant(tenant.merchantId, recomputeDue, tenant);
  };
  return {
    nextDueAt: async (tenant: Tenant, after: Date): Promise<Date | null> => {
      const [row] = await database.tenant(tenant.merchantId, nextDue, { ...tenant, after });
      return row?.due_at ?? null;
    },
    recompute,
    runDue: async (tenant: Tenant): Promise<void> => {
      await recompute(tenant);
      for (let round = 0; round < maxRounds; round += 1)
        if ((await jobs.endDueAuthorisations()) === 0) break;
    },
  };
};
