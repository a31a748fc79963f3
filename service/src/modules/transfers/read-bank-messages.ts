import { type Environment, tenantOf } from '#kernel/environment.ts';
import { recordCredits } from '#modules/credits/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { DatabaseUnavailable, isConnectionError } from '#platform/database/database-unavailable.ts';
import { findUnlessMoving } from '#platform/database/find-unless-moving.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import type {
  AccountReport,
  IncomingMessage,
  StatementEntry,
  StatusReport,
  TransferRail,
  UnreadableEntry,
} from '#rails/transfer-rail.ts';
import { bookDifferences, holdBefore } from './book-differences.ts';
import { findOwnEntries, kindOf, type OwnEntry } from './find-own-entries.ts';
import { keepMessage, putAside, resolveLostDeliveries } from './put-aside.ts';
import { type ReportReceivers, reportTransfers, type TransferReport } from './report-transfers.ts';
import { recordBalance } from './store/bank-balances.ts';
import {
  deliveredBefore,
  findBankMessage,
  insertBankMessage,
  insertFailedTry,
} from './store/bank-messages.ts';
import { type FoundTransfer, findTransfersOfBatch } from './store/batches.ts';
import { insertEntries } from './store/transfer-entries.ts';
import type { TransferRails } from './submit-batches.ts';

export type ReadTools = Uses<'database' | 'ids' | 'secrets' | 'log'> & {
  readonly transferRails: TransferRails;
  readonly receivers: ReportReceivers;
};

const batchSize = 50;
/** So often a message is tried that cannot be taken, before it is put aside. */
const maxTries = 3;

/**
 * Takes the messages that the bank of one environment has sent, and answers how many it took. A message
 * is acknowledged after all its content is committed; read again after a crash, it changes nothing twice.
 */
export const readBankMessages = async (
  tools: ReadTools,
  environment: Environment,
): Promise<number> => {
  const rail = tools.transferRails.find(environment);
  if (!rail) return 0;
  const read = await rail.readMessages(batchSize);
  if (read.kind === 'UNAVAILABLE') {
    tools.log.warn({ environment, description: read.description }, 'bank messages are not read');
    metrics.add('florin_bank_messages_unread_total', 1, { environment });
    return 0;
  }
  let taken = 0;
  for (const message of read.messages)
    if (await tryMessage(tools, { environment, rail }, message)) taken += 1;
  return taken;
};

type Source = {
  readonly environment: Environment;
  readonly rail: TransferRail;
};

/** One that cannot be taken now is not in the way of those behind it (PAYOUT-8). */
const tryMessage = async (
  tools: ReadTools,
  { environment, rail }: Source,
  message: IncomingMessage,
): Promise<boolean> => {
  const { reference } = message;
  try {
    const quarantineReason = await takeMessage(tools, environment, message);
    if (quarantineReason !== null)
      await openCases(tools, [putAside(environment, message, quarantineReason)]);
    await rail.acknowledge(reference, quarantineReason ?? undefined);
    return true;
  } catch (error) {
    const { message: said } = error as Error;
    tools.log.error({ environment, reference, error: said }, 'a bank message is tried again');
    if (!(error instanceof DatabaseUnavailable)) await countTry(tools, environment, message, said);
    else if (isConnectionError(error.cause)) throw error;
    return false;
  }
};

/** What cannot be counted is not in the way either. */
const countTry = async (
  tools: ReadTools,
  environment: Environment,
  { reference, kind }: IncomingMessage,
  said: string,
): Promise<void> => {
  const lastError = said.replaceAll('\u0000', '');
  try {
    await tools.database.system(insertFailedTry, { environment, reference, kind, lastError });
  } catch (error) {
    if (error instanceof DatabaseUnavailable && isConnectionError(error.cause)) throw error;
    tools.log.error({ environment, reference, error }, 'a try of a bank message is not counted');
  }
};

/** Why it is quarantined, or null. After its last try it is quarantined without another. */
const takeMessage = async (
  tools: ReadTools,
  environment: Environment,
  message: IncomingMessage,
): Promise<string | null> => {
  const { reference } = message;
  const messageId = message.kind === 'UNREADABLE' ? null : message.messageId;
  const selected = { environment, reference, messageId };
  const [known] = await tools.database.system(findBankMessage, selected);
  if (known?.is_stored) return known.reason;
  const refusal =
    (known?.tries ?? 0) < maxTries ? null : `It cannot be taken: ${known?.last_error}`;
  const reason = known?.is_twice
    ? deliveredBefore
    : (refusal ?? (await useMessage(tools, environment, message)));
  // Of one that was delivered before, the other is kept.
  const kept =
    reason === null || known?.is_twice
      ? { record: null, note: '' }
      : keepMessage(tools, environment, message);
  const quarantineReason = reason === null ? null : `${reason}${kept.note}`;
  if (reason === null) await resolveLostDeliveries(tools, selected);
  await tools.database.system(insertBankMessage, {
    ...selected,
    kind: message.kind,
    answers: message.kind === 'STATUS_REPORT' ? message.originalMessageId : null,
    quarantineReason,
    text: message.kind === 'UNREADABLE' ? message.text : null,
    messageEncrypted: kept.record,
  });
  return quarantineReason;
};

/** Answers why it is quarantined, or null. */
export const useMessage = (
  tools: ReadTools,
  environment: Environment,
  message: IncomingMessage,
): Promise<string | null> => {
  if (message.kind === 'STATUS_REPORT') return useStatusReport(tools, environment, message);
  if (message.kind === 'ACCOUNT_REPORT') return useAccountReport(tools, environment, message);
  return Promise.resolve(`It cannot be read: ${message.reason}`);
};

const useStatusReport = async (
  tools: ReadTools,
  environment: Environment,
  report: StatusReport,
): Promise<string | null> => {
  const values = { environment, messageId: report.originalMessageId };
  const ordered = await findUnlessMoving(
    tools.database,
    null,
    () => tools.database.system(findTransfersOfBatch, values),
    (found) => found.length > 0,
  );
  if (ordered.length === 0) return 'It answers a batch that was never sent.';
  const said = new Map(report.transfers.map((status) => [status.endToEndId, status]));
  const strangers = report.transfers.filter(
    ({ endToEndId }) => !ordered.some((transfer) => transfer.end_to_end_id === endToEndId),
  );
  const reports = ordered.flatMap((transfer) => {
    const status = said.get(transfer.end_to_end_id) ?? report.batch;
    return status ? [reportOf(transfer, status.stage, status.reason)] : [];
  });
  await holdBefore(tools, environment, reports);
  const effects = await reportTransfers(tools.receivers, reports);
  await bookDifferences(
    tools,
    environment,
    ordered.map((transfer) => transfer.end_to_end_id),
  );
  if (strangers.length > 0) return 'It names a transfer that is not in its batch.';
  return effects.includes('LATE')
    ? 'It is late or out of order: it changed nothing of a transfer that had ended.'
    : null;
};

const useAccountReport = async (
  tools: ReadTools,
  environment: Environment,
  report: AccountReport,
): Promise<string | null> => {
  const own = await findOwnEntries(tools, environment, report);
  const isOurs = await recordCredits(
    tools,
    environment,
    report,
    new Set(own.map(({ entry }) => entry)),
  );
  if (!isOurs) return 'It reports an account that is not the collecting account.';
  await openCases(
    tools,
    report.unreadable.map((entry) => unreadableEntry(environment, report, entry)),
  );
  if (own.length > 0) await useOwnEntries(tools, environment, own);
  const { bookedBalancePence, createdAt: reportedAt } = report;
  // Last: it is compared with what all its entries have changed.
  if (bookedBalancePence !== null) {
    const balancePence = bookedBalancePence.toString();
    await tools.database.system(recordBalance, { environment, balancePence, reportedAt });
  }
  return null;
};

const useOwnEntries = async (
  tools: ReadTools,
  environment: Environment,
  own: readonly OwnEntry[],
): Promise<void> => {
  await tools.database.system(insertEntries, { environment, entries: entriesValue(own) });
  const reports = own.flatMap(({ entry, transfer }) => {
    const stage = stageOf(entry, transfer);
    return stage ? [reportOf(transfer, stage, entry.returned)] : [];
  });
  await holdBefore(tools, environment, reports);
  await reportTransfers(tools.receivers, reports);
  const ids = new Set(own.map(({ transfer }) => transfer.end_to_end_id));
  await bookDifferences(tools, environment, [...ids]);
};

/** Reports repeat entries. Equal ones of one report are several. */
const entriesValue = (own: readonly OwnEntry[]): string => {
  const seen = new Map<string, number>();
  return JSON.stringify(
    own.map(({ entry, transfer: { end_to_end_id } }) => {
      const kind = kindOf(entry);
      const amount_pence = entry.amountPence.toString();
      const said = [end_to_end_id, kind, amount_pence, entry.entryReference ?? ''].join(' ');
      const ordinal = seen.get(said) ?? 0;
      seen.set(said, ordinal + 1);
      return { entry_key: `${said} ${ordinal}`, end_to_end_id, kind, amount_pence };
    }),
  );
};

const unreadableEntry = (
  environment: Environment,
  { messageId }: AccountReport,
  { position, reason, said }: UnreadableEntry,
) => ({
  kind: 'BANK_MESSAGE_QUARANTINED' as const,
  subject: `${environment} ${messageId} ${position === 0 ? 'balance' : `entry ${position}`}`,
  description: `A part of an account report was put aside; the others of the report count. ${reason}`,
  evidence: { environment, messageId, position, said },
});

/**
 * A debit of what was ordered has left; one of another amount settles nothing. A credit is returned money,
 * unless it was paid to this very account.
 */
const stageOf = (
  entry: StatementEntry,
  { amount_pence: ordered }: FoundTransfer,
): TransferReport['stage'] | null => {
  const kind = kindOf(entry);
  if (kind === 'DEBIT') return entry.amountPence === ordered ? 'SETTLED' : null;
  return kind === 'RETURN' ? 'RETURNED' : null;
};

const reportOf = (
  transfer: FoundTransfer,
  stage: TransferReport['stage'],
  reason: TransferReport['reason'],
): TransferReport => ({
  tenant: tenantOf(transfer),
  subject: transfer.subject,
  subjectId: transfer.subject_id,
  endToEndId: transfer.end_to_end_id,
  stage,
  reason,
});
