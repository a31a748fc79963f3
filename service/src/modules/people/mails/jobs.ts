import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { type MailRail, mailClaim, mailRetryMs, sendMail } from '#rails/mail-rail.ts';
import { deriveLinkToken } from './queue-link-mail.ts';
import {
  type ClaimedMail,
  claimPersonMails,
  finishPersonMail,
  listPersonMails,
  listPersonMailsTo,
  type MailRow,
  prunePersonMails,
} from './store/queue.ts';
import { type WrittenMail, writeMail } from './write-mail.ts';

type PresentTools = Uses<'secrets' | 'config'> & { readonly dashboardUrl: string };

/** A mail as its recipient reads it. Its link stands nowhere else. */
const presentMail = (
  tools: PresentTools,
  { mail_id: mailId, kind, recipient, detail }: MailRow,
): WrittenMail & { readonly to: string } => {
  const { dashboardUrl, config } = tools;
  const token = deriveLinkToken(tools, mailId);
  const facts = { kind, detail, dashboardUrl, operatorName: config.operatorName, token };
  return { to: recipient, ...writeMail(facts) };
};

/**
 * Mails to people with their links, newest first. For the front page of the all-in-one start without a mail
 * server alone, which shows them to a visitor at this machine: who reads them can be anybody.
 */
export const listCaughtMails = async (
  tools: PresentTools & Uses<'database'>,
  limit: number,
): Promise<
  readonly {
    readonly to: string;
    readonly subject: string;
    readonly text: string;
    readonly createdAt: string;
  }[]
> => {
  const rows = await tools.database.system(listPersonMails, { limit });
  return rows.map((row) => ({
    ...presentMail(tools, row),
    createdAt: row.created_at.toISOString(),
  }));
};

/** For the operator of an installation without a mail server, whose command is recorded (PEOPLE-10). */
export const listUnsentMails = async (
  tools: PresentTools & Uses<'database'>,
  email: string,
): Promise<readonly WrittenMail[]> => {
  const values = { email: email.toLowerCase(), limit: limits.pageSizeMax };
  return (await tools.database.system(listPersonMailsTo, values)).map((row) =>
    presentMail(tools, row),
  );
};

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
