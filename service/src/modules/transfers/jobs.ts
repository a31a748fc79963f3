import { type ReadTools, readBankMessages } from './read-bank-messages.ts';
import { type SubmitTools, submitBatches } from './submit-batches.ts';

export type TransferJobTools = SubmitTools & ReadTools;

/** Each runs what is due and says how much it did; safe to run anywhere, any number of times. */
export const transferJobs = (tools: TransferJobTools) => ({
  submitBatches: () => submitBatches(tools),
  readBankMessages: () => readBankMessages(tools),
});
