import type { Uses } from '#platform/tools.ts';
import { claimQuestions, type DueQuestion } from './store/claim-questions.ts';

export type { DueQuestion };

const mostPerBank = 10;

/**
 * Puts the questions that are due, some at a time to each bank: one that keeps us waiting delays no
 * question to another.
 */
export const askDueBanks = (
  tools: Uses<'database'>,
  { most, leaseMs }: { readonly most: number; readonly leaseMs: number },
) => {
  const running = new Set<Promise<boolean>>();
  const runningOfBank = new Map<string, number>();
  const count = (bank: string, change: number): void => {
    const now = (runningOfBank.get(bank) ?? 0) + change;
    if (now > 0) runningOfBank.set(bank, now);
    else runningOfBank.delete(bank);
  };
  const start = (
    item: DueQuestion,
    ask: (item: DueQuestion) => Promise<boolean>,
  ): Promise<boolean> => {
    const bank = `${item.environment} ${item.institution_id}`;
    count(bank, 1);
    const asking = ask(item).finally(() => {
      count(bank, -1);
      running.delete(asking);
    });
    running.add(asking);
    return asking;
  };
  return {
    /** How many were answered when all were, or when it was `enough` to have waited. */
    askDue: async (
      ask: (item: DueQuestion) => Promise<boolean>,
      enough: Promise<unknown> = new Promise(() => undefined),
    ): Promise<number> => {
      const due = await claimQuestions(tools.database, {
        most,
        mostPerBank,
        leaseMs,
        banks: [...runningOfBank.keys()],
        running: [...runningOfBank.values()],
      });
      let answered = 0;
      const asked = due.map(async (item) => {
        if (await start(item, ask)) answered += 1;
      });
      if (asked.length > 0) await Promise.race([Promise.all(asked), enough]);
      return answered;
    },
    /** When nobody is being asked any more. */
    settle: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
};
