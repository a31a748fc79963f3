import type { Pence } from '#kernel/pence.ts';

/**
 * The port to the bank that holds the collecting account: money that goes out, and what the bank
 * reports of it and of money that came in. It keeps nothing but which messages were acknowledged:
 * the module stores, matches and decides.
 */
export type TransferRail = {
  /**
   * Hands a batch to the bank. The same batch always gives the same message, so a repeat after a
   * crash is safe: a message that the bank has is never given to it twice.
   */
  readonly submit: (batch: TransferBatch) => Promise<SubmitOutcome>;
  /** After UNKNOWN: looks whether the bank has the message, and hands it over only if it has not. */
  readonly resolveSubmission: (batch: TransferBatch) => Promise<SubmitOutcome>;
  /** Messages not yet acknowledged, oldest first; the same ones again until they are. */
  readonly readMessages: (limit: number) => Promise<ReadOutcome>;
  /**
   * Call it after what the message says is committed. Acknowledging twice is fine. With a quarantine
   * reason the message is put aside, where the rail can do so, for a person to look at.
   */
  readonly acknowledge: (
    reference: string,
    quarantineReason?: string,
  ) => Promise<AcknowledgeOutcome>;
};

export type TransferAccount = {
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly name: string;
};

export type TransferBatch = {
  /** Unique for ever: letters, digits and hyphens, at most 35. */
  readonly messageId: string;
  /** When the batch was made; part of the message, so store it with the batch. */
  readonly createdAt: Date;
  /** YYYY-MM-DD in London. */
  readonly executionDate: string;
  /** The account that pays. */
  readonly debtor: TransferAccount;
  readonly transfers: readonly Transfer[];
};

export type Transfer = {
  /** Unique for ever: letters, digits and hyphens, at most 31. Statements and answers carry it. */
  readonly endToEndId: string;
  readonly amountPence: Pence;
  readonly creditor: TransferAccount;
  /** For the creditor's statement; what a bank cannot carry is replaced, and 18 characters stay. */
  readonly reference: string;
  /** The merchant that the operator pays on behalf of. */
  readonly onBehalfOf?: { readonly id: string; readonly name: string };
};

export type SubmitOutcome =
  /** The bank has the message. What becomes of each transfer is reported later. */
  | { readonly kind: 'HANDED_OVER' }
  /** The bank has nothing of it and never will: the batch itself is wrong. */
  | {
      readonly kind: 'REFUSED';
      readonly code: 'INVALID_BATCH' | 'MESSAGE_REFUSED' | 'MESSAGE_ID_REUSED';
      readonly description: string;
      /** The transfers that are wrong, as far as that is known. */
      readonly endToEndIds: readonly string[];
    }
  /** The bank took nothing of it now: hand it over later. */
  | { readonly kind: 'NOT_TAKEN'; readonly description: string }
  | { readonly kind: 'UNKNOWN'; readonly description: string };

export type ReadOutcome =
  | { readonly kind: 'MESSAGES'; readonly messages: readonly IncomingMessage[] }
  /** The bank or the folder cannot be reached: nothing changed. */
  | { readonly kind: 'UNAVAILABLE'; readonly description: string };

export type AcknowledgeOutcome =
  | { readonly kind: 'ACKNOWLEDGED' }
  | { readonly kind: 'UNAVAILABLE'; readonly description: string };

/** A bank may send a message late, twice, out of order, or for something that is not ours. */
export type IncomingMessage = {
  /** The delivery: two deliveries of one message have two references and one message id. */
  readonly reference: string;
} & (StatusReport | AccountReport | UnreadableMessage);

export type StatusReport = {
  readonly kind: 'STATUS_REPORT';
  readonly messageId: string;
  readonly createdAt: Date;
  /** The message id of the batch that this answers. */
  readonly originalMessageId: string;
  /** What is said of the whole batch; null: only single transfers are mentioned. */
  readonly batch: ReportedStatus | null;
  readonly transfers: readonly TransferStatus[];
};

export type TransferStatus = ReportedStatus & { readonly endToEndId: string };

export type ReportedStatus = {
  /** IN_PROGRESS: the bank has it. SETTLED: the money has gone. REJECTED: it has not, or is back. */
  readonly stage: 'IN_PROGRESS' | 'SETTLED' | 'REJECTED';
  /** ISO 20022: RCVD, ACTC, ACSP, ACSC, RJCT … */
  readonly isoCode: string;
  readonly reason: TransferReason | null;
  /** The bank's own id of the transfer. */
  readonly bankReference: string | null;
};

export type TransferReason = {
  /** ISO 20022: AC01, AC04, AM04, MS03 …, or the bank's own. */
  readonly code: string;
  /** A sentence for the merchant; never the bank's raw text. */
  readonly description: string;
};

export type AccountReport = {
  readonly kind: 'ACCOUNT_REPORT';
  readonly messageId: string;
  readonly createdAt: Date;
  readonly account: { readonly sortCode: string | null; readonly accountNumber: string };
  /** The booked balance, negative when overdrawn; null where the bank does not say. */
  readonly bookedBalancePence: Pence | null;
  readonly entries: readonly StatementEntry[];
};

export type StatementEntry = {
  /** The bank's id of the entry, to recognise it on the next report; null where there is none. */
  readonly entryReference: string | null;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly status: 'BOOKED' | 'PENDING';
  readonly amountPence: Pence;
  /** YYYY-MM-DD */
  readonly bookedOn: string | null;
  readonly endToEndId: string | null;
  readonly counterparty: {
    readonly name: string | null;
    readonly sortCode: string | null;
    readonly accountNumber: string | null;
  };
  readonly remittance: string | null;
  /** The bank corrects an earlier entry of its own. */
  readonly isReversal: boolean;
  /** Money that came back because a transfer could not be credited, or was taken back. */
  readonly returned: TransferReason | null;
};

export type UnreadableMessage = {
  readonly kind: 'UNREADABLE';
  /** For the operator. */
  readonly reason: string;
  /** As it came, at most the first part of it. */
  readonly text: string;
};
