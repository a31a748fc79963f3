import { createHmac } from 'node:crypto';
import { limits } from '@florin/contract';
import type { NotificationKind } from '@florin/contract/dashboard/index.ts';
import type { Uses } from '#platform/tools.ts';
import { digestOf } from '../access/sessions.ts';
import { insertLinkMail } from './store/links.ts';

/** Mails about the person: they cannot be switched off. */
export const personKinds = [
  'VERIFY_EMAIL',
  'NEW_PASSWORD',
  'INVITE',
  'PASSWORD_CHANGED',
  'PASSKEY_ADDED',
  'PASSKEY_REMOVED',
  'APP_ADDED',
  'APP_REMOVED',
  'RECOVERY_CODES_CHANGED',
] as const;

export type PersonKind = (typeof personKinds)[number];

/** What a mail to a person is about. */
export type MailKind = PersonKind | NotificationKind;

/** Kinds with a link that only its reader can follow. */
export type LinkPurpose = Extract<MailKind, 'VERIFY_EMAIL' | 'NEW_PASSWORD'>;

/**
 * The token of the link in a mail, from the mail's id and a key: the database holds nothing that opens it,
 * and a mail that is sent again has the same link.
 */
export const deriveLinkToken = ({ secrets }: Uses<'secrets'>, mailId: string): string =>
  createHmac('sha256', secrets.keyFor('people-links')).update(mailId).digest('hex');

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
