import { limits } from '@florin/contract';
import type { NotificationKind, Role } from '@florin/contract/dashboard/index.ts';
import { type Pence, poundsText } from '#kernel/pence.ts';
import { type MailKind, type PersonKind, personKinds } from './queue-link-mail.ts';

const nameLength = 60;

/** On one line, without an address: somebody chose it who may want to lead the reader elsewhere. */
export const plainName = (name: string | null | undefined): string =>
  (name ?? '')
    .replace(/[\p{C}\p{Z}<>]+/gu, ' ')
    .replace(/(?<=\S)(?:[./:@]|\\)+(?=\S)/g, ' ')
    .trim()
    .slice(0, nameLength) || 'A business';

type Detail = Readonly<Record<string, string | null>>;

type Words = { readonly subject: string; readonly lines: readonly string[] };

type Facts = { readonly detail: Detail; readonly dashboardUrl: string };

/** The wordsOfKind of a mail about a business, which a member chose to get. */
const memberWords = (kind: NotificationKind, facts: Facts): Words => {
  const { detail, dashboardUrl } = facts;
  const page = `${dashboardUrl}/${detail.merchantId}/${detail.environment}`;
  const { subject, lines } = wordsOfKind[kind](detail, page);
  const business = plainName(detail.businessName);
  const isSandbox = detail.environment === 'sandbox';
  return {
    subject: `${isSandbox ? 'Sandbox: ' : ''}${business}: ${subject}`,
    lines: [
      ...lines,
      `${isSandbox ? 'This is the sandbox: no real money moves. ' : ''}Choose your mails:`,
      `${page}/settings/notifications`,
    ],
  };
};

const amountOf = ({ amountPence }: Detail): string =>
  amountPence
    ? pounds.format(poundsText(BigInt(amountPence) as Pence) as `${number}`)
    : 'an amount';

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** Friday, 4 December 2026, by the clock of London. */
const dayOf = (at: string): string => longDay.format(new Date(at));

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Europe/London' });

const wordsOfKind: Readonly<Record<NotificationKind, (detail: Detail, page: string) => Words>> = {
  ENDPOINT_FAILING: ({ url, since, lastError, endpointId }, page) => ({
    subject: 'a webhook endpoint fails',
    lines: [
      `Deliveries to this endpoint have failed since ${since} UTC:`,
      url ?? '',
      `Last error: ${lastError ?? 'unknown'}. While it fails you get this once a day.`,
      `${page}/developers/webhooks/${endpointId}`,
    ],
  }),
  PAYOUT_PAID: (detail, page) => ({
    subject: `${amountOf(detail)} was paid out`,
    lines: [
      `The bank has sent ${amountOf(detail)} with the reference ${detail.reference}.`,
      `${page}/payouts/${detail.payoutId}`,
    ],
  }),
  PAYOUT_FAILED: (detail, page) => ({
    subject: `a payout of ${amountOf(detail)} failed`,
    lines: [
      `The bank refused or returned the payout ${detail.reference} of ${amountOf(detail)}.`,
      'The money is yours and goes into the next one: check the account that it goes to.',
      `${page}/payouts/${detail.payoutId}`,
    ],
  }),
  REFUND_WAITS: ({ paymentRequestId }, page) => ({
    subject: 'a refund waits for an account',
    lines: [
      'The bank did not say which account paid. Ask the customer for theirs; the operator enters it.',
      `${page}/payments/${paymentRequestId}`,
    ],
  }),
  REFUND_PROPOSED: (detail, page) => ({
    subject: `a refund of ${amountOf(detail)} waits for approval`,
    lines: [
      `${plainName(detail.by)} proposed it. Another person approves or declines it here:`,
      `${page}/payments/${detail.paymentRequestId}`,
    ],
  }),
  DISPUTE: (detail, page) => ({
    subject:
      detail.case === 'DISPUTE_LOST'
        ? `a dispute about ${amountOf(detail)} was lost`
        : `a card payment of ${amountOf(detail)} is disputed`,
    lines: [
      detail.case === 'DISPUTE_LOST'
        ? `The card holder gets ${amountOf(detail)} back.`
        : `A card holder disputes ${amountOf(detail)}. Have proof of the order ready for the operator.`,
      ...(detail.respondBy ? [`It must be answered by ${dayOf(detail.respondBy)}.`] : []),
      `${page}/payments${detail.paymentRequestId ? `/${detail.paymentRequestId}` : ''}`,
    ],
  }),
  SUSPENSION: ({ reason }, page) => ({
    subject: reason === null ? 'the business is resumed' : 'the business is suspended',
    lines:
      reason === null
        ? ['Payments can be taken again, and payouts that were held go out.', `${page}/home`]
        : [
            `The operator gave this reason: ${reason?.replace(/[\p{C}\p{Z}]+/gu, ' ')}`,
            'Nothing new starts: no payment requests, no payments on links, no card charges.',
            'Payouts are held. What is under way is finished, and you can still refund payers.',
            `${page}/home`,
          ],
  }),
};

export type WrittenMail = { readonly subject: string; readonly text: string };

type MailFacts = {
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
      'That ends every session. Then look at your other ways to sign in, on the page "Your sign-in".',
    ],
  });

const words: Readonly<Record<PersonKind, (facts: MailFacts) => Words>> = {
  VERIFY_EMAIL: ({ dashboardUrl, operatorName, token }) => ({
    subject: `Confirm your address for ${operatorName}`,
    lines: [
      `Somebody signed up at ${operatorName} with this address. If it was you, confirm it:`,
      `${dashboardUrl}/verify-email#${token}`,
      `The link works once, within ${limits.verifyEmailMs / hour} hours. If it was not you, do nothing.`,
    ],
  }),
  NEW_PASSWORD: ({ dashboardUrl, operatorName, token }) => ({
    subject: `A new password for ${operatorName}`,
    lines: [
      `Somebody wants a new password for this address. If it was you, choose one here:`,
      `${dashboardUrl}/new-password#${token}`,
      `The link works once, within ${limits.newPasswordMs / 60_000} minutes. It ends every session.`,
      'If it was not you, do nothing: your password stays.',
    ],
  }),
  INVITE: ({ dashboardUrl, operatorName, token, detail }) => ({
    subject: `Join ${plainName(detail.businessName)} at ${operatorName}`,
    lines: [
      `${plainName(detail.inviterName)} invites you to ${plainName(detail.businessName)} as ` +
        `${roleWords[detail.role as Role] ?? 'a member'}. Accept here:`,
      `${dashboardUrl}/invites#${token}`,
      `The link works once, within ${limits.inviteMs / (24 * hour)} days.`,
      'If you do not know them, do nothing.',
    ],
  }),
  PASSWORD_CHANGED: notice(
    'Your password was changed',
    'The password with which you sign in was changed.',
  ),
  PASSKEY_ADDED: ({ detail, ...facts }) =>
    notice(
      'A passkey was added to your sign-in',
      `The passkey "${plainName(detail.name)}" can now sign in as you.`,
    )(facts),
  PASSKEY_REMOVED: ({ detail, ...facts }) =>
    notice(
      'A passkey was removed from your sign-in',
      `The passkey "${plainName(detail.name)}" can no longer sign in as you.`,
    )(facts),
  APP_ADDED: notice(
    'An authenticator app was added to your sign-in',
    'From now on a sign-in by password needs a code of that app.',
  ),
  APP_REMOVED: notice(
    'The authenticator app was removed from your sign-in',
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
