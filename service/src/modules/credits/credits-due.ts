import { type CreditTools, matchCredits } from './match-credits.ts';
import { reverseCredits } from './reverse-credits.ts';

const maxRounds = 20;

/**
 * When a sandbox clock is moved, what the account has shown has its effect at that step: a payment
 * whose money was taken back is reversed before a payout closes.
 */
export const creditsDue = (tools: CreditTools) => ({
  nextDueAt: async (): Promise<null> => null,
  recompute: async (): Promise<void> => {},
  runDue: async (): Promise<void> => {
    for (let round = 0; round < maxRounds; round += 1) {
      const done = [await matchCredits(tools), await reverseCredits(tools)];
      if (done.every((count) => count === 0)) return;
    }
  },
});
