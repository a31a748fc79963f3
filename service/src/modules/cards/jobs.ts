import { limits } from '@florin/contract';
import { openCases } from '#modules/operator-cases/index.ts';
import type { Job } from '#platform/jobs.ts';
import { metrics } from '#platform/metrics.ts';
import { runEachWithOwnPause } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { type FindAccount, missingKeys } from './card-accounts.ts';
import { customerContext, decryptReference } from './references.ts';
import {
  type ClaimedDetachment,
  claimDetachments,
  finishDetachment,
  pruneDetachments,
  putOffDetachment,
} from './store/detachments.ts';

const batchSize = 20;
const leaseMs = 60_000;
const pruneEveryMs = 10 * 60 * 1000;
const retryMs = 1_000;
const retryMsMax = 6 * 60 * 60 * 1000;
const triesUntilWarning = 6;

type JobTools = Uses<'database' | 'secrets' | 'log'> & {
  readonly cardRails: FindAccount;
};

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const cardJobs = (tools: JobTools): readonly Job[] => [
  { name: 'detachCards', run: () => detachCards(tools) },
  { name: 'pruneDetachments', everyMs: pruneEveryMs, run: () => pruneDone(tools) },
];

const pruneDone = async ({ database }: JobTools): Promise<number> =>
  (await database.system(pruneDetachments, { retentionDays: limits.doneWorkRetentionDays })).length;

/** Detaches cards and customers that are no longer ours, until the processor confirms. */
export const detachCards = async (tools: JobTools): Promise<number> => {
  const claimed = await tools.database.system(claimDetachments, { limit: batchSize, leaseMs });
  const run = async (claim: ClaimedDetachment): Promise<boolean> => {
    const outcome = await detach(tools, claim);
    await tools.database.system(finishDetachment, { ...claim, outcome });
    metrics.add('florin_card_detachments_total', 1, { outcome });
    return true;
  };
  return runEachWithOwnPause(tools, 'detachCards', claimed, run, (claim, error) =>
    putOff(tools, claim, error),
  );
};

const putOff = async (tools: JobTools, claim: ClaimedDetachment, error: string): Promise<void> => {
  metrics.add('florin_card_detachments_total', 1, { outcome: 'FAILED' });
  logFailure(tools, claim, error);
  await tools.database.system(putOffDetachment, {
    ...claim,
    error,
    retryMs: Math.min(retryMsMax, retryMs * 2 ** Math.min(claim.attempts, 20)),
  });
};

type Outcome = 'DETACHED' | 'STILL_SAVED' | 'DELETED';

const detach = async (tools: JobTools, claim: ClaimedDetachment): Promise<Outcome> => {
  const { merchant_id: merchantId, environment, account_key: accountKey } = claim;
  const tenant = { merchantId, environment };
  const reference = referenceToDetach(tools, claim);
  if (reference === null) return 'STILL_SAVED';
  const rail = await tools.cardRails.findAccount(tenant, accountKey);
  if (!rail) {
    const { reference_id: referenceId, customer_id: customerId } = claim;
    await openCases(tools, [missingKeys(tenant, accountKey, { referenceId, customerId })]);
    throw new Error('The keys of its account at the processor are missing.');
  }
  const answer = await (claim.kind === 'CARD'
    ? rail.detachCard(reference)
    : rail.deleteCustomer(reference));
  if ('description' in answer) throw new Error(answer.description);
  return answer.kind;
};

/** After a payment with a saved card the processor reports its reference again: it is kept. */
const referenceToDetach = (
  { secrets }: Pick<JobTools, 'secrets'>,
  claim: ClaimedDetachment,
): string | null => {
  const { customer_id: customerId, reference_encrypted: encrypted } = claim;
  if (claim.kind === 'CUSTOMER')
    return secrets.decryptText(encrypted, customerContext(customerId, claim.account_key));
  const decrypt = (referenceId: string, referenceEncrypted: Buffer): string =>
    decryptReference(secrets, { customerId, referenceId, referenceEncrypted });
  const reference = decrypt(claim.reference_id, encrypted);
  const isSaved = claim.saved.some(
    (saved) => decrypt(saved.referenceId, Buffer.from(saved.reference, 'hex')) === reference,
  );
  return isSaved ? null : reference;
};

const logFailure = (tools: Pick<JobTools, 'log'>, claim: ClaimedDetachment, error: string) => {
  const { merchant_id: merchantId, environment, reference_id: referenceId, attempts } = claim;
  const { kind } = claim;
  const line = { job: 'detachCards', merchantId, environment, kind, referenceId, attempts, error };
  if (attempts < triesUntilWarning) tools.log.info(line, 'the processor has not detached it yet');
  else tools.log.warn(line, 'a card to detach is still at the card processor');
};
