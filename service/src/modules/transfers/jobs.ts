import type { Environment } from '#kernel/environment.ts';
import { followNotices } from './bank-notices.ts';
import type { ReadTools } from './read-bank-messages.ts';
import { reconcileBalances } from './reconcile-balances.ts';
import { type SubmitTools, submitBatches } from './submit-batches.ts';
import { pruneKeptMessages } from './take-messages-again.ts';

export type TransferJobTools = SubmitTools & ReadTools;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const transferJobs = (tools: TransferJobTools) => ({
  reconcileBalances: () => reconcileBalances(tools),
  submitBatches: () => submitBatches(tools),
  pruneKeptMessages: () => pruneKeptMessages(tools),
  /** Of one environment, so that a bank which hangs keeps nobody else's messages. */
  readBankMessages: (environment: Environment) => followNotices(tools, environment),
});
