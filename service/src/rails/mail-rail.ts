import { errorText } from '#platform/database/stuck-rows.ts';

/** The port to a mail server. A rail stores nothing: an unsent mail stays in the outbox. */
export type MailRail = {
  readonly send: (mail: Mail) => Promise<MailOutcome>;
  readonly close: () => Promise<void>;
};

export type Mail = {
  /** The same for the same mail: a receiver may drop the second copy by it. */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as HTML. */
  readonly html?: string;
};

export type MailOutcome =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'FAILED'; readonly description: string };

/** How many waiting mails a program takes at once, and the length of its lease. */
export const mailClaim = { limit: 10, leaseMs: 120_000 } as const;

const retryMsMin = 60_000;
const retryMsMax = 6 * 60 * 60 * 1000;
const maxDoublings = 10;

/** The same for SQL: a mail that failed is due within it. */
export const longestMailPause = "interval '6 hours'";

/** Until an unsent mail is tried again: later each time. */
export const mailRetryMs = (attempts: number): number =>
  Math.min(retryMsMax, retryMsMin * 2 ** Math.min(attempts, maxDoublings));

/** Why a mail was not sent, fit for a log; null when it was. One that cannot be written has failed. */
export const sendMail = async (rail: MailRail, write: () => Mail): Promise<string | null> => {
  try {
    const outcome = await rail.send(write());
    return outcome.kind === 'SENT' ? null : errorText(outcome.description);
  } catch (error) {
    return errorText(error);
  }
};
