import type { NotificationKind } from '@florin/contract/dashboard/index.ts';

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
