import type {
  AcknowledgeOutcome,
  OwnFolder,
  ReopenOutcome,
  SubmitOutcome,
} from '#rails/transfer-rail.ts';

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
  readonly reopen: (since: Date) => Promise<ReopenOutcome>;
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

export type Iso20022Settings = {
  readonly template: BankTemplate;
  readonly channel: HttpChannelSettings | FolderChannelSettings;
};

/** A bank that takes messages over HTTP: the simulator's transfer hub. */
export type HttpChannelSettings = {
  readonly kind: 'HTTP';
  readonly url: string;
  readonly secret: string;
  /** The bank signs its notices with it; null: it sends none. */
  readonly noticeSecret: string | null;
  /** The account whose reports are fetched: the collecting account. */
  readonly account: { readonly sortCode: string; readonly accountNumber: string };
  readonly timeoutMs?: number;
};

/** A folder that a bank's own client, an SFTP job or a person carries to and from the bank. */
type FolderChannelSettings = {
  readonly kind: 'FOLDER';
  readonly root: string;
  readonly own: OwnFolder;
  /** A file that cannot be read is left alone for so long: it may still be being written. */
  readonly settleMs?: number;
};

export const defaultTimeoutMs = 15_000;
export const defaultSettleMs = 30_000;

/** The message format of one bank: data, because no two banks want the same. */
export type BankTemplate = {
  /** Our name and id at the bank, in the header of each message. */
  readonly initiatingParty: { readonly name: string; readonly id: string };
  /** URNS: real-time net settlement, which is Faster Payments. */
  readonly serviceLevel: string;
  readonly chargeBearer: 'SHAR' | 'SLEV';
  /** How a UK account number is marked: a code of the standard, or the bank's own. */
  readonly accountScheme: { readonly code: string } | { readonly proprietary: string };
  /** The element of the reference. */
  readonly referenceAs: 'UNSTRUCTURED' | 'STRUCTURED';
  /** True: one debit on the statement for the whole batch; the credits are always single. */
  readonly batchBooking: boolean;
  readonly maxNameLength: number;
  readonly maxReferenceLength: number;
  readonly maxTransfers: number;
  /** Names of files and folders, where files are exchanged. */
  readonly files: FileTemplate;
};

export type FileTemplate = {
  /** {messageId} stands for the message's id, which is unique. */
  readonly name: string;
  readonly outgoing: string;
  readonly incoming: string;
  /** Which files of the incoming folder are messages: the end of their names. */
  readonly incomingSuffixes: readonly string[];
  readonly processed: string;
  readonly quarantine: string;
  /** Our own copies: what was written and what was handed over. */
  readonly prepared: string;
  readonly sent: string;
};

export const standardTemplate: BankTemplate = {
  initiatingParty: { name: 'Florin', id: 'FLORIN' },
  serviceLevel: 'URNS',
  chargeBearer: 'SLEV',
  accountScheme: { code: 'BBAN' },
  referenceAs: 'UNSTRUCTURED',
  batchBooking: false,
  maxNameLength: 40,
  maxReferenceLength: 18,
  maxTransfers: 1000,
  files: {
    name: 'pain001-{messageId}.xml',
    outgoing: 'outgoing',
    incoming: 'incoming',
    incomingSuffixes: ['.xml'],
    processed: 'processed',
    quarantine: 'quarantine',
    prepared: 'prepared',
    sent: 'sent',
  },
};
