import type { AcknowledgeOutcome, SubmitOutcome } from '#rails/transfer-rail.ts';

/** One way to a bank. It carries messages and reads none of them. */
export type Channel = {
  readonly send: (message: OutgoingMessage) => Promise<SubmitOutcome>;
  /** After an unknown outcome: checks first, and sends only what is missing. */
  readonly sendUnlessThere: (message: OutgoingMessage) => Promise<SubmitOutcome>;
  readonly list: (limit: number) => Promise<ListOutcome>;
  readonly acknowledge: (
    reference: string,
    quarantineReason: string | null,
  ) => Promise<AcknowledgeOutcome>;
};

export type OutgoingMessage = { readonly messageId: string; readonly text: string };

export type ListOutcome =
  | { readonly kind: 'DELIVERIES'; readonly deliveries: readonly Delivery[] }
  | { readonly kind: 'UNAVAILABLE'; readonly description: string };

export type Delivery = {
  readonly reference: string;
  /** Incoming messages; one that could not be decoded has a reason. */
  readonly text: string;
  readonly problem: string | null;
};
