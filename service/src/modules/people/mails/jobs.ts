import { limits } from '@florin/contract';
import { errorText } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type MailRail,
  type MailRounds,
  mailRetryMs,
  sendMail,
  sendQueue,
} from '#rails/mail-rail.ts';
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

/** In a list: one that cannot be written stands there with its reason, and hides no other. */
const shownMail: typeof presentMail = (tools, row) => {
  try {
    return presentMail(tools, row);
  } catch (error) {
    const text = `This mail (${row.kind}) cannot be written: ${errorText(error)}`;
    return { to: row.recipient, subject: 'A mail that cannot be written', text };
  }
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
    ...shownMail(tools, row),
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
    shownMail(tools, row),
  );
};

const pruneEveryMs = 10 * 60 * 1000;
const prunedAtOnce = 2_000;

type JobTools = PresentTools &
  Uses<'database' | 'log'> & {
    readonly mailRail: MailRail | null;
    readonly mailRounds?: MailRounds;
  };

export const personMailJobs = (tools: JobTools) => [
  { name: 'sendPersonMails', run: () => sendPersonMails(tools) },
  { name: 'prunePersonMails', everyMs: pruneEveryMs, run: () => prune(tools) },
];

/** Without a mail server nothing is claimed: the mails stay queued until what they say has ended. */
export const sendPersonMails = async (tools: JobTools): Promise<number> => {
  const { database, mailRail } = tools;
  if (!mailRail) return 0;
  return sendQueue(tools.mailRounds, tools.log, {
    name: 'PERSON',
    claim: (values) => database.system(claimPersonMails, values),
    work: (mail) => sendClaimed(tools, mailRail, mail),
  });
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
