import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { digestOf } from '../access/find-person.ts';
import { deriveLinkToken } from './derive-link-token.ts';
import type { LinkPurpose } from './person-kinds.ts';
import { insertLinkMail } from './store/links.ts';

export type LinkMailTools = Uses<'database' | 'clock' | 'ids' | 'secrets'>;

const lifeMs = {
  VERIFY_EMAIL: limits.verifyEmailMs,
  NEW_PASSWORD: limits.newPasswordMs,
} as const satisfies Record<LinkPurpose, number>;

const windowMs = 60 * 60 * 1000;

/**
 * Writes a link with the mail that brings it. False: the address is of no person, or it got as many
 * mails of this kind as an hour allows.
 */
export const queueLinkMail = async (
  tools: LinkMailTools,
  kind: LinkPurpose,
  email: string,
): Promise<boolean> => {
  const [mailId, now] = [tools.ids.uuid(), tools.clock.now()];
  const queued = await tools.database.system(insertLinkMail, {
    ...{ mailId, kind, now, email: email.toLowerCase() },
    tokenSha256: digestOf(deriveLinkToken(tools, mailId)),
    expiresAt: new Date(now.getTime() + lifeMs[kind]),
    windowEndsAt: new Date(now.getTime() + windowMs),
  });
  return queued.length > 0;
};
