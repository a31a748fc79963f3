import type { Uses } from '#platform/tools.ts';
import { type ClaimDuePolls, claimDuePolls, type DuePoll } from './store/claim-due-polls.ts';

export type { DuePoll };

export type PollLimits = {
  readonly limit: number;
  readonly maxPerPartner: number;
  readonly leaseMs: number;
};

/** Polls what is due, with a limit for each bank or account: a slow one delays no other. */
export const runDuePolls = (tools: Uses<'database'>, kind: ClaimDuePolls, limits: PollLimits) => {
  const running = new Set<Promise<boolean>>();
  const runningOf = new Map<string, number>();
  const count = (partner: string, change: number): void => {
    const now = (runningOf.get(partner) ?? 0) + change;
    if (now > 0) runningOf.set(partner, now);
    else runningOf.delete(partner);
  };
  const start = (item: DuePoll, poll: (item: DuePoll) => Promise<boolean>): Promise<boolean> => {
    count(item.partner, 1);
    const talking = poll(item).finally(() => {
      count(item.partner, -1);
      running.delete(talking);
    });
    running.add(talking);
    return talking;
  };
  return {
    /** How many were answered when all were, or when it was `enough` to have waited. */
    poll: async (
      poll: (item: DuePoll) => Promise<boolean>,
      enough: Promise<unknown> = new Promise(() => undefined),
    ): Promise<number> => {
      const due = await claimDuePolls(tools.database, kind, {
        ...limits,
        partners: [...runningOf.keys()],
        running: [...runningOf.values()],
      });
      let answered = 0;
      const requested = due.map(async (item) => {
        if (await start(item, poll)) answered += 1;
      });
      if (requested.length > 0) await Promise.race([Promise.all(requested), enough]);
      return answered;
    },
    /** When no poll is running any more. */
    settle: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
};
