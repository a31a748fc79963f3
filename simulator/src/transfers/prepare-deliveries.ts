import type { Connection } from '#simulator/store/database.ts';
import { behaviours } from './behaviours.ts';
import type { Account, BookedEntry, HubTools } from './model.ts';
import { type Answer, planAnswers } from './plan-answers.ts';
import { holdAccount, moveReportedBalance, takeUnreported } from './store/accounts.ts';
import { insertDelivery, type NewDelivery } from './store/messages.ts';
import { listDueTransfers, markReported } from './store/transfers.ts';
import { writeAccountReport } from './xml/write-account-report.ts';
import { writeBatchStatus, writeStatusReport } from './xml/write-status-report.ts';

const maxEntries = 1000;

// Prepares messages about what happened on an account since the last ones.
export const prepareDeliveries = (tools: HubTools, account: Account): Promise<void> =>
  tools.database.transaction(async (client) => {
    await holdAccount(client, account);
    const now = tools.clock.now();
    const due = await listDueTransfers(client, account, now);
    for (const answer of planAnswers(due, behaviours))
      await insertDelivery(client, account, deliveryOf(tools, answer, now));
    if (due.length > 0) await markReported(client, due);
    const entries = await takeUnreported(client, account, now, maxEntries);
    if (entries.length > 0) await reportEntries(tools, client, account, entries, now);
  });

const deliveryOf = ({ random }: HubTools, answer: Answer, now: number): NewDelivery => {
  const messageId = answer.repeats ?? `P2${compact(random.id())}`;
  const createdAt = new Date(now);
  const header = { messageId, createdAt, originalMessageId: answer.originalMessageId };
  return {
    reference: compact(random.id()),
    endToEndIds: answer.reported.map(({ transfer }) => transfer.endToEndId),
    text: textOf(answer, header),
    availableAt: now + answer.delayMs,
  };
};

const textOf = (answer: Answer, header: Parameters<typeof writeStatusReport>[0]): string => {
  const [first] = answer.reported;
  if (answer.kind === 'BATCH' && first) return writeBatchStatus(header, first.step);
  const text = writeStatusReport(header, answer.reported);
  return answer.kind === 'MALFORMED' ? text.slice(0, Math.floor(text.length / 2)) : text;
};

const reportEntries = async (
  { random }: HubTools,
  client: Connection,
  account: Account,
  entries: readonly BookedEntry[],
  now: number,
): Promise<void> => {
  const added = entries.reduce(
    (sum, { direction, amountPence }) =>
      direction === 'CRDT' ? sum + amountPence : sum - amountPence,
    0n,
  );
  const balancePence = await moveReportedBalance(client, account, added);
  const messageId = `C52${compact(random.id())}`;
  const createdAt = new Date(now);
  await insertDelivery(client, account, {
    reference: compact(random.id()),
    endToEndIds: [],
    text: writeAccountReport({ messageId, createdAt, account, balancePence, entries }),
    availableAt: now,
  });
};

const compact = (id: string): string => id.replaceAll('-', '').slice(0, 30);
