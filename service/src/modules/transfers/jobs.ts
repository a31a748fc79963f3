import { followNotices } from './follow-notices.ts';
import type { ReadTools } from './read-bank-messages.ts';
import { type SubmitTools, submitBatches } from './submit-batches.ts';

export type TransferJobTools = SubmitTools & ReadTools;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const transferJobs = (tools: TransferJobTools) => ({
  submitBatches: () => submitBatches(tools),
  readBankMessages: () => followNotices(tools),
});
