import { failures } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { pence } from '#kernel/pence.ts';
import { errorText } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';
import type {
  SubmitOutcome,
  TransferAccount,
  TransferBatch,
  TransferRail,
} from '#rails/transfer-rail.ts';
import { bookDifferences } from './book-differences.ts';
import { type ReportReceivers, reportTransfers } from './report-transfers.ts';
import {
  type BatchClaim,
  type BatchRow,
  claimBatches,
  endBatch,
  noteRefusal,
  postponeBatch,
  type Refusal,
  readTransfers,
  type TransferRow,
} from './store/batches.ts';
import { creditorContext } from './store/order-transfers.ts';

/** The rail to the bank of the collecting account, for each environment. */
export type TransferRails = {
  readonly find: (environment: Environment) => TransferRail | null;
  /** Refuses with the setting that is missing. */
  readonly need: (environment: Environment) => TransferRail;
};

export const transferRails = (
  find: TransferRails['find'],
  settingOf: Readonly<Record<Environment, string>>,
): TransferRails => ({
  find,
  need: (environment) => {
    const rail = find(environment);
    if (rail) return rail;
    throw new Failure(failures.railNotConfigured, {
      message:
        `No transfer rail is configured for ${environment.toLowerCase()}: ` +
        `set ${settingOf[environment]}.`,
    });
  },
});

const batchSize = 20;
const leaseMs = 60_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

export type SubmitTools = Uses<'database' | 'ids' | 'secrets' | 'log'> & {
  readonly transferRails: TransferRails;
  readonly receivers: ReportReceivers;
};

/**
 * Submits committed batches to the bank. After an unknown outcome it asks whether the bank has one
 * before it sends it again.
 */
export const submitBatches = async (tools: SubmitTools): Promise<number> => {
  const claimed = await tools.database.system(claimBatches, { limit: batchSize, leaseMs });
  const done = await Promise.all(claimed.map((row) => submitOrPostpone(tools, row)));
  return done.filter((isDone) => isDone).length;
};

/** One that throws waits with its reason, and stops no other. */
const submitOrPostpone = async (tools: SubmitTools, row: BatchRow): Promise<boolean> => {
  const { merchant_id: merchantId, environment, message_id: messageId, submissions } = row;
  const claim: BatchClaim = { merchantId, environment, messageId, submissions };
  try {
    return await submitBatch(tools, row, claim);
  } catch (error) {
    return postpone(tools, claim, { kind: 'FAILED', description: errorText(error) });
  }
};

const submitBatch = async (
  tools: SubmitTools,
  row: BatchRow,
  claim: BatchClaim,
): Promise<boolean> => {
  const rail = tools.transferRails.find(row.environment);
  const transfers = await tools.database.tenant(claim.merchantId, readTransfers, claim);
  const outcome = await submitOrResolve(tools, rail, row, transfers);
  if (outcome.kind === 'SUBMITTED') return end(tools, claim, 'SUBMITTED');
  if (outcome.kind === 'REFUSED') return refuse(tools, row, claim, transfers, outcome);
  return postpone(tools, claim, outcome);
};

const postpone = async (
  { database, log }: SubmitTools,
  claim: BatchClaim,
  { kind: outcome, description }: { readonly kind: string; readonly description: string },
): Promise<false> => {
  const { merchantId, messageId, submissions } = claim;
  log.warn({ messageId, outcome, description }, 'a batch of transfers will be retried');
  const delayMs = Math.min(firstPauseMs * 2 ** Math.min(submissions - 1, 10), longestPauseMs);
  const error = errorText(description);
  await database.tenant(merchantId, postponeBatch, { ...claim, delayMs, error });
  return false;
};

const end = async (
  { database }: SubmitTools,
  claim: BatchClaim,
  status: 'SUBMITTED' | 'REFUSED',
): Promise<boolean> =>
  (await database.tenant(claim.merchantId, endBatch, { ...claim, status })).length === 1;

const submitOrResolve = async (
  tools: SubmitTools,
  rail: TransferRail | null,
  row: BatchRow,
  transfers: readonly TransferRow[],
): Promise<SubmitOutcome> => {
  // Its transfers may have failed already, though the bank would take it now.
  if (row.refusal) return row.refusal;
  if (!rail) return { kind: 'NOT_TAKEN', description: 'No transfer rail is configured.' };
  const batch = batchOf(tools, row, transfers);
  return row.submissions === 1 ? rail.submit(batch) : rail.resolveSubmission(batch);
};

/** The same rows always give the same message. */
const batchOf = (
  { secrets }: Uses<'secrets'>,
  row: BatchRow,
  transfers: readonly TransferRow[],
): TransferBatch => ({
  messageId: row.message_id,
  createdAt: row.created_at,
  executionDate: row.execution_date,
  debtor: row.debtor,
  transfers: transfers.map((transfer) => ({
    endToEndId: transfer.end_to_end_id,
    amountPence: pence(transfer.amount_pence),
    creditor: JSON.parse(
      secrets.decryptText(transfer.creditor_encrypted, creditorContext(transfer.end_to_end_id)),
    ) as TransferAccount,
    reference: transfer.reference,
    onBehalfOf: { id: row.merchant_id, name: row.on_behalf_of },
  })),
});

const refuse = async (
  tools: SubmitTools,
  row: BatchRow,
  claim: BatchClaim,
  transfers: readonly TransferRow[],
  outcome: Refusal,
): Promise<boolean> => {
  const { merchantId, environment } = claim;
  tools.log.error(
    { messageId: row.message_id, code: outcome.code, description: outcome.description },
    'the bank refuses a batch of transfers',
  );
  const values = { ...claim, leaseMs, refusal: JSON.stringify(outcome) };
  const held = await tools.database.tenant(merchantId, noteRefusal, values);
  if (held.length === 0) return false;
  const wrong = new Set(outcome.endToEndIds);
  await reportTransfers(
    tools.receivers,
    transfers.map((transfer) => ({
      tenant: { merchantId, environment },
      subject: row.subject,
      subjectId: transfer.subject_id,
      endToEndId: transfer.end_to_end_id,
      stage: wrong.size === 0 || wrong.has(transfer.end_to_end_id) ? 'REJECTED' : 'NOT_SENT',
      reason: { code: outcome.code, description: 'The bank did not take the transfer.' },
    })),
  );
  // It may have listed debits of a batch that it refuses when it is asked again.
  await bookDifferences(
    tools,
    environment,
    transfers.map((transfer) => transfer.end_to_end_id),
  );
  return end(tools, claim, 'REFUSED');
};
