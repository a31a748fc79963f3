import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import {
  type MailRail,
  type MailRounds,
  mailRetryMs,
  sendMail,
  sendQueue,
} from '#rails/mail-rail.ts';
import { type ClaimedMail, claimMails, finishMail, pruneMails } from './history/store/mails.ts';

const pruneEveryMs = 10 * 60 * 1000;

type JobTools = Uses<'database' | 'log'> & {
  readonly mailRail: MailRail | null;
  readonly mailRounds?: MailRounds;
};

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const webhookJobs = (tools: JobTools) => [
  { name: 'sendMails', run: () => sendMails(tools) },
  { name: 'pruneSentMails', everyMs: pruneEveryMs, run: () => pruneSent(tools) },
];

/**
 * Without a mail server nothing is claimed: the mails stay queued, and listWebhookMails shows them.
 */
export const sendMails = async (tools: JobTools): Promise<number> => {
  const { database, mailRail } = tools;
  if (!mailRail) return 0;
  return sendQueue(tools.mailRounds, tools.log, {
    name: 'MERCHANT',
    claim: (values) => database.system(claimMails, values),
    work: (mail) => sendClaimed(tools, mailRail, mail),
  });
};

const sendClaimed = async (tools: JobTools, rail: MailRail, mail: ClaimedMail): Promise<void> => {
  const mailId = String(mail.mail_id);
  const error = await sendMail(rail, () => ({
    messageId: `webhook-${mailId}`,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.body,
    ...(mail.body_html && { html: mail.body_html }),
  }));
  if (error) tools.log.warn({ mailId, error }, 'a mail could not be sent and will be retried');
  await tools.database.system(finishMail, {
    merchantId: mail.merchant_id,
    environment: mail.environment,
    mailId: mail.mail_id,
    attempts: mail.attempts,
    error,
    retryMs: mailRetryMs(mail.attempts),
  });
};

const pruneSent = async ({ database }: JobTools): Promise<number> =>
  (await database.system(pruneMails, { retentionDays: limits.doneWorkRetentionDays })).length;
