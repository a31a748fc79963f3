/** What a mail to a person is about. */
export const mailKinds = [
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

export type MailKind = (typeof mailKinds)[number];

/** Kinds with a link that only its reader can follow. */
export type LinkPurpose = Extract<MailKind, 'VERIFY_EMAIL' | 'NEW_PASSWORD'>;
