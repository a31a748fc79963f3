import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import {
  type MailRail,
  type MailRounds,
  mailRetryMs,
  sendMail,
  sendQueue,
} from '#rails/mail-rail.ts';
import { recipientContext } from './queue-receipt.ts';
import { type ClaimedReceipt, claimReceipts, finishReceipt, pruneReceipts } from './store.ts';

const pruneEveryMs = 10 * 60 * 1000;
const prunedAtOnce = 2_000;

type JobTools = Uses<'database' | 'secrets' | 'log'> & {
  readonly mailRail: MailRail | null;
  readonly mailRounds?: MailRounds;
};

/**
 * Without a mail server nothing is claimed: the mails stay queued, and listReceiptMails shows them.
 */
export const sendReceipts = async (tools: JobTools): Promise<number> => {
  const { database, mailRail } = tools;
  if (!mailRail) return 0;
  return sendQueue(tools.mailRounds, tools.log, {
    name: 'RECEIPT',
    claim: (values) => database.system(claimReceipts, values),
    work: (mail) => sendReceipt(tools, mailRail, mail),
  });
};

const sendReceipt = async (
  tools: JobTools,
  rail: MailRail,
  mail: ClaimedReceipt,
): Promise<void> => {
  const { attempt_id: attemptId, position, attempts } = mail;
  const messageId = `receipt-${attemptId}-${position}`;
  const error = await sendMail(rail, () => ({
    messageId,
    to: tools.secrets.decryptText(mail.recipient_encrypted, recipientContext(attemptId)),
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
  }));
  if (error)
    tools.log.warn({ messageId, error }, 'a receipt could not be sent and will be retried');
  await tools.database.system(finishReceipt, {
    merchantId: mail.merchant_id,
    environment: mail.environment,
    attemptId,
    position,
    attempts,
    error,
    retryMs: mailRetryMs(attempts),
  });
};

export const pruneOldReceipts = async ({ database, log }: JobTools): Promise<number> => {
  const storedDays = limits.receiptMailRetentionDays;
  const [row] = await database.system(pruneReceipts, { storedDays, limit: prunedAtOnce });
  const unsent = Number(row?.unsent ?? 0);
  if (unsent > 0) log.warn({ unsent }, 'receipts were never sent and are now given up');
  return Number(row?.pruned ?? 0);
};

export const receiptJobs = (tools: JobTools) => [
  { name: 'sendReceipts', run: () => sendReceipts(tools) },
  { name: 'pruneReceipts', everyMs: pruneEveryMs, run: () => pruneOldReceipts(tools) },
];
