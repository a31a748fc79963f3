import type { Uses } from '#platform/tools.ts';
import { type ClaimDueAttempts, type DueCall, runClaim } from './store/claim-due.ts';

export type { DueCall };

export type CallLimits = {
  readonly limit: number;
  readonly maxPerPartner: number;
  readonly leaseMs: number;
};

/**
 * Calls banks or processors about what is due, each about some attempts at a time: one that keeps us
 * waiting delays no call to another.
 */
export const runDueCalls = (
  tools: Uses<'database'>,
  kind: ClaimDueAttempts,
  limits: CallLimits,
) => {
  const running = new Set<Promise<boolean>>();
  const runningOf = new Map<string, number>();
  const count = (partner: string, change: number): void => {
    const now = (runningOf.get(partner) ?? 0) + change;
    if (now > 0) runningOf.set(partner, now);
    else runningOf.delete(partner);
  };
  const start = (item: DueCall, call: (item: DueCall) => Promise<boolean>): Promise<boolean> => {
    count(item.partner, 1);
    const calling = call(item).finally(() => {
      count(item.partner, -1);
      running.delete(calling);
    });
    running.add(calling);
    return calling;
  };
  return {
    /** The number of answered calls, once all are answered or `enough` resolves. */
    run: async (
      call: (item: DueCall) => Promise<boolean>,
      enough: Promise<unknown> = new Promise(() => undefined),
    ): Promise<number> => {
      const due = await runClaim(tools.database, kind, {
        ...limits,
        partners: [...runningOf.keys()],
        running: [...runningOf.values()],
      });
      let answered = 0;
      const requested = due.map(async (item) => {
        if (await start(item, call)) answered += 1;
      });
      if (requested.length > 0) await Promise.race([Promise.all(requested), enough]);
      return answered;
    },
    /** When no call is running any more. */
    drain: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
};
