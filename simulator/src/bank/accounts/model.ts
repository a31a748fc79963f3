export type StandardVersion = '3.1' | '4.0';

type AccountConsentStatus = 'AWAU' | 'AUTH' | 'RJCT' | 'CANC';

export type AccountConsentTerms = {
  readonly version: StandardVersion;
  readonly permissions: readonly string[];
  readonly expiresAt: number | undefined;
  readonly transactionsFrom: number | undefined;
  readonly transactionsTo: number | undefined;
};

export type AccountConsent = AccountConsentTerms & {
  readonly bankId: string;
  readonly id: string;
  readonly clientId: string;
  readonly status: AccountConsentStatus;
  readonly createdAt: number;
  readonly statusUpdatedAt: number;
  readonly login: string | undefined;
  readonly interactionId: string | undefined;
  readonly accountIds: readonly string[];
  readonly demandsLogin: boolean;
  readonly clockOffsetMs: number;
};

export type Direction = 'CRDT' | 'DBIT';

export type Party = {
  readonly name: string;
  readonly sortCode: string;
  readonly accountNumber: string;
};

// Money that really moved in this simulator.
export type Movement = {
  readonly id: string;
  readonly at: number;
  readonly isBooked: boolean;
  readonly direction: Direction;
  readonly kind: 'payment' | 'transfer' | 'return' | 'reversal' | 'deposit';
  readonly amountPence: bigint;
  readonly reference: string;
  readonly counterparty: Party;
};

export type EntryKind =
  | 'card'
  | 'cash'
  | 'directDebit'
  | 'received'
  | 'sent'
  | 'salary'
  | 'interest'
  | 'fee'
  | 'return';

export type Entry = {
  readonly id: string;
  readonly at: number;
  readonly direction: Direction;
  readonly kind: EntryKind;
  readonly amountPence: bigint;
  readonly information: string;
  readonly reference: string | undefined;
  readonly merchantName: string | undefined;
  readonly counterparty: Party | undefined;
};

export type HistoryEntry = Entry & {
  // Pending until then.
  readonly bookedAt: number;
};

export type StatementLine = Entry & {
  readonly isBooked: boolean;
  // After the line; a pending one has none.
  readonly balancePence: bigint | undefined;
};

export type AccountDecision = {
  readonly bankId: string;
  readonly consentId: string;
  readonly at: number;
  readonly outcome:
    | { readonly status: 'AUTH'; readonly accountIds: readonly string[] }
    | { readonly status: 'RJCT' };
};

export type UnattendedCall = {
  readonly bankId: string;
  readonly consentId: string;
  readonly subject: string;
  readonly at: number;
};
