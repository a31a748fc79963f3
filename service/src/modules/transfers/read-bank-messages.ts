import { type Environment, environments } from '#kernel/environment.ts';
import { recordCredits } from '#modules/credits/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import type {
  AccountReport,
  IncomingMessage,
  StatementEntry,
  StatusReport,
  TransferRail,
} from '#rails/transfer-rail.ts';
import { reportTransfers } from './report-transfers.ts';
import { findBankMessage, insertBankMessage } from './store/bank-messages.ts';
import { type FoundTransfer, findTransfers, findTransfersOfBatch } from './store/batches.ts';
import type { TransferRails } from './transfer-rails.ts';
import type { ReportReceivers, TransferReport } from './transfer-report.ts';

export type ReadTools = Uses<'database' | 'log'> & {
  readonly transferRails: TransferRails;
  readonly receivers: ReportReceivers;
};

const batchSize = 50;

/**
 * Takes the bank's messages. A message is acknowledged after all its content is committed; read
 * again after a crash, it changes nothing twice.
 */
export const readBankMessages = async (tools: ReadTools): Promise<number> => {
  let taken = 0;
  for (const environment of environments) {
    const rail = tools.transferRails.find(environment);
    if (rail) taken += await readFrom(tools, environment, rail);
  }
  return taken;
};

const readFrom = async (
  tools: ReadTools,
  environment: Environment,
  rail: TransferRail,
): Promise<number> => {
  const read = await rail.readMessages(batchSize);
  if (read.kind === 'UNAVAILABLE') {
    tools.log.warn({ environment, description: read.description }, 'bank messages are not read');
    return 0;
  }
  for (const message of read.messages) {
    const reason = await takeMessage(tools, environment, message);
    if (reason !== null)
      await openCases(tools, [
        {
          kind: 'BANK_MESSAGE_QUARANTINED',
          subject: `${environment} ${message.reference}`,
          description: `A message of the bank was put aside. ${reason}`,
          evidence: { environment, reference: message.reference, kind: message.kind },
        },
      ]);
    await rail.acknowledge(message.reference, reason ?? undefined);
  }
  return read.messages.length;
};

/** Why it is quarantined, or null. */
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
  const quarantineReason = known?.is_twice
    ? 'It was delivered before.'
    : await useMessage(tools, environment, message);
  await tools.database.system(insertBankMessage, {
    ...selected,
    kind: message.kind,
    answers: message.kind === 'STATUS_REPORT' ? message.originalMessageId : null,
    quarantineReason,
    text: message.kind === 'UNREADABLE' ? message.text : null,
  });
  return quarantineReason;
};

const useMessage = (
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
  const ordered = await tools.database.system(findTransfersOfBatch, values);
  if (ordered.length === 0) return 'It answers a batch that was never sent.';
  const said = new Map(report.transfers.map((status) => [status.endToEndId, status]));
  const strangers = report.transfers.filter(
    ({ endToEndId }) => !ordered.some((transfer) => transfer.end_to_end_id === endToEndId),
  );
  const effects = await reportTransfers(
    tools.receivers,
    ordered.flatMap((transfer) => {
      const status = said.get(transfer.end_to_end_id) ?? report.batch;
      return status ? [reportOf(transfer, status.stage, status.reason)] : [];
    }),
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
  const booked = report.entries.filter(({ status }) => status === 'BOOKED');
  const endToEndIds = booked.flatMap(({ endToEndId }) => endToEndId ?? []);
  const values = { environment, endToEndIds };
  const found = await tools.database.system(findTransfers, values);
  const byId = new Map(found.map((transfer) => [transfer.end_to_end_id, transfer]));
  const isOurs = await recordCredits(tools, environment, report, new Set(byId.keys()));
  if (!isOurs) return 'It reports an account that is not the collecting account.';
  await reportTransfers(
    tools.receivers,
    booked.flatMap((entry) => {
      const transfer = byId.get(entry.endToEndId ?? '');
      const stage = stageOf(entry);
      return transfer && stage ? [reportOf(transfer, stage, entry.returned)] : [];
    }),
  );
  return null;
};

/** A debit has left. A credit is returned money, unless it was paid to this very account. */
const stageOf = (entry: StatementEntry): TransferReport['stage'] | null => {
  if (entry.direction === 'DEBIT') return 'SETTLED';
  return entry.returned || entry.isReversal ? 'RETURNED' : null;
};

const reportOf = (
  transfer: FoundTransfer,
  stage: TransferReport['stage'],
  reason: TransferReport['reason'],
): TransferReport => ({
  tenant: { merchantId: transfer.merchant_id, environment: transfer.environment },
  subject: transfer.subject,
  subjectId: transfer.subject_id,
  endToEndId: transfer.end_to_end_id,
  stage,
  reason,
});
