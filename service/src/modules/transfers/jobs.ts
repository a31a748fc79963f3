import type { Environment } from '#kernel/environment.ts';
import type { Job } from '#platform/jobs.ts';
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

const pruneEveryMs = 60_000;
// A notice of the bank makes it due at once: this finds the messages of one that was lost, and files.
const readEveryMs = 5_000;
const reconcileEveryMs = 60_000;

/** What a worker runs. */
export const jobsOfTransfers = (tools: TransferJobTools): readonly Job[] => {
  const jobs = transferJobs(tools);
  const read = (environment: Environment) => () => jobs.readBankMessages(environment);
  return [
    { name: 'submitTransfers', run: jobs.submitBatches },
    { name: 'readSandboxMessages', everyMs: readEveryMs, run: read('SANDBOX') },
    { name: 'readProductionMessages', everyMs: readEveryMs, run: read('PRODUCTION') },
    { name: 'pruneKeptMessages', everyMs: pruneEveryMs, run: jobs.pruneKeptMessages },
    { name: 'reconcileBalances', everyMs: reconcileEveryMs, run: jobs.reconcileBalances },
  ];
};
