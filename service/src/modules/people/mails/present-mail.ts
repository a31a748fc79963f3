import type { Uses } from '#platform/tools.ts';
import { deriveLinkToken } from './derive-link-token.ts';
import type { MailRow } from './store/queue.ts';
import { type WrittenMail, writeMail } from './write-mail.ts';

export type PresentTools = Uses<'secrets' | 'config'> & { readonly dashboardUrl: string };

/** A mail as its recipient reads it. Its link stands nowhere else. */
export const presentMail = (
  tools: PresentTools,
  { mail_id: mailId, kind, recipient, detail }: MailRow,
): WrittenMail & { readonly to: string } => {
  const { dashboardUrl, config } = tools;
  const token = deriveLinkToken(tools, mailId);
  const facts = { kind, detail, dashboardUrl, operatorName: config.operatorName, token };
  return { to: recipient, ...writeMail(facts) };
};
