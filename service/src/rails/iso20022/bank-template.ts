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
