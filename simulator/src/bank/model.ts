import type { Schedule, StatusReason } from './payments/schedule.ts';

export type StandardVersion = '3.1' | '4.0';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = {
  readonly [name: string]: Json;
};

export type Party = {
  readonly name: string;
  readonly sortCode: string;
  readonly accountNumber: string;
};

// What consents to payments and to account information have in common.
type ConsentBase = {
  readonly bankId: string;
  readonly id: string;
  readonly clientId: string;
  readonly createdAt: number;
  readonly statusUpdatedAt: number;
  readonly login?: string;
  // The visit in which this customer logged in.
  readonly interactionId?: string;
  readonly clockOffsetMs: number;
};

export type ConsentTerms = {
  readonly version: StandardVersion;
  readonly wireData: JsonObject;
  readonly wireRisk: JsonObject;
  readonly amountPence: bigint;
  readonly endToEndIdentification: string;
  readonly creditor: Party;
  readonly reference: string;
  readonly wantsRefundAccount: boolean;
};

export type Consent = ConsentBase &
  ConsentTerms & {
    readonly status: 'AWAU' | 'AUTH' | 'RJCT' | 'COND';
    readonly statusReason?: StatusReason;
    readonly debtor?: Debtor;
  };

export type AccountConsentTerms = {
  readonly version: StandardVersion;
  readonly permissions: readonly string[];
  readonly expiresAt: number | undefined;
  readonly transactionsFrom: number | undefined;
  readonly transactionsTo: number | undefined;
};

export type AccountConsent = ConsentBase &
  AccountConsentTerms & {
    readonly status: 'AWAU' | 'AUTH' | 'RJCT' | 'CANC';
    readonly accountIds: readonly string[];
    readonly demandsLogin: boolean;
  };

export type Account = {
  readonly bankId: string;
  readonly id: string;
  readonly login: string;
  readonly position: number;
  readonly label: string;
  readonly holderName: string;
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly openingPence: bigint;
  readonly mayOverdraw: boolean;
  // Its generated history ends here.
  readonly openedAt: number;
};

export type AccountWithBalance = Account & { readonly balancePence: bigint };

// The account that pays.
type Debtor = Pick<Account, 'id' | 'holderName' | 'sortCode' | 'accountNumber' | 'mayOverdraw'>;

export type Payment = {
  readonly bankId: string;
  readonly id: string;
  readonly consentId: string;
  readonly acceptedAt: number;
  readonly schedule: Schedule;
};

export type KeyClaim = {
  readonly bankId: string;
  readonly clientId: string;
  readonly operation: 'consent' | 'payment';
  readonly key: string;
  readonly bodyHash: string;
  readonly at: number;
};

export type Subscription = {
  readonly bankId: string;
  readonly id: string;
  readonly clientId: string;
  readonly version: string;
  readonly callbackUrl?: string;
  // Left out: all that the bank sends.
  readonly eventTypes?: readonly string[];
};

export type Direction = 'CRDT' | 'DBIT';

// Money that really moved in this simulator.
export type Movement = {
  readonly id: bigint;
  readonly at: number;
  readonly isBooked: boolean;
  readonly direction: Direction;
  readonly kind: 'payment' | 'transfer' | 'return' | 'reversal' | 'deposit';
  readonly amountPence: bigint;
  readonly reference: string;
  readonly counterparty: Party;
};
