import type { Pence } from '#kernel/pence.ts';

/**
 * The port to the bank of the collecting account: outgoing transfers, and the bank's reports about
 * them and about incoming money. It stores only which messages were acknowledged: the module
 * stores, matches and decides.
 */
export type TransferRail = {
  /**
   * Submits a batch to the bank. The same batch always gives the same message, so a repeat after a
   * crash is safe: the bank never gets a message twice.
   */
  readonly submit: (batch: TransferBatch) => Promise<SubmitOutcome>;
  /** After UNKNOWN: looks whether the bank has the message, and hands it over only if it has not. */
  readonly resolveSubmission: (batch: TransferBatch) => Promise<SubmitOutcome>;
  /** Messages not yet acknowledged, oldest first; the same ones again until they are. */
  readonly readMessages: (limit: number) => Promise<ReadOutcome>;
  /** Reads the content of a message anew. Without the network, and never a throw. */
  readonly readAgain: (reference: string, content: string) => IncomingMessage;
  /**
   * Call it after the message's content is committed. Acknowledging twice is fine. With a
   * quarantine reason the message is set aside, if the rail can do so, for a person to read.
   */
  readonly acknowledge: (
    reference: string,
    quarantineReason?: string,
  ) => Promise<AcknowledgeOutcome>;
  /**
   * After a restore: messages that were acknowledged since then are read again, for what they changed
   * may be lost. Answers how many.
   */
  readonly reopenMessages: (since: Date) => Promise<ReopenOutcome>;
  /** Verifies a notice that messages wait; null: this bank sends none. */
  readonly readNotice: ((body: Buffer, signature: string) => BankNotice) | null;
};

/** A notice carries nothing that is believed, but that it is time to read the messages. */
export type BankNotice =
  | { readonly kind: 'MESSAGES_WAIT' }
  /** Of an account whose messages are not read here. */
  | { readonly kind: 'OTHER_ACCOUNT' }
  | { readonly kind: 'INVALID'; readonly description: string };

/** Where the simulator's transfer hub sends its notices. */
export const sandboxNoticesPath = '/api/rails/bank-notices/sandbox';

export type TransferAccount = {
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly name: string;
};

export type TransferBatch = {
  /** Unique for ever: letters, digits and hyphens, at most 35. */
  readonly messageId: string;
  /** When the batch was created; part of the message, so store it with the batch. */
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
  /** For the creditor's statement; unsupported characters are replaced, and 18 characters stay. */
  readonly reference: string;
  /** The merchant that the operator pays on behalf of. */
  readonly onBehalfOf?: { readonly id: string; readonly name: string };
};

export type SubmitOutcome =
  /** The bank has the message. What becomes of each transfer is reported later. */
  | { readonly kind: 'SUBMITTED' }
  /** The bank has nothing of it and never will: the batch itself is wrong. */
  | {
      readonly kind: 'REFUSED';
      readonly code: 'INVALID_BATCH' | 'MESSAGE_REFUSED' | 'MESSAGE_ID_REUSED';
      readonly description: string;
      /** The wrong transfers, if known. */
      readonly endToEndIds: readonly string[];
    }
  /** The bank took nothing of it now: submit it later. */
  | { readonly kind: 'NOT_TAKEN'; readonly description: string }
  | { readonly kind: 'UNKNOWN'; readonly description: string };

export type ReadOutcome =
  | { readonly kind: 'MESSAGES'; readonly messages: readonly IncomingMessage[] }
  /** The bank or the folder cannot be reached: nothing changed. */
  | { readonly kind: 'UNAVAILABLE'; readonly description: string };

export type ReopenOutcome =
  | { readonly kind: 'REOPENED'; readonly messages: number }
  | { readonly kind: 'UNAVAILABLE'; readonly description: string };

export type AcknowledgeOutcome =
  | { readonly kind: 'ACKNOWLEDGED' }
  | { readonly kind: 'UNAVAILABLE'; readonly description: string };

/** A bank may send a message late, twice, out of order, or for something that is not ours. */
export type IncomingMessage = {
  /** The delivery: two deliveries of one message have two references and one message id. */
  readonly reference: string;
  /** As received; null: it is not text, or was not read. */
  readonly content: string | null;
} & (StatusReport | AccountReport | UnreadableMessage);

export type StatusReport = {
  readonly kind: 'STATUS_REPORT';
  readonly messageId: string;
  readonly createdAt: Date;
  /** The message id of the reported batch. */
  readonly originalMessageId: string;
  /** The status of the whole batch; null: only single transfers are reported. */
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
  /** Of the day so far: an intraday report lists again what an earlier one listed; the others do not. */
  readonly list: 'INTRADAY' | 'STATEMENT' | 'NOTIFICATION';
  readonly messageId: string;
  readonly createdAt: Date;
  readonly account: { readonly sortCode: string | null; readonly accountNumber: string };
  /** The booked balance, negative when overdrawn; null when the bank reports none. */
  readonly bookedBalancePence: Pence | null;
  readonly entries: readonly StatementEntry[];
  /** Those that cannot be read: the others of the report count. */
  readonly unreadable: readonly UnreadableEntry[];
};

export type UnreadableEntry = {
  /** Of the report, counted from 1; 0: its balance. */
  readonly position: number;
  /** For the operator. */
  readonly reason: string;
  /** Its amount, direction and references as received, at most the first part of each. */
  readonly said: string;
};

export type StatementEntry = {
  /** The bank's id of the entry, to recognise it on the next report; null when there is none. */
  readonly entryReference: string | null;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly status: 'BOOKED' | 'PENDING';
  /** More than nothing. */
  readonly amountPence: Pence;
  /** YYYY-MM-DD, a day of the calendar */
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
  /** Money returned because a transfer could not be credited, or was reversed. */
  readonly returned: TransferReason | null;
};

export type UnreadableMessage = {
  readonly kind: 'UNREADABLE';
  /** For the operator. */
  readonly reason: string;
  /** As received, at most the first part of it. */
  readonly text: string;
};

/** What the installation knows of its one folder. */
export type OwnFolder = {
  readonly installationId: () => Promise<string>;
  /**
   * The first folder that is asked about becomes it, unless another installation owns that. `lastFile`: what
   * was handed over last, or about to be, and lately.
   */
  readonly claim: (folderId: string, ownerId: string) => Promise<FolderClaim>;
  /** Before the file is handed over. */
  readonly note: (folderId: string, file: string) => Promise<void>;
};

type FolderClaim = {
  readonly isOwn: boolean;
  readonly installationId: string;
  readonly lastFile: string | null;
};
