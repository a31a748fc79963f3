import { type Environment, environments } from '#kernel/environment.ts';
import { followNotices } from './follow-notices.ts';
import type { FailedMessages, ReadTools } from './read-bank-messages.ts';
import { reconcileBalances } from './reconcile-balances.ts';
import { type SubmitTools, submitBatches } from './submit-batches.ts';

export type TransferJobTools = SubmitTools & ReadTools;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const transferJobs = (tools: TransferJobTools) => {
  const failed = new Map<Environment, FailedMessages>(
    environments.map((environment) => [environment, new Map()]),
  );
  return {
    reconcileBalances: () => reconcileBalances(tools),
    submitBatches: () => submitBatches(tools),
    /** Of one environment, so that a bank which hangs keeps nobody else's messages. */
    readBankMessages: (environment: Environment) =>
      followNotices(tools, environment, failed.get(environment) ?? new Map()),
  };
};
