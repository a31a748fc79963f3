import { limits } from '@florin/contract';
import type { Role } from '@florin/contract/dashboard/index.ts';
import { type Detail, memberWords, type Words } from './member-words.ts';
import { type MailKind, type PersonKind, personKinds } from './person-kinds.ts';
import { plainName } from './plain-name.ts';

export type WrittenMail = { readonly subject: string; readonly text: string };

export type MailFacts = {
  readonly kind: MailKind;
  readonly detail: Detail;
  /** Where the dashboard is: `https://pay.example/dashboard`. */
  readonly dashboardUrl: string;
  readonly operatorName: string;
  readonly token: string;
};

/** The words of a mail. Names that people chose are shown without what a mail program makes a link of. */
export const writeMail = (facts: MailFacts): WrittenMail => {
  const { kind } = facts;
  const { subject, lines } = isOfMember(kind) ? memberWords(kind, facts) : words[kind](facts);
  return { subject, text: `${lines.join('\n\n')}\n` };
};

const isOfMember = (kind: MailKind): kind is Exclude<MailKind, PersonKind> =>
  !(personKinds as readonly string[]).includes(kind);

const hour = 60 * 60 * 1000;

const notice =
  (subject: string, what: string) =>
  ({ dashboardUrl }: Pick<MailFacts, 'dashboardUrl'>): Words => ({
    subject,
    lines: [
      what,
      'If it was you, there is nothing to do. If it was not, choose a new password at once:',
      `${dashboardUrl}/forgotten-password`,
      'That ends every session. Then look at the ways to sign in on the page of your account.',
    ],
  });

const words: Readonly<Record<PersonKind, (facts: MailFacts) => Words>> = {
  VERIFY_EMAIL: ({ dashboardUrl, operatorName, token }) => ({
    subject: `Confirm your address for ${operatorName}`,
    lines: [
      `Somebody signed up at ${operatorName} with this address. If it was you, confirm it:`,
      `${dashboardUrl}/verify-email/${token}`,
      `The link works once, within ${limits.verifyEmailMs / hour} hours. If it was not you, do nothing.`,
    ],
  }),
  NEW_PASSWORD: ({ dashboardUrl, operatorName, token }) => ({
    subject: `A new password for ${operatorName}`,
    lines: [
      `Somebody wants a new password for this address. If it was you, choose one here:`,
      `${dashboardUrl}/new-password/${token}`,
      `The link works once, within ${limits.newPasswordMs / 60_000} minutes. It ends every session.`,
      'If it was not you, do nothing: your password stays.',
    ],
  }),
  INVITE: ({ dashboardUrl, operatorName, token, detail }) => ({
    subject: `Join ${plainName(detail.businessName)} at ${operatorName}`,
    lines: [
      `${plainName(detail.inviterName)} invites you to ${plainName(detail.businessName)} as ` +
        `${roleWords[detail.role as Role] ?? 'a member'}. Accept here:`,
      `${dashboardUrl}/invites/${token}`,
      `The link works once, within ${limits.inviteMs / (24 * hour)} days.`,
      'If you do not know them, do nothing.',
    ],
  }),
  PASSWORD_CHANGED: notice(
    'Your password was changed',
    'The password of your account was changed.',
  ),
  PASSKEY_ADDED: ({ detail, ...facts }) =>
    notice(
      'A passkey was added to your account',
      `The passkey "${plainName(detail.name)}" can now sign in to your account.`,
    )(facts),
  PASSKEY_REMOVED: ({ detail, ...facts }) =>
    notice(
      'A passkey was removed from your account',
      `The passkey "${plainName(detail.name)}" can no longer sign in to your account.`,
    )(facts),
  APP_ADDED: notice(
    'An authenticator app was added to your account',
    'From now on a sign-in by password needs a code of that app.',
  ),
  APP_REMOVED: notice(
    'The authenticator app was removed from your account',
    'A sign-in by password needs no code any more.',
  ),
  RECOVERY_CODES_CHANGED: notice(
    'Your recovery codes have changed',
    'A recovery code was used to sign in, or new ones were made.',
  ),
};

const roleWords: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  manager: 'a manager',
  cashier: 'a cashier',
  developer: 'a developer',
  readOnly: 'a reader',
};
