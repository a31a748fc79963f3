import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { type MailRail, mailClaim, mailRetryMs, sendMail } from '#rails/mail-rail.ts';
import { type PresentTools, presentMail } from './present-mail.ts';
import {
  type ClaimedMail,
  claimPersonMails,
  finishPersonMail,
  prunePersonMails,
} from './store/queue.ts';

const pruneEveryMs = 10 * 60 * 1000;
const prunedAtOnce = 2_000;

type JobTools = PresentTools &
  Uses<'database' | 'log'> & {
    readonly mailRail: MailRail | null;
  };

export const personMailJobs = (tools: JobTools) => [
  { name: 'sendPersonMails', run: () => sendPersonMails(tools) },
  { name: 'prunePersonMails', everyMs: pruneEveryMs, run: () => prune(tools) },
];

/** Without a mail server nothing is claimed: the mails stay queued until what they say has ended. */
export const sendPersonMails = async (tools: JobTools): Promise<number> => {
  const { database, mailRail } = tools;
  if (!mailRail) return 0;
  const mails = await database.system(claimPersonMails, mailClaim);
  await Promise.all(mails.map((mail) => sendClaimed(tools, mailRail, mail)));
  return mails.length;
};

const sendClaimed = async (tools: JobTools, rail: MailRail, mail: ClaimedMail): Promise<void> => {
  const { mail_id: mailId, kind, attempts } = mail;
  const error = mail.is_late
    ? 'what it says has ended'
    : await sendMail(rail, () => ({
        messageId: `person-${mailId}`,
        ...presentMail(tools, mail),
      }));
  const isLast = mail.is_late || attempts >= limits.personMailAttempts;
  if (error)
    tools.log.warn(
      { mailId, kind, error },
      isLast ? 'a mail to a person is given up' : 'a mail to a person could not be sent',
    );
  const retryMs = error === null || isLast ? null : mailRetryMs(attempts);
  await tools.database.system(finishPersonMail, { mailId, attempts, error, retryMs });
};

const prune = async ({ database }: JobTools): Promise<number> => {
  const values = { storedDays: limits.personMailRetentionDays, limit: prunedAtOnce };
  return Number((await database.system(prunePersonMails, values))[0]?.pruned ?? 0);
};
