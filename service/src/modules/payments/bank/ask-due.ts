import type { Uses } from '#platform/tools.ts';
import { type ClaimDueTalks, claimDueTalks, type DueTalk } from './store/claim-due-talks.ts';

export type { DueTalk };

export type TalkLimits = {
  readonly most: number;
  readonly mostPerPartner: number;
  readonly leaseMs: number;
};

/**
 * Talks about what is due, to each bank or account about some at a time: one that keeps us waiting
 * delays no talk to another.
 */
export const askDue = (tools: Uses<'database'>, kind: ClaimDueTalks, limits: TalkLimits) => {
  const running = new Set<Promise<boolean>>();
  const runningOf = new Map<string, number>();
  const count = (partner: string, change: number): void => {
    const now = (runningOf.get(partner) ?? 0) + change;
    if (now > 0) runningOf.set(partner, now);
    else runningOf.delete(partner);
  };
  const start = (item: DueTalk, talk: (item: DueTalk) => Promise<boolean>): Promise<boolean> => {
    count(item.partner, 1);
    const talking = talk(item).finally(() => {
      count(item.partner, -1);
      running.delete(talking);
    });
    running.add(talking);
    return talking;
  };
  return {
    /** How many were answered when all were, or when it was `enough` to have waited. */
    ask: async (
      talk: (item: DueTalk) => Promise<boolean>,
      enough: Promise<unknown> = new Promise(() => undefined),
    ): Promise<number> => {
      const due = await claimDueTalks(tools.database, kind, {
        ...limits,
        partners: [...runningOf.keys()],
        running: [...runningOf.values()],
      });
      let answered = 0;
      const asked = due.map(async (item) => {
        if (await start(item, talk)) answered += 1;
      });
      if (asked.length > 0) await Promise.race([Promise.all(asked), enough]);
      return answered;
    },
    /** When nobody is talked to any more. */
    settle: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
};
