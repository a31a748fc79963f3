/** The port to whatever sends mail. A rail keeps nothing: an unsent mail stays in the outbox. */
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
  /** The same once more, for programs that show it. */
  readonly html?: string;
};

export type MailOutcome =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'FAILED'; readonly description: string };
