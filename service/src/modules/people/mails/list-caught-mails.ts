import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { type PresentTools, presentMail } from './present-mail.ts';
import { listPersonMails, listPersonMailsTo } from './store/queue.ts';
import type { WrittenMail } from './write-mail.ts';

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
