import { errorText } from '#platform/database/stuck-rows.ts';
import type { Log } from '#platform/log.ts';
import { openSideBySide, type SideBySide } from '#platform/side-by-side.ts';

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

/** How many waiting mails of a queue a program takes at once, and the length of its lease. */
const mailClaim = { limit: 10, leaseMs: 120_000 };
/** Of a queue and environment, under way at once. */
const mailSlots = 50;

/** Takes what is due of a queue of mails. Left out: the round ends when all that it took have. */
export type MailRounds = SideBySide;

export const sendQueue = <Mail>(
  rounds: MailRounds | undefined,
  log: Log,
  queue: {
    readonly name: string;
    readonly claim: (values: typeof mailClaim) => Promise<readonly Mail[]>;
    readonly work: (mail: Mail) => Promise<unknown>;
  },
): Promise<number> =>
  (rounds ?? openSideBySide(log, () => new Promise(() => undefined))).run({
    ...{ name: queue.name, work: queue.work, claimed: mailClaim.limit, slots: mailSlots },
    claim: (limit) => queue.claim({ ...mailClaim, limit }),
  });

const retryMsMin = 60_000;
const retryMsMax = 6 * 60 * 60 * 1000;
const maxDoublings = 10;

/** The same for SQL: a mail that failed is due within it. */
export const longestMailPause = "interval '6 hours'";

/** When a mail is due that nobody gets, and that is only shown. */
export const neverMailed = "timestamptz '9999-01-01'";

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
